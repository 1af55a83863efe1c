// A message's id in as few characters as a web address can have: the 122 bits of a UUID (version 7, private.new_id) that
// are not fixed are 21 characters, 74 bits of them random. So `/b/{code}` is 24 and needs no table.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const LENGTH = 21
const CODE = new RegExp(`^[A-Za-z0-9_-]{${LENGTH}}$`)
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The code of a message's id; null for an id of another kind. */
export function shortCode(id: string): string | null {
  if (!UUID.test(id)) return null
  const hex = id.replaceAll('-', '')
  const variant = BigInt(`0x${hex[16]}`) & 3n
  const head = BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`)
  let bits = (((head << 2n) | variant) << 60n) | BigInt(`0x${hex.slice(17)}`)
  let code = ''
  for (let place = 0; place < LENGTH; place++) {
    code = (ALPHABET[Number(bits & 63n)] ?? '') + code
    bits >>= 6n
  }
  return code
}

/** Whether a text has the form of a code. */
export const isShortCode = (text: string): boolean => CODE.test(text)

/** The message's id of a code; null for what is no code. */
export function idOfCode(code: string): string | null {
  if (!CODE.test(code)) return null
  const bits = [...code].reduce((sum, letter) => (sum << 6n) | BigInt(ALPHABET.indexOf(letter)), 0n)
  if (bits >> 122n) return null
  const head = (bits >> 62n).toString(16).padStart(15, '0')
  const variant = (8n | ((bits >> 60n) & 3n)).toString(16)
  const tail = (bits & ((1n << 60n) - 1n)).toString(16).padStart(15, '0')
  const hex = `${head.slice(0, 12)}7${head.slice(12)}${variant}${tail}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
