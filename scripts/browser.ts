import { existsSync } from 'node:fs'

// Without a browser's own windows, tabs and menus it needs a quarter less of a core for the same tests.
const HEADLESS = '/usr/bin/chromium-headless-shell'

/** How Chromium is started for screenshots and browser tests: Debian's binary, no calls of its own to the network. */
export const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? (existsSync(HEADLESS) ? HEADLESS : '/usr/bin/chromium'),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
