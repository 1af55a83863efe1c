import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { expect } from './fixtures'

// Swagger's own viewer; what stands around it is ours.
export const NOT_OURS = '.swagger-ui'

/** What is looked at, by selectors. */
type Scope = { include: string[] } | { exclude: string[] }

/** Lets the system change its colours under the open page. */
export async function changeScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

/** What axe finds wrong with the page, a line for each rule; by all rules unless some are named. */
export const violations = (page: Page, rules?: string[]): Promise<string[]> =>
  analyze(page, { exclude: [NOT_OURS] }, rules)

/** What axe finds wrong with the dialog that is open. */
export const violationsOfDialog = (page: Page): Promise<string[]> =>
  analyze(page, { include: ['dialog[open]'] })

/**
 * Runs axe in the page itself: loaded once a document, and only what is wrong comes back. That is what makes it quick
 * enough to run on every page. Frames are left out: ours hold e-mails, which run no scripts.
 */
async function analyze(page: Page, context: Scope, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: RunOptions = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules && { runOnly: rules }),
  }
  return page.evaluate(runAxe, { context, options })
}

/** In the browser. */
async function runAxe({ context, options }: { context: Scope; options: RunOptions }): Promise<string[]> {
  const loaded = (window as unknown as { axe: typeof axe }).axe
  const found = await loaded.run(context, options)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
