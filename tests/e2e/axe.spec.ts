import { changeScheme, NOT_OURS, violations } from './axe'
import { clippedLabels, expect, expectNoSidewaysScroll, test } from './fixtures'
import { PAGES, pathOf, routesInCode } from './pages'

/** What is left of a laptop's screen at 200 %. */
const ZOOMED = { width: 640, height: 400 }

test('every page is in the list of pages, and the list has no other', () => {
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routesInCode().sort())
})

for (const entry of PAGES) {
  test(`${entry.route}: everybody can use it, by day, by night, enlarged and on a phone`, async ({
    page,
    signIn,
  }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    if (entry.as) await signIn(entry.as)
    const path = await pathOf(entry, page.request)
    expect((await page.goto(path))?.status()).toBe(200)
    const heading = page.locator(`h1:not(${NOT_OURS} h1)`)
    await expect(heading).toHaveCount(1)
    await expect(heading).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await page.waitForLoadState('networkidle')
    expect(await violations(page)).toEqual([])
    expect(await clippedLabels(page)).toEqual([])
    await changeScheme(page, 'dark')
    expect(await violations(page, ['color-contrast'])).toEqual([])
    await page.setViewportSize(ZOOMED)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    expect(await clippedLabels(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    await changeScheme(page, 'light')
    expect(await violations(page, ['color-contrast'])).toEqual([])
  })
}
