import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

const MOST_TABS = 100

/** Goes on with the tabulator until it is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
