// Apart from the schema, so that pages need nothing of zod.

/** The path of a stored image: its organization, an id, and the extension of its kind. */
export const IMAGE_PATH = /^[0-9a-f-]{36}\/[0-9a-f-]{36}\.(png|jpg|gif|webp)$/

/** The largest image, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024

/** The width of an e-mail's content, in CSS pixels. */
export const EMAIL_WIDTH = 600

/** The limits of a design; the column's checks allow as much. */
export const DESIGN_LIMITS = { blocks: 60, columnBlocks: 6, runs: 100, characters: 40_000 } as const

const LINK = /^(https:\/\/|mailto:|tel:)/i

/** Whether a rendered address may stand in an e-mail: https, mailto or tel, on one line. */
export function isSafeLink(address: string): boolean {
  if (!LINK.test(address) || /[\s\p{Cc}<>"\\]/u.test(address)) return false
  if (!address.toLowerCase().startsWith('https:')) return address.length > address.indexOf(':') + 1
  return URL.canParse(address) && new URL(address).username === ''
}
