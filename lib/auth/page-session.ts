import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { isHttps } from '@/lib/http/addressed'
import type { Permission } from './permissions'
import { type PersonSession, readStanding, type Standing } from './session'
import { sessionCookies } from './session-cookies'

/** The request header in which proxy.ts passes the path of the page that is asked for. */
export const PAGE_PATH_HEADER = 'x-page-path'

/** The sign-in page, which leads back to `path` afterwards. */
export function signInPath(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}

/** The page that asks for the second factor, and leads back to `path` afterwards. */
export function secondFactorPath(path: string): string {
  return path === '/' ? '/second-factor' : `/second-factor?next=${encodeURIComponent(path)}`
}

/** Who asks for this page, and what their session lacks; read once a request. Pages cannot set cookies: proxy.ts refreshes them. */
export const currentStanding = cache(async (): Promise<Standing | null> => {
  const [store, https] = [await cookies(), isHttps(await headers())]
  return readStanding({ getAll: () => sessionCookies(store.getAll(), https), setAll: () => {} })
})

/** Who asks for this page; someone who is not signed in, or only with the password, goes to the page for that. */
export async function pageSession(): Promise<PersonSession> {
  const standing = await currentStanding()
  if (standing?.missing === null) return standing.session
  const path = (await headers()).get(PAGE_PATH_HEADER) ?? '/'
  redirect(standing ? secondFactorPath(path) : signInPath(path))
}

/** The same, or null when the role lacks the permission: the page then shows `NoAccess`. */
export async function pageSessionWith(permission: Permission): Promise<PersonSession | null> {
  const session = await pageSession()
  return session.can(permission) ? session : null
}
