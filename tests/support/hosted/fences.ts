import { readFileSync } from 'node:fs'

/** A block of code in a page, as it stands there. */
export interface Fence {
  /** The heading above it. */
  heading: string
  language: string
  code: string
}

/** The fenced blocks of a Markdown file, in order. Blocks inside lists lose their indentation. */
export function fencesOf(page: string): Fence[] {
  const fences: Fence[] = []
  let heading = ''
  let open: { indent: string; language: string; lines: string[] } | undefined
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const fence = /^( *)```(\w*)$/.exec(line)
    if (open && fence && fence[2] === '') {
      fences.push({ heading, language: open.language, code: open.lines.join('\n') })
      open = undefined
    } else if (open) open.lines.push(line.replace(open.indent, ''))
    else if (fence) open = { indent: fence[1] ?? '', language: fence[2] ?? '', lines: [] }
    else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading
  }
  if (open) throw new Error(`${page}: a block of code under “${heading}” has no end`)
  return fences
}

/** Puts values in the place of `<names>`. @throws when the code has a name without a value. */
export function fill(code: string, values: Record<string, string>): string {
  return code.replace(/<([A-Za-z][\w -]*)>/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`No value is known for ${whole} in:\n${code}`)
    return value
  })
}

/** The variables of a block: `NAME=value` lines. */
export function variablesOf(code: string): Record<string, string> {
  const pairs = code.split('\n').map((line) => /^(\w+)=(.+)$/.exec(line)?.slice(1) as [string, string])
  return Object.fromEntries(pairs)
}
