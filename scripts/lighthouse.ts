// `npm run lighthouse`: what Lighthouse says of the main pages as a phone sees them (mobile throttling), signed in, on a
// running demo (BASE_URL, or one it starts itself). For looking, not for CI: the figures follow the machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { CHROMIUM } from './browser'
import { startDemo } from './demo/demo-process'
import { DEMO_PASSWORD } from './demo/staff'

const PAGES = ['/', '/reservations', '/customers']
const DEBUGGING_PORT = 9333

const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-lighthouse-'))
const demo = process.env.BASE_URL
  ? { url: process.env.BASE_URL, stop: async () => {} }
  : await startDemo({ PORT: '3230', SUPABASE_PORT: '54830', PMS_PORT: '4830', DATA_DIR: dataDir })
const browser = await chromium.launch({
  ...CHROMIUM,
  args: [...CHROMIUM.args, `--remote-debugging-port=${DEBUGGING_PORT}`],
})
try {
  const Cookie = await signIn(demo.url)
  const rows: Record<string, Record<string, string>> = {}
  for (const path of PAGES) {
    const result = await lighthouse(new URL(path, demo.url).href, {
      port: DEBUGGING_PORT,
      logLevel: 'error',
      output: 'json',
      locale: 'en',
      onlyCategories: ['performance', 'accessibility'],
      extraHeaders: { Cookie },
    })
    if (!result) throw new Error(`Lighthouse said nothing of ${path}`)
    const { categories, audits, finalDisplayedUrl } = result.lhr
    if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${finalDisplayedUrl}`)
    const score = (name: string) => String(Math.round((categories[name]?.score ?? Number.NaN) * 100))
    const value = (name: string) => audits[name]?.displayValue ?? '–'
    rows[path] = {
      performance: score('performance'),
      accessibility: score('accessibility'),
      LCP: value('largest-contentful-paint'),
      CLS: value('cumulative-layout-shift'),
      TBT: value('total-blocking-time'),
    }
  }
  console.table(rows)
} finally {
  await browser.close()
  await demo.stop()
  rmSync(dataDir, { recursive: true, force: true })
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
