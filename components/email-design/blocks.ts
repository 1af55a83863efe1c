import type { JSONContent } from '@tiptap/react'
import { EMAIL_WIDTH } from '@/lib/email-design/limits'
import type { Block, EmailDesign, Run } from '@/lib/email-design/schema'
import { newId } from '@/lib/uuid'

export type BlockType = Block['type']
/** What can be added, in the order of the menu. */
export const BLOCK_TYPES = ['heading', 'text', 'image', 'button', 'columns', 'divider', 'footer'] as const
/** What a column can hold. */
export const COLUMN_TYPES = ['text', 'image', 'button'] as const

/** An empty block of a type, with these texts where it has any. */
export function newBlock(type: BlockType, texts: Record<'heading' | 'text' | 'button', string>): Block {
  const id = newId()
  switch (type) {
    case 'heading':
      return { id, type, text: texts.heading, align: 'left' }
    case 'text':
      return { id, type, runs: [{ text: texts.text }], align: 'left' }
    case 'image':
      return { id, type, path: null, alt: '', href: null, width: EMAIL_WIDTH }
    case 'button':
      return { id, type, label: texts.button, href: '', align: 'left' }
    case 'columns':
      return { id, type, left: [], right: [] }
    case 'footer':
      return { id, type, text: '' }
    default:
      return { id, type }
  }
}

/** The list with one element moved by so many places; the same list where it cannot move. */
export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const to = from + by
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length) return [...list]
  return list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** A copy of a block, with ids of its own. */
export function copyOf<B extends Block>(block: B): B {
  const copy = { ...structuredClone(block), id: newId() }
  if (copy.type === 'columns')
    for (const side of [copy.left, copy.right]) for (const inner of side) inner.id = newId()
  return copy
}

/** A design with ids of its own: templates may be used more than once. */
export const freshDesign = (design: EmailDesign): EmailDesign => ({
  ...design,
  blocks: design.blocks.map(copyOf),
})

/** The design that an e-mail in plain text becomes. */
export const designOfText = (body: string): EmailDesign => ({
  preheader: '',
  blocks: [{ id: newId(), type: 'text', runs: [{ text: body.trim() }], align: 'left' }],
})

/** Runs as the rich-text editor takes them: an empty line starts a paragraph, a line break is one. */
export function docOfRuns(runs: readonly Run[]): JSONContent {
  const paragraphs: JSONContent[][] = [[]]
  for (const { text, bold, italic, href } of runs) {
    const marks = [
      ...(bold ? [{ type: 'bold' }] : []),
      ...(italic ? [{ type: 'italic' }] : []),
      ...(href ? [{ type: 'link', attrs: { href } }] : []),
    ]
    for (const [index, part] of text.split('\n\n').entries()) {
      if (index > 0) paragraphs.push([])
      const line = paragraphs.at(-1) ?? []
      for (const [at, words] of part.split('\n').entries()) {
        if (at > 0) line.push({ type: 'hardBreak' })
        if (words !== '') line.push({ type: 'text', text: words, marks })
      }
    }
  }
  return { type: 'doc', content: paragraphs.map((content) => ({ type: 'paragraph', content })) }
}

/** The editor's document as runs; neighbours of one style are one run. */
export function runsOfDoc(doc: JSONContent): Run[] {
  const runs: Run[] = []
  function add(run: Run) {
    const last = runs.at(-1)
    const same = last && last.bold === run.bold && last.italic === run.italic && last.href === run.href
    if (same) last.text += run.text
    else runs.push(run)
  }
  for (const [index, paragraph] of (doc.content ?? []).entries()) {
    if (index > 0) add({ text: '\n\n' })
    for (const { type, text = '', marks = [] } of paragraph.content ?? []) {
      const has = (name: string) => marks.some((mark) => mark.type === name)
      const href = marks.find((mark) => mark.type === 'link')?.attrs?.href as string | undefined
      if (type === 'hardBreak') add({ text: '\n' })
      else
        add({
          text,
          ...(has('bold') ? { bold: true } : {}),
          ...(has('italic') ? { italic: true } : {}),
          ...(href ? { href } : {}),
        })
    }
  }
  return runs.length > 0 ? runs : [{ text: '' }]
}
