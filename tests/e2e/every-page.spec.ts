import type { Page } from '@playwright/test'
import { LOCALE_COOKIE } from '../../lib/i18n/locales'
import { changeScheme, NOT_OURS, violations } from './axe'
import { brokenWords, cutCells } from './broken-words'
import { clippedLabels, expect, expectNoSidewaysScroll, expectNoSpanish, test } from './fixtures'
import { PAGES, pathOf, routesInCode } from './pages'
import { expectOwnPolicy, watchPolicy } from './policy'
import { settled } from './settled'

/** What is left of a laptop's screen at 200 %. */
const ZOOMED = { width: 640, height: 400 }
const PHONE = { width: 390, height: 844 }

test('every page is in the list of pages, and the list has no other', () => {
  expect(PAGES.map(({ route }) => route).sort()).toEqual(routesInCode().sort())
})

// Each page is visited once. All that it must be for everybody is checked in that visit: a visit is what costs.
for (const entry of PAGES) {
  test(`${entry.route}: everybody can use it, by its own policy, in both languages`, async ({
    page,
    baseURL,
    signIn,
  }) => {
    const refused = await watchPolicy(page)
    if (entry.as) await signIn(entry.as)
    const path = await pathOf(entry, page.request)
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(200)
    await expectOwnPolicy(answer)
    expect(await page.evaluate(() => document.cookie)).not.toContain('auth-token')
    const heading = page.locator(`h1:not(${NOT_OURS} h1)`)
    await expect(heading).toHaveCount(1)
    await expect(heading).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await settled(page)

    await test.step('by keyboard, by day and by night', async () => {
      if (entry.as && entry.route !== '/print/reservations') await expectSkipLink(page)
      expect(await violations(page)).toEqual([])
      expect(await clippedLabels(page)).toEqual([])
      await changeScheme(page, 'dark')
      expect(await violations(page, ['color-contrast'])).toEqual([])
    })
    await test.step('enlarged and on a phone', async () => {
      await page.setViewportSize(ZOOMED)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(PHONE)
      await expectNoSidewaysScroll(page)
      expect(await clippedLabels(page)).toEqual([])
      // All rules again: what only a phone shows (its menu, lists in place of tables) has names and roles of its own.
      expect(await violations(page)).toEqual([])
      await changeScheme(page, 'light')
      expect(await violations(page, ['color-contrast'])).toEqual([])
    })
    await test.step('on the smallest phone', async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      await expectNoSidewaysScroll(page)
      expect(await brokenWords(page)).toEqual([])
      expect(await cutCells(page)).toEqual([])
    })
    await test.step('unfolded, then in English', async () => {
      await page.setViewportSize({ width: 1280, height: 800 })
      await openEverything(page, entry.route === '/')
      await page.context().addCookies([{ name: LOCALE_COOKIE, value: 'en', url: baseURL }])
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await settled(page)
      await expectNoSpanish(page)
    })
    expect(refused).toEqual([])
  })
}

/** Fails unless the keyboard's first stop is the link that skips the navigation. */
async function expectSkipLink(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await expect(page.locator('#content')).toHaveCount(1)
}

/**
 * Opens, one after the other, whatever the page has folded away: disclosures, menus, drawers, dialogs. The header's own
 * are the same on every page: one page opens them.
 */
async function openEverything(page: Page, withHeader: boolean): Promise<void> {
  const scope = withHeader ? page.locator('body') : page.getByRole('main')
  const openers = scope.locator(
    'summary, [popovertarget], [aria-haspopup]:not([disabled]), [aria-expanded="false"]',
  )
  for (const opener of (await openers.all()).slice(0, 12)) {
    // Not by the mouse: what was opened before may lie over it.
    await opener.evaluate((element: HTMLElement) => element.checkVisibility() && element.click())
    await settled(page)
    await page.keyboard.press('Escape')
  }
}

test('whom a page is not for gets a message in its place', async ({ context, page, signIn }) => {
  const pages = PAGES.filter(({ notFor }) => notFor)
  await signIn('super@demo.example')
  const paths = await Promise.all(pages.map((entry) => pathOf(entry, page.request)))
  for (const person of new Set(pages.map(({ notFor = '' }) => notFor))) {
    await context.clearCookies()
    await signIn(person)
    for (const [index, { notFor }] of pages.entries()) {
      if (notFor !== person) continue
      const answer = await page.request.get(paths[index] ?? '')
      expect(await answer.text(), paths[index]).toMatch(/<h1[^>]*>No tienes acceso a esta página</)
    }
  }
})
