import type { Page } from '@playwright/test'

/** Words of up to so many letters fit in any column of a phone; a longer one may have to break. */
const LETTERS = 16

/** The cells of the page's tables that end outside a box which hides them. */
export function cutCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(td, th)')]
      .filter((cell) => {
        if (!cell.checkVisibility()) return false
        let box = cell.parentElement
        while (box && getComputedStyle(box).overflowX === 'visible') box = box.parentElement
        // A table for screen readers alone lies in a box of one pixel.
        if (!box || box.clientWidth <= 1 || !['clip', 'hidden'].includes(getComputedStyle(box).overflowX))
          return false
        return cell.getBoundingClientRect().right > box.getBoundingClientRect().right + 1
      })
      .map((cell) => cell.textContent.trim().slice(0, 60)),
  )
}

/** The words of the page's content that are broken over two lines, each with the text that it stands in. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate((most) => {
    const found = new Set<string>()
    const range = document.createRange()
    const content = document.querySelector('main')
    const walker = content && document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
    while (walker?.nextNode()) {
      const node = walker.currentNode as Text
      if (!node.parentElement?.checkVisibility({ visibilityProperty: true })) continue
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        // A path of the API may break anywhere.
        if (word.length > most || word.includes('/')) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top)
        if (Math.max(...lines) - Math.min(...lines) > 4)
          found.add(`${word} · ${node.data.trim().slice(0, 60)}`)
      }
    }
    return [...found]
  }, LETTERS)
}
