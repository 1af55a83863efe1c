import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { PAGES, pathOf, routesInCode } from './pages'

// Swagger's own viewer; what stands around it is ours.
const NOT_OURS = '.swagger-ui'

test('every page is in the list of pages, and the list has no other', () => {
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routesInCode().sort())
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const entry of PAGES) {
    test(`${entry.route}, ${colorScheme}: everybody can use it, on a phone too`, async ({ page, signIn }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (entry.as) await signIn(entry.as)
      const path = await pathOf(entry, page.request)
      expect((await page.goto(path))?.status()).toBe(200)
      const heading = page.locator(`h1:not(${NOT_OURS} h1)`)
      await expect(heading).toHaveCount(1)
      await expect(heading).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect(await violations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      // What a phone shows otherwise is the same in both themes.
      if (colorScheme === 'light') expect(await violations(page)).toEqual([])
    })
  }
}

/** What axe finds wrong with the page, a line for each rule. */
async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).exclude(NOT_OURS).analyze()
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
