import { defineConfig } from '@playwright/test'
import { CHROMIUM } from '../../scripts/browser'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1,
  timeout: 60_000,
  retries: 0,
  expect: { timeout: 10_000 },
  // Emptied at the start: a lane beside this one has its own.
  outputDir: `../../test-results/${process.env.E2E_LANE ?? 0}`,
  reporter: process.env.CI ? [['list'], ['json']] : [['list']],
  use: {
    baseURL: process.env.BASE_URL,
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    viewport: { width: 1280, height: 800 },
    // What moves in would be waited for.
    contextOptions: { reducedMotion: 'reduce' },
    // It would ask for the pages past page.route; pwa.spec.ts allows it.
    serviceWorkers: 'block',
    // Recording slows every step down, and recordings of CI cannot be opened.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    // Chromium hangs with libfaketime (at.ts): its pages get the other time from fixtures.ts.
    launchOptions: { ...CHROMIUM, env: { ...process.env, LD_PRELOAD: '' } },
  },
})
