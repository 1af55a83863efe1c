import { parseCookieHeader } from '@supabase/ssr'
import { NextRequest } from 'next/server'
import type { LocalKeys } from '../../supabase/local/keys'
import { type Stack, startStack } from './stack'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const routes = import.meta.glob<Record<string, Handler>>('../../app/api/**/route.ts')

/** One client of the app: keeps the cookies it is given, as a browser does. */
export interface Client {
  request: (method: string, path: string, init?: RequestOptions) => Promise<Response>
}

interface RequestOptions {
  body?: unknown
  headers?: Record<string, string>
}

/** The app's handlers on a stack of the test file's own. */
export interface TestApp {
  stack: Stack
  cronSecret: string
  client: () => Client
  close: () => Promise<void>
}

/**
 * Starts a stack and points the app's environment at it. Handlers are called with real Request objects and
 * answer real Responses; only Next's server around them is absent (the browser tests run the built app).
 */
export async function startApp(extra: Record<string, string> = {}): Promise<TestApp> {
  const stack = await startStack()
  pointAppAt(stack.url, stack.keys, extra)
  return { stack, cronSecret: stack.keys.cronSecret, client: testClient, close: () => stack.close() }
}

/** Points the app's environment at a stack. Before the first request: the app reads it once. */
export function pointAppAt(url: string, keys: LocalKeys, extra: Record<string, string> = {}): void {
  Object.assign(process.env, {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEY: keys.secretKey,
    CRON_SECRET: keys.cronSecret,
    SECRETS_KEY: keys.secretsKey,
    ALLOW_LOOPBACK_UPSTREAMS: '1',
    LOG_LEVEL: 'error',
    ...extra,
  })
}

/** A client without cookies yet. */
export function testClient(): Client {
  const cookies = new Map<string, string>()
  return {
    request: async (method, path, { body, headers } = {}) => {
      const request = new NextRequest(new URL(path, 'http://localhost:3000'), {
        method,
        headers: {
          ...(cookies.size > 0
            ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
            : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      })
      const response = await dispatch(request)
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const [cookie] = parseCookieHeader(pair)
        if (cookie?.value) cookies.set(cookie.name, cookie.value)
        else if (cookie) cookies.delete(cookie.name)
      }
      return response
    },
  }
}

async function dispatch(request: NextRequest): Promise<Response> {
  for (const [file, load] of Object.entries(routes)) {
    const pattern = file
      .replace('../../app', '')
      .replace('/route.ts', '')
      .replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')
    const match = new RegExp(`^${pattern}$`).exec(request.nextUrl.pathname)
    if (!match) continue
    const handler = (await load())[request.method]
    if (!handler) return new Response(null, { status: 405 })
    return handler(request, { params: Promise.resolve({ ...match.groups }) })
  }
  return new Response(null, { status: 404 })
}
