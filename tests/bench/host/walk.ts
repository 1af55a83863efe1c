import { globSync, readFileSync } from 'node:fs'
import { DEMO_PASSWORD } from '../../../scripts/demo/staff'
import { startBuiltApp } from '../../contract/built-app'
import type { Stack } from '../../support/stack'
import type { Figure } from '../support/figures'
import { startHost } from './host'
import { startSlowGateway } from './slow-gateway'

// Where a route declares no `maxDuration`: Vercel's usual limit.
const USUAL_SECONDS = 300

/** A request of the walk; `bound` is the most seconds it may take. */
export interface Step {
  name: string
  path: string
  bound: number
  /** The demo person who asks. */
  as?: string
  init?: RequestInit
  /** The answer must have no length, so that the host sends it on in chunks. */
  streamed?: true
}

/** The built app behind a host like Vercel, and its database so many milliseconds a call away. */
export interface Walk {
  figures: Figure[]
  /** What was refused or failed, and why. */
  refusals: string[]
  ask: (path: string, as?: string, init?: RequestInit) => Promise<Response>
  /** Takes a step, and notes its time and what was refused. */
  take: (step: Step) => Promise<void>
  /** Takes a step that first starts the app, as the host does after a pause. */
  takeCold: (step: Step) => Promise<void>
  close: () => Promise<void>
}

/** Starts the app on a stack, with a gateway and a host around it. */
export async function startWalk(stack: Pick<Stack, 'url' | 'keys'>, farMs: number): Promise<Walk> {
  const gateway = await startSlowGateway(stack.url, farMs)
  const start = async () => {
    const app = await startBuiltApp({ url: gateway.url, keys: stack.keys }, { VERCEL: '1' })
    const host = await startHost(app.url, secondsOf)
    return { url: host.url, stop: () => host.close().then(app.stop) }
  }
  let running = await start()
  const cookies = new Map<string, string>()
  const figures: Figure[] = []
  const refusals: string[] = []

  async function cookieOf(as: string): Promise<string> {
    const known = cookies.get(as) ?? (await signIn(running.url, as))
    cookies.set(as, known)
    return known
  }

  async function ask(path: string, as?: string, init: RequestInit = {}): Promise<Response> {
    const cookie = as ? await cookieOf(as) : ''
    return fetch(new URL(path, running.url), { ...init, headers: { cookie, ...init.headers } })
  }

  async function measure({ name, path, bound, as, init, streamed }: Step, begin: number): Promise<void> {
    const answer = await ask(path, as, init)
    const bytes = (await answer.arrayBuffer()).byteLength
    const measured = (performance.now() - begin) / 1000
    const said = answer.headers.get('x-vercel-error') ?? answer.headers.get('x-error-code') ?? ''
    if (!answer.ok) refusals.push(`${name}: ${answer.status} ${said}`)
    if (streamed && answer.headers.has('content-length')) refusals.push(`${name}: in one piece`)
    const detail = `${gateway.take().length} calls, ${(bytes / 1000).toFixed(0)} kB`
    figures.push({ name, measured, unit: 's', bound, detail })
  }

  return {
    figures,
    refusals,
    ask,
    take: async (step) => {
      if (step.as) await cookieOf(step.as)
      gateway.take()
      await measure(step, performance.now())
    },
    takeCold: async (step) => {
      await running.stop()
      gateway.take()
      const begin = performance.now()
      running = await start()
      await measure(step, begin)
    },
    close: async () => {
      await running.stop()
      await gateway.close()
    },
  }
}

const ROUTES = globSync('app/api/**/route.ts').flatMap((file) => {
  const [, seconds] = /maxDuration = (\d+)/.exec(readFileSync(file, 'utf8')) ?? []
  const path = file.slice('app'.length, -'/route.ts'.length).replaceAll(/\[\w+\]/g, '[^/]+')
  return seconds ? [{ pattern: new RegExp(`^${path}$`), seconds: Number(seconds) }] : []
})

/** The seconds after which the host ends the function of a path: the `maxDuration` of its route. */
export function secondsOf(path: string): number {
  const [bare = ''] = path.split('?')
  return ROUTES.find(({ pattern }) => pattern.test(bare))?.seconds ?? USUAL_SECONDS
}

async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(new URL('/api/auth/sign-in', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
