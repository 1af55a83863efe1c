import 'server-only'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { isHttps } from '@/lib/http/addressed'
import type { Permission } from './permissions'
import { type PersonSession, readSession } from './session'
import { sessionCookies } from './session-cookies'

/** The request header in which proxy.ts passes the path of the page that is asked for. */
export const PAGE_PATH_HEADER = 'x-page-path'

/** The sign-in page, which leads back to `path` afterwards. */
export function signInPath(path: string): string {
  return path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`
}

/** Who asks for this page, or null; read once a request. Pages cannot set cookies: proxy.ts refreshes them. */
export const currentSession = cache(async (): Promise<PersonSession | null> => {
  const [store, https] = [await cookies(), isHttps(await headers())]
  return readSession({ getAll: () => sessionCookies(store.getAll(), https), setAll: () => {} })
})

/** Who asks for this page; someone who is not signed in goes to the sign-in page. */
export async function pageSession(): Promise<PersonSession> {
  const session = await currentSession()
  if (session) return session
  redirect(signInPath((await headers()).get(PAGE_PATH_HEADER) ?? '/'))
}

/** The same, or null when the role lacks the permission: the page then shows `NoAccess`. */
export async function pageSessionWith(permission: Permission): Promise<PersonSession | null> {
  const session = await pageSession()
  return session.can(permission) ? session : null
}
