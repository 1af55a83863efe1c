import { globSync, readFileSync } from 'node:fs'
import { addDays } from '@/lib/dates'
import { UPLOAD_MB_ON_VERCEL } from '@/lib/env'
import { JOB_NAMES } from '@/lib/jobs/job'
import { DEMO_PASSWORD } from '../../../scripts/demo/staff'
import { type BuiltApp, startBuiltApp } from '../../contract/built-app'
import { PAGES, pathOf } from '../../e2e/pages'
import { withDemoOnPostgres } from '../pages/lab'
import type { Figure } from '../support/figures'
import { startHost } from './host'
import { FAR_MS } from './master'
import { startSlowGateway } from './slow-gateway'

const SUPER = 'super@demo.example'
// Without a `maxDuration` of its own: Vercel's usual limit.
const USUAL_SECONDS = 300
// What a person takes for broken; a page needs some ten calls one after another.
const PAGE_SECONDS = 10

interface Call {
  name: string
  path: string
  bound: number
  as?: string
  init?: RequestInit
}

/**
 * Every page, every job and the largest transfers once, through a proxy that refuses what Vercel refuses and a gateway
 * of 90 ms a call: times, calls of the database, and no refusal by the host.
 */
export function hostFigures(): Promise<Figure[]> {
  return withDemoOnPostgres(
    async (_, stack) => {
      const closers: (() => unknown)[] = []
      try {
        const gateway = await startSlowGateway(stack.url, FAR_MS)
        closers.push(gateway.close)
        const start = () => startBuiltApp({ url: gateway.url, keys: stack.keys }, { VERCEL: '1' })
        const figures: Figure[] = []
        const refusals: string[] = []
        let app: BuiltApp = await start()
        closers.push(() => app.stop())
        let host = await startHost(app.url, secondsOf)
        closers.push(() => host.close())
        const cookies = new Map<string, string>()
        const ask = async (path: string, as?: string, init: RequestInit = {}) => {
          const cookie = as ? (cookies.get(as) ?? (await signIn(host.url, as, cookies))) : ''
          return fetch(new URL(path, host.url), { ...init, headers: { cookie, ...init.headers } })
        }
        async function figure({ name, path, bound, as, init }: Call, since?: number) {
          if (as) await ask('/api/account', as)
          gateway.take()
          const begin = since ?? performance.now()
          const answer = await ask(path, as, init)
          const bytes = (await answer.arrayBuffer()).byteLength
          const measured = (performance.now() - begin) / 1000
          if (!answer.ok)
            refusals.push(`${name}: ${answer.status} ${answer.headers.get('x-vercel-error') ?? ''}`)
          const detail = `${gateway.take().length} calls, ${(bytes / 1000).toFixed(0)} kB`
          figures.push({ name, measured, unit: 's', bound, detail })
        }

        for (const page of PAGES) {
          const path = await pathOf(page, { get: (wanted) => ask(wanted, page.as) })
          await figure({ name: page.route, path, as: page.as, bound: PAGE_SECONDS })
        }
        const cron = { headers: { authorization: `Bearer ${stack.keys.cronSecret}` } }
        const job = (name: string, path: string): Call => ({
          ...{ name, path, init: cron, bound: secondsOf(path.split('?')[0] ?? '') },
        })
        for (const name of JOB_NAMES) await figure(job(`/api/cron/${name}`, `/api/cron/${name}`))
        await figure(job('/api/cron/master', '/api/cron/master'))
        await figure(job('/api/cron/master, parallel', '/api/cron/master?mode=parallel'))
        await stack.sql('delete from public.job_runs')
        await figure(job('/api/cron/master, the first of a night', '/api/cron/master'))
        for (const transfer of transfers()) await figure({ ...transfer, as: SUPER })

        await host.close()
        await app.stop()
        const begin = performance.now()
        app = await start()
        host = await startHost(app.url, secondsOf)
        await figure({ name: '/ of a cold start', path: '/', as: SUPER, bound: PAGE_SECONDS }, begin)
        for (const refusal of refusals) console.error(refusal)
        return [
          ...figures,
          {
            name: 'answers that are errors or refusals',
            measured: refusals.length,
            unit: 'faults',
            bound: 0,
          },
        ]
      } finally {
        for (const close of closers.reverse()) await close()
      }
    },
    { scale: 1 },
  )
}

/** The `maxDuration` that the route of a path declares. */
function secondsOf(path: string): number {
  const route = ROUTES.find(({ pattern }) => pattern.test(path))
  return route?.seconds ?? USUAL_SECONDS
}

const ROUTES = globSync('app/api/**/route.ts').flatMap((file) => {
  const [, seconds] = /maxDuration = (\d+)/.exec(readFileSync(file, 'utf8')) ?? []
  const path = file.slice('app'.length, -'/route.ts'.length).replaceAll(/\[\w+\]/g, '[^/]+')
  return seconds ? [{ pattern: new RegExp(`^${path}$`), seconds: Number(seconds) }] : []
})

/** The largest file that the page sends on Vercel, and every export as long as it may be. */
function transfers(): Call[] {
  const today = new Date().toISOString().slice(0, 10)
  const days = `date=${addDays(today, -27)}&until=${addDays(today, 3)}`
  const csv = 'email;nombre;de más\n'
  const row = (n: number) => `grande${n}@correo.example;Ana;${'x'.repeat(1300)}\n`
  const rows = Array.from({ length: 3100 }, (_, n) => row(n)).join('')
  const form = new FormData()
  form.set('consent', 'none')
  form.set('file', new Blob([(csv + rows).slice(0, UPLOAD_MB_ON_VERCEL * 1024 * 1024)]), 'grande.csv')
  return [
    { name: 'an import of 4 MB', path: '/api/imports', bound: 300, init: { method: 'POST', body: form } },
    { name: 'all customers as CSV', path: '/api/customers/export', bound: 300 },
    { name: '31 days of reservations as CSV', path: `/api/reservations/export?${days}`, bound: 300 },
    {
      name: '31 days of reservations as XLSX',
      path: `/api/reservations/export?${days}&format=xlsx`,
      bound: 300,
    },
    { name: 'the cohorts as XLSX', path: '/api/reports/export?report=cohorts&format=xlsx', bound: 300 },
    { name: 'the audit log as CSV', path: '/api/audit-log/export', bound: 300 },
  ]
}

async function signIn(url: string, email: string, cookies: Map<string, string>): Promise<string> {
  const response = await fetch(new URL('/api/auth/sign-in', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status}`)
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  cookies.set(email, cookie)
  return cookie
}
