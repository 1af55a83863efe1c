// `npm run screenshots`: takes the README's pictures from a running demo (BASE_URL, or one it starts itself).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { CHROMIUM } from './browser'
import { startDemo } from './demo/demo-process'
import { DEMO_PASSWORD } from './demo/staff'

const LAPTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

interface Shot {
  name: string
  path: string
  options?: BrowserContextOptions
  open?: (page: Page) => Promise<void>
}

async function openFirstCustomer(page: Page): Promise<void> {
  await page.locator('a[href^="/customers/"]').first().click()
  await page.getByRole('heading', { name: 'Historial de reservas' }).waitFor()
}

const SHOTS: Shot[] = [
  { name: 'home', path: '/' },
  { name: 'reservations', path: '/reservations' },
  { name: 'customers', path: '/customers?sort=spend' },
  { name: 'customer', path: '/customers?sort=spend', open: openFirstCustomer },
  { name: 'home-dark', path: '/', options: { colorScheme: 'dark' } },
  { name: 'home-phone', path: '/', options: { viewport: PHONE, deviceScaleFactor: 2 } },
]

const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-shots-'))
const demo = process.env.BASE_URL
  ? { url: process.env.BASE_URL, stop: async () => {} }
  : await startDemo({ PORT: '3220', SUPABASE_PORT: '54820', PMS_PORT: '4820', DATA_DIR: dataDir })
const browser = await chromium.launch(CHROMIUM)
try {
  for (const { name, path, options, open } of SHOTS) {
    const context = await browser.newContext({
      baseURL: demo.url,
      locale: 'es-ES',
      timezoneId: 'Europe/Madrid',
      viewport: LAPTOP,
      ...options,
    })
    await context.request.post('/api/auth/sign-in', {
      data: { email: 'operaciones@demo.example', password: DEMO_PASSWORD },
    })
    const page = await context.newPage()
    await page.goto(path, { waitUntil: 'networkidle' })
    await open?.(page)
    await page.screenshot({ path: `public/screenshots/${name}.png`, animations: 'disabled' })
    console.log(`public/screenshots/${name}.png`)
    await context.close()
  }
} finally {
  await browser.close()
  await demo.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
