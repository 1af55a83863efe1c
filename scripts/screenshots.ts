// `npm run screenshots`: every page in Spanish, light and dark, on a laptop and a phone, into .screenshots, and the
// pictures of README, docs/features.md and links (public/social.png) among them; from a running demo (BASE_URL,
// DATA_DIR), or one it starts itself. With arguments only the pages whose route has one of them:
// `npm run screenshots -- service customers`.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium } from '@playwright/test'
import { type AppPage, PAGES, pathOf } from '../tests/e2e/pages'
import { CHROMIUM } from './browser'
import { startDemo } from './demo/demo-process'
import { DEMO_PASSWORD } from './demo/staff'
import { socialPicture } from './social-picture'

const FOLDER = '.screenshots'
const DEVICES: Record<string, BrowserContextOptions> = {
  laptop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 },
}
/** The screenshots that README and docs/features.md show, with their file names. */
const SHOWN: Record<string, string> = {
  'home-laptop-light': 'home',
  'home-laptop-dark': 'home-dark',
  'reservations-laptop-light': 'reservations',
  'customers-id-laptop-light': 'customer',
  'automations-laptop-light': 'automations',
  'loyalty-laptop-light': 'loyalty',
  'service-phone-light': 'service',
}

const wanted = process.argv.slice(2)
const pages = PAGES.filter(({ route }) => wanted.length === 0 || wanted.some((part) => route.includes(part)))

const dataDir = mkdtempSync(join(tmpdir(), 'sobremesa-shots-'))
const demo = process.env.BASE_URL ? null : await startOwnDemo()
const baseURL = process.env.BASE_URL ?? demo?.url
const browser = await chromium.launch(CHROMIUM)
mkdirSync(FOLDER, { recursive: true })
try {
  for (const [device, options] of Object.entries(DEVICES))
    for (const colorScheme of ['light', 'dark'] as const)
      await shoot(`${device}-${colorScheme}`, { ...options, colorScheme })
  writeFileSync('public/social.png', await socialPicture(browser))
} finally {
  await browser.close()
  await demo?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Takes every page in one theme and size; each person signs in once. */
async function shoot(look: string, options: BrowserContextOptions): Promise<void> {
  for (const [as, theirs] of Map.groupBy(pages, (page) => page.as)) {
    const context = await browser.newContext({
      baseURL,
      locale: 'es-ES',
      timezoneId: 'Europe/Madrid',
      ...options,
    })
    if (as) await context.request.post('/api/auth/sign-in', { data: { email: as, password: DEMO_PASSWORD } })
    const tab = await context.newPage()
    for (const page of theirs) {
      const name = `${slug(page)}-${look}`
      const path = join(FOLDER, `${name}.png`)
      await tab.goto(await pathOf(page, context.request), { waitUntil: 'networkidle' })
      await tab.locator('.loading-container, .mantine-Loader-root').first().waitFor({ state: 'detached' })
      await tab.screenshot({ path, animations: 'disabled' })
      const shown = SHOWN[name]
      if (shown) copyFileSync(path, `public/screenshots/${shown}.png`)
      console.log(shown ? `${path} → public/screenshots/${shown}.png` : path)
    }
    await context.close()
  }
}

function slug({ route }: AppPage): string {
  return route.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '') || 'home'
}

function startOwnDemo() {
  const environment = { PORT: '3220', SUPABASE_PORT: '24820', PMS_PORT: '4820', DATA_DIR: dataDir }
  Object.assign(process.env, environment)
  return startDemo(environment)
}
