import { DEMO_PASSWORD } from '../../../scripts/demo/staff'
import { PAGES, pathOf } from '../../e2e/pages'
import type { Figure } from '../support/figures'
import { withDemoOnPostgres } from './lab'

const WARM_UP = 5
const REQUESTS = 50
const BOUND_SECONDS = 0.5

/** How long each page takes to answer, whole, one request after another, as the person who looks at it. */
export function pageFigures(): Promise<Figure[]> {
  return withDemoOnPostgres(async ({ url }) => {
    const figures: Figure[] = []
    for (const page of PAGES) {
      const cookie = page.as ? await signIn(url, page.as) : ''
      const get = (path: string) => fetch(new URL(path, url), { headers: { cookie } })
      const path = await pathOf(page, { get })
      for (let turn = 0; turn < WARM_UP; turn++) await timed(get, path)
      const times: number[] = []
      for (let turn = 0; turn < REQUESTS; turn++) times.push(await timed(get, path))
      const sorted = times.toSorted((one, other) => one - other)
      const at = (share: number) => sorted[Math.ceil(share * REQUESTS) - 1] ?? Number.NaN
      figures.push({
        name: `${page.route} p95`,
        measured: at(0.95),
        unit: 's',
        bound: BOUND_SECONDS,
        detail: `median ${at(0.5).toFixed(3)} s, worst ${at(1).toFixed(3)} s of ${REQUESTS}`,
      })
    }
    return figures
  })
}

async function timed(get: (path: string) => Promise<Response>, path: string): Promise<number> {
  const begin = performance.now()
  const response = await get(path)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (performance.now() - begin) / 1000
}

const sessions = new Map<string, string>()

async function signIn(url: string, email: string): Promise<string> {
  const known = sessions.get(email)
  if (known) return known
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
  sessions.set(email, cookie)
  return cookie
}
