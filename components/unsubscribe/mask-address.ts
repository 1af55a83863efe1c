/** An address that its owner recognises and nobody else learns: `an…@example.com`, `+34 … 01`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return `${address.slice(0, 3)} … ${address.slice(-2)}`
  return `${address.slice(0, Math.min(2, at - 1))}…${address.slice(at)}`
}
