// `npm run lighthouse`: Lighthouse on the main pages like a phone (mobile throttling), signed in, on a running demo
// (BASE_URL, or one it starts). Not for CI, because the figures depend on the machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { CHROMIUM } from './browser'
import { startDemo } from './demo/demo-process'
import { DEMO_PASSWORD } from './demo/staff'

const PAGES = ['/', '/reservations', '/customers']
const DEBUGGING_PORT = 9333
const USUAL_SLOWDOWN = 4
const RUNS = 3

const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-lighthouse-'))
const demo = process.env.BASE_URL
  ? { url: process.env.BASE_URL, stop: async () => {} }
  : await startDemo({ PORT: '3230', SUPABASE_PORT: '24830', PMS_PORT: '4830', DATA_DIR: dataDir })
const browser = await chromium.launch({
  ...CHROMIUM,
  args: [...CHROMIUM.args, `--remote-debugging-port=${DEBUGGING_PORT}`],
})
try {
  const cookie = await signIn(demo.url)
  const indexes: number[] = []
  // Warm up: the server's first answer is not representative.
  for (const path of PAGES)
    indexes.push((await report(path, cookie, USUAL_SLOWDOWN)).environment.benchmarkIndex)
  const power = indexes.sort((one, other) => one - other)[1] ?? Number.NaN
  const calibrated = Math.round(slowdownFor(power) * 10) / 10
  const rows: Record<string, Record<string, string>> = {}
  for (const slowdown of new Set([calibrated, USUAL_SLOWDOWN]))
    for (const path of PAGES)
      rows[`${path}, CPU / ${slowdown}`] = figuresOf(await middleOf(() => report(path, cookie, slowdown)))
  console.log(
    `CPU power (Lighthouse's BenchmarkIndex) ${power}: a mid-tier phone is ${calibrated} times slower`,
  )
  console.table(rows)
} finally {
  await browser.close()
  await demo.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function report(path: string, cookie: string, cpuSlowdownMultiplier: number): Promise<Result> {
  const throttling = { rttMs: 150, throughputKbps: 1.6 * 1024, cpuSlowdownMultiplier }
  const result = await lighthouse(new URL(path, demo.url).href, {
    port: DEBUGGING_PORT,
    logLevel: 'error',
    output: 'json',
    locale: 'en',
    onlyCategories: ['performance', 'accessibility'],
    extraHeaders: { Cookie: cookie },
    throttling: { ...throttling, requestLatencyMs: 0, downloadThroughputKbps: 0, uploadThroughputKbps: 0 },
  })
  if (!result) throw new Error(`Lighthouse said nothing of ${path}`)
  const shown = new URL(result.lhr.finalDisplayedUrl).pathname
  if (shown !== path) throw new Error(`${path} led to ${shown}`)
  return result.lhr
}

/** The run with the median performance. */
async function middleOf(run: () => Promise<Result>): Promise<Result> {
  const results: Result[] = []
  while (results.length < RUNS) results.push(await run())
  const performance = ({ categories }: Result) => categories.performance?.score ?? 0
  const [middle] = results.sort((one, other) => performance(one) - performance(other)).slice((RUNS - 1) / 2)
  if (!middle) throw new Error('Nothing was run')
  return middle
}

function figuresOf({ categories, audits }: Result): Record<string, string> {
  const score = (name: string) => String(Math.round((categories[name]?.score ?? Number.NaN) * 100))
  const value = (name: string) => audits[name]?.displayValue ?? '–'
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    LCP: value('largest-contentful-paint'),
    CLS: value('cumulative-layout-shift'),
    TBT: value('total-blocking-time'),
  }
}

/**
 * How many times slower a mid-tier phone is than a machine of this BenchmarkIndex. Lighthouse's constant 4 is meant for
 * the fastest desktops; its document on throttling calibrates others by the points of its calculator.
 */
function slowdownFor(power: number): number {
  if (power < 800) return 1 + Math.max(0, power - 150) / 650
  if (power < 1300) return 2 + (power - 800) / 500
  return 3 + (power - 1300) / 233
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(new URL('/api/auth/sign-in', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'super@demo.example', password: DEMO_PASSWORD }),
  })
  if (!response.ok) throw new Error(`Signing in failed: ${response.status}`)
  const cookies = response.headers.getSetCookie()
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ')
}
