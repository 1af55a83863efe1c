import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures'

// Swagger's own viewer; what stands around it is ours.
export const NOT_OURS = '.swagger-ui'

/** Lets the system change its colours under the open page. */
export async function changeScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

/** What axe finds wrong with the page, a line for each rule; by all rules unless some are named. */
export function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).exclude(NOT_OURS)
  return told(rules ? axe.withRules(rules) : axe)
}

/** What axe finds wrong with the dialog that is open. */
export const violationsOfDialog = (page: Page): Promise<string[]> =>
  told(new AxeBuilder({ page }).include('dialog[open]'))

async function told(axe: AxeBuilder): Promise<string[]> {
  const found = await axe.analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
