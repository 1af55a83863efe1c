import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { enter } from './sessions'
import { listening, watchRequests } from './settled'
import { isSpanishText } from './spanish-texts'

export { expect }

interface Fixtures {
  /** Signs the page's browser in as one of the demo's people. */
  signIn: (email: string) => Promise<void>
  /** What the console may say in these tests besides what is usual. */
  expectedNoise: RegExp
  /** Runs with every test: a console error, a hydration warning or an uncaught error fails it. */
  quietConsole: undefined
}

interface WorkerFixtures {
  /** Its pages' `goto` and `reload` wait until React listens: before that a browser test is quicker than any person. */
  browser: Browser
}

/** How far the clocks are from the real time (at.ts), in milliseconds. */
const CLOCK_OFFSET = Number(process.env.CLOCK_OFFSET_SECONDS ?? 0) * 1000

export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        if (CLOCK_OFFSET !== 0) await context.addInitScript(shiftDate, CLOCK_OFFSET)
        context.on('page', (page) => {
          watchRequests(page)
          if (options?.javaScriptEnabled !== false) waitForReact(page)
        })
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  signIn: async ({ context }, use) => {
    await use((email) => enter(context, email))
  },
  expectedNoise: [/(?!)/, { option: true }],
  quietConsole: [
    async ({ page, expectedNoise }, use) => {
      const noise: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || /hydrat/i.test(message.text())) noise.push(message.text())
      })
      page.on('pageerror', (error) => noise.push(error.message))
      await use(undefined)
      // The browser has a line of its own about every refusal that the API documents.
      // And one about every request of a test that takes the connection away.
      // Playwright and axe try to run scripts in the sandboxed preview of an e-mail, which refuses all.
      const usual =
        /status of (40[01349]|429)|ERR_INTERNET_DISCONNECTED|Blocked script execution in 'about:srcdoc'/
      expect(noise.filter((line) => !usual.test(line) && !expectedNoise.test(line))).toEqual([])
    },
    { auto: true },
  ],
})

/** Lets `goto` and `reload` of a page wait until React listens; `commit` waits for the answer's beginning only. */
function waitForReact(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await listening(page)
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    await listening(page)
    return response
  }
}

/** In the browser: lets it be another time, by some milliseconds. */
function shiftDate(offset: number): void {
  const Real = Date
  window.Date = class extends Real {
    constructor(...given: [number]) {
      super(...(given.length > 0 ? given : ([Real.now() + offset] as [number])))
    }
    static override now = () => Real.now() + offset
  } as DateConstructor
}

/** Fails when the page scrolls sideways, once it has taken the size of its screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflow, { message: `${page.url()} is wider than the screen` }).toBe(0)
}

/** The texts of buttons and badges that are cut off. A text that ends in an ellipsis is cut on purpose. */
export function clippedLabels(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, button *, a *')]
      .filter((element) => {
        const { overflowX, textOverflow } = getComputedStyle(element)
        const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1
        return isCut && (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis'
      })
      .map((element) => element.textContent?.trim() ?? ''),
  )
}

/** Opens the filters of the page's list. */
export async function openFilters(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Filtros/ }).click()
}

/** Switches to English: in the header, or on a phone in the person's menu. */
export async function speakEnglish(page: Page): Promise<void> {
  const menu = page.locator('[popovertarget="user-menu"]')
  const isPhone = (page.viewportSize()?.width ?? 0) < 768
  if (isPhone) await menu.click()
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  if (isPhone) await page.keyboard.press('Escape')
}

/** Fails when the page shows or names anything with one of the app's Spanish texts; what people wrote may be Spanish. */
export async function expectNoSpanish(page: Page): Promise<void> {
  const spanish = async () => (await page.evaluate(textsOfPage)).filter(isSpanishText)
  await expect.poll(spanish, { message: `${page.url()} speaks Spanish` }).toEqual([])
}

/** In the browser: the texts and names of a page, without those in a language of their own. */
function textsOfPage(): string[] {
  const found: string[] = [document.title]
  for (const element of document.querySelectorAll('body *:not(script, style, textarea)')) {
    if (element.closest('[lang]')?.getAttribute('lang') !== document.documentElement.lang) continue
    for (const name of ['aria-label', 'aria-description', 'alt', 'placeholder', 'title'])
      found.push(element.getAttribute(name) ?? '')
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '')
  }
  return found.map((text) => text.trim()).filter(Boolean)
}
