import { isLinkToken } from '@/lib/messaging/link-token'

/** The links of messages to guests: `u` unsubscribes, `f` asks for feedback. */
export type GuestLink = 'u' | 'f'

export interface GuestAddress {
  link: GuestLink
  /** NO_TOKEN when it cannot be one of ours, whatever the database says. */
  token: string
}

/** No token: the page under it says that the link is not valid. */
export const NO_TOKEN = '-'

const ADDRESS = /^\/([uf])(?:\/(.*))?$/i

/**
 * The link that a path is, null for a path of another kind. However the path was spoilt on its way (cut off, in
 * capitals, with something behind it, not decodable), it is a guest's, whom the sign-in page would not help.
 */
export function guestAddress(pathname: string): GuestAddress | null {
  const [, letter, rest = ''] = ADDRESS.exec(pathname) ?? []
  if (!letter) return null
  const token = decoded(rest)
  return { link: letter.toLowerCase() as GuestLink, token: isLinkToken(token) ? token : NO_TOKEN }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return NO_TOKEN
  }
}
