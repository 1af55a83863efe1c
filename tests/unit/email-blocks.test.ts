import { expect, it } from 'vitest'
import {
  BLOCK_TYPES,
  copyOf,
  designOfText,
  docOfRuns,
  freshDesign,
  moved,
  newBlock,
  runsOfDoc,
} from '@/components/email-design/blocks'
import { BUILT_IN, builtIn, liquid } from '@/components/email-design/built-in'
import { lookFor, NO_LOOK } from '@/lib/email-design/look'
import { emailDesignSchema, type Run } from '@/lib/email-design/schema'
import en from '@/lib/i18n/en/client/email-design.json'
import es from '@/lib/i18n/es/client/email-design.json'

const TEXTS = { heading: 'Hola', text: 'Texto', button: 'Botón' }

it('a design of new blocks of every type is one that the API takes', () => {
  const blocks = BLOCK_TYPES.map((type) => newBlock(type, TEXTS))
  expect(emailDesignSchema.parse({ preheader: '', blocks })).toEqual({ preheader: '', blocks })
  expect(new Set(blocks.map(({ id }) => id)).size).toBe(BLOCK_TYPES.length)
})

it('moves, and stays within the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
})

it('copies have ids of their own, also within columns', () => {
  const inner = newBlock('text', TEXTS) as never
  const block = { ...newBlock('columns', TEXTS), left: [inner] }
  const copy = copyOf(block)
  const ids = JSON.stringify(copy).match(/[0-9a-f-]{36}/g) ?? []
  expect(ids).toHaveLength(2)
  for (const id of ids) expect(JSON.stringify(block)).not.toContain(id)
  const design = designOfText('Hola')
  expect(freshDesign(design).blocks[0]?.id).not.toBe(design.blocks[0]?.id)
})

it.each<[string, Run[]]>([
  ['nothing', [{ text: '' }]],
  ['plain words', [{ text: 'Hola {{ first_name }}' }]],
  ['paragraphs and line breaks', [{ text: 'uno\ndos\n\ntres\n\n\n\ncuatro' }]],
  [
    'marks and links',
    [
      { text: 'a ' },
      { text: 'b', bold: true },
      { text: 'c', bold: true, italic: true },
      { text: ' ' },
      { text: 'd', href: 'https://a.example/' },
    ],
  ],
])('rich text keeps %s', (_, runs) => {
  expect(runsOfDoc(docOfRuns(runs))).toEqual(runs)
})

it.each([es, en])('the built-in templates are designs that the API takes', (texts) => {
  for (const name of BUILT_IN) {
    const design = builtIn(name, (key) => texts.templates[name][key])
    expect(emailDesignSchema.safeParse(design).success).toBe(true)
    expect(JSON.stringify(design)).not.toContain('[[')
  }
  expect(liquid('Hola [[first_name]]')).toBe('Hola {{ first_name }}')
})

it('the look is the brand’s, where all locations are of one', () => {
  const group = { ...NO_LOOK, brand_id: null, color: '#111111', footer: 'Pie' }
  const brand = { ...NO_LOOK, brand_id: 'b', color: '#222222' }
  const looks = [group, brand]
  expect(lookFor(looks, ['b', 'b'])).toEqual({ ...group, brand_id: 'b', color: '#222222' })
  for (const brands of [[], [null], ['b', null], ['b', 'c'], ['c']])
    expect(lookFor(looks, brands)).toEqual(group)
  expect(lookFor([], ['b'])).toEqual({})
})
