import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

/**
 * Opens the page of possible duplicates on which so many of something are. Guests are compared after the answer that
 * made them: the list may come before they are in it.
 */
export async function findDuplicates(page: Page, wanted: Locator, count: number): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: 'Posibles duplicados' })
  const next = page.getByRole('link', { name: 'Página siguiente' })
  await expect(async () => {
    await page.goto('/customers/duplicates')
    await expect(title).toBeVisible()
    while ((await wanted.count()) === 0 && (await next.count()) > 0) {
      const before = page.url()
      await next.click()
      await expect(page).not.toHaveURL(before)
      await expect(title).toBeVisible()
    }
    expect(await wanted.count()).toBe(count)
  }).toPass()
}
