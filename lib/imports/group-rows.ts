import type { ImportRow } from './parse-row'

/** An e-mail and a phone that are known to be one customer's. */
export interface Link {
  email: string
  phone: string
}

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
  const join = (email: string | undefined, phone: string | undefined) => {
    if (email && phone) parents.set(rootOf(email), rootOf(phone))
  }
  for (const { email, phone } of [...rows, ...links]) join(email, phone)

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
