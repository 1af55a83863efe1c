import 'server-only'
import { cookies, headers } from 'next/headers'
import { hostCookieName } from './host-cookie'
import { isHttps } from './origin'

/** The choice that `choiceCookie` stored in the browser. Over https a cookie without the prefix is ignored. */
export async function choice(name: string): Promise<string | undefined> {
  const https = isHttps(await headers())
  return (await cookies()).get(hostCookieName(name, https))?.value
}
