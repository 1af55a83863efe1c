import { parseCookieHeader } from '@supabase/ssr'
import { NextRequest } from 'next/server'
import { apiPath } from '@/lib/http/api-path'
import type { LocalKeys } from '../../supabase/local/keys'
import { expectDocumented } from './contract'
import type { AuthOptions } from './postgres/auth'
import { type Stack, startStack } from './stack'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

const files = import.meta.glob<Record<string, Handler>>('../../app/api/**/route.ts')
// As in Next, a named segment wins over one that takes any, and that over one that takes any number.
const breadth = (file: string) => file.split('[').length + (file.includes('[[') ? 100 : 0)
const routes = Object.entries(files).sort(([one], [other]) => breadth(one) - breadth(other))

/** One client of the app: keeps the cookies it is given, as a browser does. */
export interface Client {
  request: (method: string, path: string, init?: RequestOptions) => Promise<Response>
  /** What it has been given, by name. */
  cookies: Map<string, string>
  /** Drops a cookie, as its age does in a browser. */
  forget: (cookie: string) => void
}

interface RequestOptions {
  /** FormData, a stream or bytes go as they are, text too; anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
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
export async function startApp(
  extra: Record<string, string> = {},
  authOptions?: AuthOptions,
): Promise<TestApp> {
  const stack = await startStack(authOptions)
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
    APP_URL: 'https://crm.example',
    MESSAGE_SANDBOX: '1',
    AUTH_MAILER: '1',
    LOG_LEVEL: 'error',
    ...extra,
  })
}

/** A client without cookies yet. */
export function testClient(): Client {
  const cookies = new Map<string, string>()
  return {
    cookies,
    forget: (cookie) => void cookies.delete(cookie),
    request: async (method, path, { body, headers, signal } = {}) => {
      const raw = rawBody(body)
      const request = new NextRequest(new URL(path, 'http://localhost:3000'), {
        method,
        headers: {
          ...(cookies.size > 0
            ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
            : {}),
          ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body:
          raw ?? (body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)),
        signal,
        ...(raw ? { duplex: 'half' } : {}),
      })
      const response = await dispatch(request)
      await expectDocumented(method, path, response)
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

function rawBody(body: unknown): FormData | ReadableStream | Uint8Array<ArrayBuffer> | undefined {
  if (body instanceof FormData || body instanceof ReadableStream) return body
  return body instanceof Uint8Array ? new Uint8Array(body) : undefined
}

async function dispatch(request: NextRequest): Promise<Response> {
  for (const [file, load] of routes) {
    const pattern = file
      .replace('../../app', '')
      .replace('/route.ts', '')
      .replaceAll('.', '\\.')
      .replace('/[[\\.\\.\\.path]]', '(/.*)?')
      .replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')
    const match = new RegExp(`^${pattern}$`).exec(apiPath(request.nextUrl.pathname))
    if (!match) continue
    const handler = (await load())[request.method]
    if (!handler) throw new Error(`${file} does not export ${request.method}`)
    return handler(request, { params: Promise.resolve({ ...match.groups }) })
  }
  throw new Error(`Not under /api: ${request.nextUrl.pathname}`)
}
