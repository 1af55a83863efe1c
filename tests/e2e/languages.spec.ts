import { LOCALE_COOKIE } from '../../lib/i18n/locales'
import { expect, expectNoSpanish, test } from './fixtures'
import { PAGES, pathOf } from './pages'

for (const entry of PAGES) {
  test(`${entry.route}: no Spanish for a person who reads English`, async ({ page, baseURL, signIn }) => {
    await page.context().addCookies([{ name: LOCALE_COOKIE, value: 'en', url: baseURL }])
    if (entry.as) await signIn(entry.as)
    await page.goto(await pathOf(entry, page.request))
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expectNoSpanish(page)
  })
}
