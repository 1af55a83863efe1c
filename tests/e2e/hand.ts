import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'

/** A person's hand: the only way in which a journey touches the page. */
export interface Hand {
  tap: (target: Locator) => Promise<void>
  /** Into the field that was tapped. A name is one more step, however long it is. */
  type: (text: string) => Promise<void>
  /** Walks a journey and fails when it takes more steps than it may. The report has the number. */
  within: (steps: number, journey: string, walk: () => Promise<void>) => Promise<void>
}

/**
 * A hand on this page. The browser counts what is really pressed, on every page that follows too; what is out of sight
 * cannot be pressed: a person would have to scroll first, and no journey may.
 */
export async function handOn(page: Page): Promise<Hand> {
  let steps = 0
  await page.exposeFunction('countTap', () => {
    steps += 1
  })
  await page.addInitScript(() => {
    const counted = window as unknown as { countTap: () => void }
    const count = (event: Event) => event.isTrusted && counted.countTap()
    addEventListener('pointerdown', count, { capture: true })
  })
  return {
    tap: async (target) => {
      await expect(target).toBeInViewport({ ratio: 1 })
      await target.click()
    },
    type: async (text) => {
      steps += 1
      await page.keyboard.type(text)
    },
    within: async (most, journey, walk) => {
      const before = steps
      await walk()
      const taken = steps - before
      test.info().annotations.push({ type: 'steps', description: `${journey}: ${taken} (at most ${most})` })
      expect(taken, journey).toBeLessThanOrEqual(most)
      expect(await page.evaluate(() => window.scrollY), `${journey}: scrolled`).toBe(0)
    },
  }
}
