import { defineConfig } from '@playwright/test'
import { CHROMIUM } from '../../scripts/browser'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  outputDir: '../../test-results',
  reporter: process.env.CI ? [['list'], ['json']] : [['list']],
  use: {
    baseURL: process.env.BASE_URL,
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    viewport: { width: 1280, height: 800 },
    trace: 'retain-on-failure',
    launchOptions: CHROMIUM,
  },
})
