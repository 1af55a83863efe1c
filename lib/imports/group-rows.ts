import type { ImportRow } from './parse-row'

/** E-mails and phones that are known to be one customer's, former ones included. */
export type Link = readonly string[]

/**
 * Cuts rows into chunks of about `size` such that rows which may turn out to be one customer (the same e-mail,
 * the same phone, or linked) are in one chunk, in order: there the last value wins, whereas two chunks would
 * overwrite each other again with every import. A group above `size` makes a chunk of its own.
 */
export function groupRows(rows: readonly ImportRow[], links: readonly Link[], size: number): ImportRow[][] {
  const parents = new Map<string, string>()
  const rootOf = (key: string): string => {
    let root = key
    for (let next = parents.get(root); next !== undefined && next !== root; next = parents.get(root)) {
      parents.set(root, parents.get(next) ?? next)
      root = next
    }
    return root
  }
  const join = (one: string | undefined, other: string | undefined) => {
    if (one && other) parents.set(rootOf(one), rootOf(other))
  }
  for (const { email, phone } of rows) join(email, phone)
  for (const link of links) for (const address of link) join(link[0], address)

  const chunks: ImportRow[][] = []
  let chunk: ImportRow[] = []
  for (const group of Map.groupBy(rows, ({ email, phone }) => rootOf(email ?? phone ?? '')).values()) {
    if (chunk.length > 0 && chunk.length + group.length > size) {
      chunks.push(chunk)
      chunk = []
    }
    chunk.push(...group)
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks
}
