import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

// The settings of a location have two fields for each shift of each day.
const MOST_TABS = 300

/** Goes on with the tabulator until it is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}
