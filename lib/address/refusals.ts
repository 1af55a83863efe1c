/** Why the app does not connect to a configured address. */
export type Refusal = 'scheme' | 'internal_name' | 'loopback' | 'private' | 'link_local' | 'reserved'

/** The reason in words, as the end of a sentence: `base_url: must start with https://`. */
const REFUSALS: Record<Refusal, string> = {
  scheme: 'must start with https://',
  internal_name: 'names a machine inside the network',
  loopback: 'leads to this machine (loopback)',
  private: 'leads to a private network',
  link_local: 'leads to a link-local address, where cloud metadata is served',
  reserved: 'leads to a reserved address, not to one on the internet',
}

/** An address that the app does not connect to. `message` is the reason in words, without host or IP. */
export class RefusedAddress extends Error {
  constructor(readonly reason: Refusal) {
    super(REFUSALS[reason])
    this.name = 'RefusedAddress'
  }
}

/** The refusal that caused an error, through any number of wrapping errors; null when there is none. */
export function refusalBehind(error: unknown): RefusedAddress | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof RefusedAddress) return each
  return null
}
