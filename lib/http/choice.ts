import 'server-only'
import { cookies, headers } from 'next/headers'
import { isHttps } from './addressed'
import { hostCookieName } from './host-cookie'

/** What `choiceCookie` kept in the browser that asks for this page. Over https a cookie without the prefix is none. */
export async function choice(name: string): Promise<string | undefined> {
  const https = isHttps(await headers())
  return (await cookies()).get(hostCookieName(name, https))?.value
}
