import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { PAGES, pathOf, routesInCode } from './pages'

// Swagger's own viewer; what stands around it is ours.
const NOT_OURS = '.swagger-ui'

test('every page is in the list of pages, and the list has no other', () => {
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routesInCode().sort())
})

for (const entry of PAGES) {
  test(`${entry.route}: everybody can use it, by day, by night and on a phone`, async ({ page, signIn }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    if (entry.as) await signIn(entry.as)
    const path = await pathOf(entry, page.request)
    expect((await page.goto(path))?.status()).toBe(200)
    const heading = page.locator(`h1:not(${NOT_OURS} h1)`)
    await expect(heading).toHaveCount(1)
    await expect(heading).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await violations(page)).toEqual([])
    await changeScheme(page, 'dark')
    expect(await violations(page, ['color-contrast'])).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    expect(await violations(page)).toEqual([])
    await changeScheme(page, 'light')
    expect(await violations(page, ['color-contrast'])).toEqual([])
  })
}

/** Lets the system change its colours under the open page. */
async function changeScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
}

/** What axe finds wrong with the page, a line for each rule; by all rules unless some are named. */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).exclude(NOT_OURS)
  const found = await (rules ? axe.withRules(rules) : axe).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
