import build from '../../contract/build'
import { startBuiltApp } from '../../contract/built-app'
import type { Figure } from '../support/figures'
import { startWorker } from '../support/worker'
import type { EmbeddedAnswer, EmbeddedQuestion } from './embedded-worker'
import { PATIENCE_MS, signIn } from './place'
import { oneByOne, percentile } from './row'

/** EMBEDDED_GUESTS: the sizes, with commas. */
const SIZES = (process.env.EMBEDDED_GUESTS ?? '5000,20000,50000').split(',').map(Number)
const TIMES = 20
/** What a page may take, as in `npm run bench -- pages`. */
const BOUND_MS = 500
const PATHS = {
  home: '/',
  'reservations of a day': '/reservations',
  'guests’ list': '/customers',
  'search of a guest': '/api/customers?limit=50&search=garc%C3%ADa',
  reports: '/reports',
}

/** The embedded stack by its number of guests, with ten reservations each: the 95th percentile of some pages. */
export async function embeddedFigures(): Promise<Figure[]> {
  build()
  const figures: Figure[] = []
  for (const guests of SIZES) figures.push(...(await measure(guests)))
  return figures
}

async function measure(guests: number): Promise<Figure[]> {
  const stack = startWorker<EmbeddedQuestion, EmbeddedAnswer>(
    new URL('./embedded-worker.ts', import.meta.url),
  )
  try {
    const { url, keys, group } = await stack.ask({ ask: 'fill', guests })
    const app = await startBuiltApp({ url, keys }, {}, PATIENCE_MS)
    try {
      const headers = { cookie: await signIn(app.url, group.people[0]?.email ?? '') }
      const figures: Figure[] = []
      for (const [name, path] of Object.entries(PATHS))
        figures.push(await page(guests, name, () => fetch(new URL(path, app.url), { headers })))
      const { megabytes } = await stack.ask({ ask: 'memory' })
      const name = `embedded, ${guests.toLocaleString('en')} guests: memory of its process`
      return [...figures, { name, measured: megabytes, unit: 'MB' }]
    } finally {
      await app.stop()
    }
  } finally {
    await stack.stop()
  }
}

async function page(guests: number, name: string, get: () => Promise<Response>): Promise<Figure> {
  let problem = ''
  const times = await oneByOne(TIMES, async () => {
    if (problem) return
    const response = await get()
    await response.arrayBuffer()
    if (!response.ok) problem = `answered ${response.status}`
  })
  return {
    name: `embedded, ${guests.toLocaleString('en')} guests: ${name}, p95`,
    measured: problem ? Number.POSITIVE_INFINITY : percentile(times, 0.95),
    unit: 'ms',
    // The README recommends the embedded stack up to 20,000 guests.
    ...(guests <= 20_000 ? { bound: BOUND_MS } : {}),
    detail: problem || `median ${percentile(times, 0.5).toFixed(0)} ms of ${TIMES}`,
  }
}
