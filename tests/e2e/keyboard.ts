import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'

const MOST_TABS = 120

/** Goes on with the tabulator until it is there; with `Shift+Tab` from the end of the page. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}
