import { expect, type Page, type Request } from '@playwright/test'

const unanswered = new WeakMap<Page, Set<Request>>()

/** Counts the page's requests from now on, for `settled`. */
export function watchRequests(page: Page): void {
  const open = new Set<Request>()
  unanswered.set(page, open)
  page.on('request', (request) => {
    // With its document a page gives up what it asked for.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear()
    open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Waits until React has taken over every control that is shown, and its effects, such as listeners for keys, have run. */
export async function listening(page: Page): Promise<void> {
  await page.waitForFunction(listens, undefined, { timeout: 10_000 })
  await page.evaluate(idle)
}

/**
 * Waits until the page has no request under way, shows no placeholder and, drawn and idle, starts no other request.
 * @throws when its requests are not watched
 */
export async function settled(page: Page): Promise<void> {
  const open = unanswered.get(page)
  if (!open) throw new Error('watchRequests was not called for this page')
  const urls = () => [...open].map((request) => request.url())
  do {
    await expect.poll(urls, { message: 'requests under way', intervals: [10, 20, 50] }).toEqual([])
    await page.waitForFunction(complete)
    await page.evaluate(drawnAndIdle)
  } while (open.size > 0)
}

/** In the browser: whether React has taken over every control that is shown. */
function listens(): boolean {
  const controls = [...document.querySelectorAll('button, select, input, textarea')]
  return controls.every((control) => Object.keys(control).some((key) => key.startsWith('__react')))
}

/** In the browser: whether all that was sent is shown. React waits a little before it reveals one part after another. */
function complete(): boolean {
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT)
  // React's marks of a part that has not come, and of one that is not revealed yet.
  while (comments.nextNode()) if (['$?', '$~'].includes(comments.currentNode.nodeValue ?? '')) return false
  return document.querySelector('[class*="_skeleton"]') === null
}

/**
 * In the browser: the next picture is drawn, and the work it left is done. A task of the lowest priority comes after all
 * other work. `requestIdleCallback` will not do: once in a hundred times Chromium does not call it until the page is woken.
 */
function drawnAndIdle(): Promise<void> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => scheduler.postTask(() => resolve(), { priority: 'background' })),
  )
}

/** In the browser: React has done what it had begun. It marks controls as its own before their effects run. */
function idle(): Promise<void> {
  return scheduler.postTask(() => undefined, { priority: 'background' })
}
