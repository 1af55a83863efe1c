import { AsyncLocalStorage } from 'node:async_hooks'
import type { Root } from 'react-dom/client'

/** What the page of a device finds: only what the board's own hook and React ask for, without a screen. */
export interface Tab {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  storage: Map<string, string>
  listeners: Map<string, Set<() => void>>
  /** Whether its timers run; else the page reads only when the test says so. */
  timed: boolean
}

const tabs = new AsyncLocalStorage<Tab>()
const NAMES = ['window', 'document', 'localStorage', 'fetch', 'setInterval'] as const

/**
 * Gives code that runs in a tab a browser's globals; all other code of this process keeps its own. Returns a function
 * that takes them away again.
 */
export function installBrowser(): () => void {
  const kept = NAMES.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const own = { fetch, setInterval }
  const values: Record<(typeof NAMES)[number], (tab: Tab | undefined) => unknown> = {
    window: (tab) => tab && windowOf(tab),
    document: (tab) => tab && page,
    localStorage: (tab) => tab && storageOf(tab),
    fetch: (tab) => tab?.fetch ?? own.fetch,
    setInterval: (tab) => (tab?.timed === false ? () => 0 : own.setInterval),
  }
  for (const name of NAMES)
    Object.defineProperty(globalThis, name, {
      ...{ configurable: true, get: () => values[name](tabs.getStore()) },
      // Others replace `fetch` or the timers meanwhile: that holds outside of tabs.
      set: (value) => Object.assign(own, { [name]: value }),
    })
  return () => {
    for (const [name, descriptor] of kept)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
  }
}

/** Runs code as the page of this tab, with all that it starts. */
export const inTab = <T>(tab: Tab, work: () => T): T => tabs.run(tab, work)
/** Runs code outside of tabs: what the network and the server do. */
export const outsideTabs = <T>(work: () => T): T => tabs.exit(work)

/** Fires an event of the window in a tab. */
export function tell(tab: Tab, event: 'focus' | 'online'): void {
  inTab(tab, () => {
    for (const listener of tab.listeners.get(event) ?? []) listener()
  })
}

class Frame {}
const listens = { addEventListener() {}, removeEventListener() {} }
const page = {
  ...{ nodeType: 9, visibilityState: 'visible', activeElement: null, ...listens },
  createElement: () => ({ style: {}, setAttribute() {} }),
}

const windowOf = (tab: Tab) => ({
  ...{ document: page, navigator: { onLine: true }, location: { pathname: '/service', search: '' } },
  HTMLIFrameElement: Frame,
  addEventListener: (event: string, listener: () => void) =>
    void tab.listeners.set(event, (tab.listeners.get(event) ?? new Set()).add(listener)),
  removeEventListener: (event: string, listener: () => void) => tab.listeners.get(event)?.delete(listener),
})

const storageOf = ({ storage }: Tab) => ({
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
  removeItem: (key: string) => void storage.delete(key),
})

function Page<T>({ hook, show }: { hook: () => T; show: (result: T) => void }) {
  show(hook())
  return null
}

/** Waits until React, which renders in tasks of its own, has rendered. */
export async function rendered(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Runs a hook in a tab, in React itself, and passes on each result. Returns a function that takes the page away; call it
 * before the browser is removed.
 */
export function mountHook<T>(
  tab: Tab,
  hook: () => T,
  show: (result: T) => void,
): Promise<() => Promise<void>> {
  return inTab(tab, async () => {
    const [{ createElement }, { flushSync }, { createRoot }] = await Promise.all([
      import('react'),
      import('react-dom'),
      import('react-dom/client'),
    ])
    const place = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument: page, ...listens }
    const root: Root = createRoot(place as unknown as Element)
    flushSync(() => root.render(createElement(Page<T>, { hook, show })))
    return () =>
      inTab(tab, () => {
        root.unmount()
        return rendered()
      })
  })
}
