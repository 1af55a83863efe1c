import { isLinkToken } from '@/lib/messaging/link-token'
import { isShortCode } from '@/lib/messaging/short-link'

/** The links of messages to guests: `u` unsubscribes, `f` asks for feedback, `b` is the short way to `u`. */
export type GuestLink = 'u' | 'f' | 'b'

export interface GuestAddress {
  link: GuestLink
  /** NO_TOKEN when it cannot be one of ours, whatever the database says. */
  token: string
}

/** No token: the page under it says that the link is not valid. */
export const NO_TOKEN = '-'

const ADDRESS = /^\/([ufb])(?:\/(.*))?$/i

/**
 * The link that a path is, null for a path of another kind. However the path was spoilt on its way (cut off, in
 * capitals, with something behind it, not decodable), it is a guest's, whom the sign-in page would not help.
 */
export function guestAddress(pathname: string): GuestAddress | null {
  const [, letter, rest = ''] = ADDRESS.exec(pathname) ?? []
  if (!letter) return null
  const link = letter.toLowerCase() as GuestLink
  const token = decoded(rest)
  const isToken = link === 'b' ? isShortCode(token) : isLinkToken(token)
  return { link, token: isToken ? token : NO_TOKEN }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return NO_TOKEN
  }
}
