import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { beforeEach, describe, expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../../public/${path}`, import.meta.url))
const WORKER = read('sw.js').toString()
const FILES = ['/offline.html', '/offline.css', '/offline.js', '/icons/icon-192.png']
const ORIGIN = 'https://crm.example'

describe('the icons', () => {
  it.each([
    ['icons/icon-192.png', 192],
    ['icons/icon-512.png', 512],
    ['icons/maskable-192.png', 192],
    ['icons/maskable-512.png', 512],
    ['icons/badge-96.png', 96],
    ['../app/apple-icon.png', 180],
  ])('%s is a square of %i', (path, size) => {
    const image = read(path)
    expect(image.subarray(1, 4).toString()).toBe('PNG')
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([size, size])
  })

  it('favicon.ico has the mark at 32 × 32', () => {
    const icon = read('../app/favicon.ico')
    expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon[6], icon[7]]).toEqual([1, 1, 32, 32])
    const picture = icon.subarray(icon.readUInt32LE(18))
    expect(picture.length).toBe(icon.readUInt32LE(14))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
  })

  it('the picture of a link is as large as chats want it, and loads quickly', () => {
    const image = read('social.png')
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([1200, 630])
    expect(image.length).toBeLessThan(300_000)
  })
})

describe('the offline page', () => {
  it('says the same in both languages, and loads what is kept with it and nothing else', () => {
    const page = read('offline.html').toString()
    const sections = [...page.matchAll(/<section lang="(es|en)"[^>]*>([\s\S]*?)<\/section>/g)]
    expect(sections.map(([, language]) => language)).toEqual(['es', 'en'])
    for (const [, , content] of sections) expect(content).toMatch(/<h1>[\s\S]*<p>[\s\S]*<a href="">/)
    const loaded = [...page.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="(\/[^"]*)"/g)].map(
      ([, path]) => path,
    )
    expect(['/offline.html', ...loaded].sort()).toEqual([...FILES].sort())
    expect(page).not.toMatch(/<style|style=|<script>| on\w+=/)
  })
})

type Handler = (event: object) => void
interface Kept {
  name: string
  files: Map<string, unknown>
}

/** The worker in a browser of which a test decides what the network does. */
function startWorker(network: (url: string) => Promise<unknown>) {
  const handlers = new Map<string, Handler>()
  const stores: Kept[] = [
    { name: 'offline-before', files: new Map() },
    { name: 'others', files: new Map() },
  ]
  const did: unknown[] = []
  const late: (() => void)[] = []
  const open = async (name: string) => {
    const { files } = stores.find((each) => each.name === name) ?? { files: new Map<string, unknown>() }
    if (!stores.some((each) => each.name === name)) stores.push({ name, files })
    return {
      addAll: async (requests: { url: string }[]) => {
        for (const { url } of requests) files.set(url, `kept ${url}`)
      },
      match: async (path: string) => files.get(path),
      put: async (path: string, answer: unknown) => void files.set(path, answer),
      keys: async () => [...files.keys()].map((path) => ({ url: ORIGIN + path })),
      delete: async (url: string) => files.delete(new URL(url).pathname),
    }
  }
  const windows: { url: string; focus: () => void; navigate: (url: URL) => void }[] = []
  const self = {
    location: new URL(`${ORIGIN}/sw.js`),
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    skipWaiting: async () => did.push('skipped waiting'),
    clients: {
      claim: async () => did.push('claimed'),
      matchAll: async () => windows,
      openWindow: async (url: URL) => did.push(`opened ${url}`),
    },
    registration: {
      navigationPreload: { enable: async () => did.push('preloads') },
      showNotification: async (title: string, options: object) => did.push({ title, ...options }),
    },
  }
  class FakeRequest {
    constructor(readonly url: string) {}
  }
  runInContext(
    WORKER,
    createContext({
      self,
      URL,
      Request: FakeRequest,
      Response: { error: () => 'an error' },
      setTimeout: (work: (answer: null) => void, _: number, answer: null) => late.push(() => work(answer)),
      fetch: (request: string | { url: string }) =>
        network(typeof request === 'string' ? request : request.url),
      caches: {
        open,
        match: async (path: string, { cacheName }: { cacheName: string }) =>
          stores.find(({ name }) => name === cacheName)?.files.get(path),
        keys: async () => stores.map(({ name }) => name),
        delete: async (name: string) =>
          stores.splice(
            stores.findIndex((each) => each.name === name),
            1,
          ),
      },
    }),
  )
  /** Sends an event, and waits for what the worker makes of it; undefined when it leaves it alone. */
  async function send(type: string, event: object = {}): Promise<unknown> {
    let answer: Promise<unknown> | undefined
    const take = (work: Promise<unknown>) => {
      answer = work
    }
    handlers.get(type)?.({ ...event, respondWith: take, waitUntil: take })
    return answer
  }
  /** Lets the time pass that the worker waits for the network. */
  const wait = () => {
    for (const each of late.splice(0)) each()
  }
  return { send, wait, stores, did, windows }
}

const visit = (path: string, changes: object = {}) => ({
  request: { url: ORIGIN + path, method: 'GET', mode: 'navigate', ...changes },
})

describe('the service worker', () => {
  let isOnline = true
  let worker: ReturnType<typeof startWorker>
  beforeEach(async () => {
    isOnline = true
    worker = startWorker(async (url) => {
      if (!isOnline) throw new TypeError('Failed to fetch')
      return `from the network: ${url}`
    })
    await worker.send('install')
    await worker.send('activate')
  })

  it('is another version whenever what it keeps changes', () => {
    const hash = createHash('sha256')
    for (const file of FILES) hash.update(read(file.slice(1)))
    expect(WORKER).toContain(`const VERSION = '${hash.digest('hex').slice(0, 8)}'`)
  })

  it('keeps the offline page and nothing else, and takes over at once from the one before', () => {
    expect(worker.did).toEqual(['skipped waiting', 'preloads', 'claimed'])
    expect(worker.stores.map(({ name }) => name)).toEqual([
      'others',
      expect.stringMatching(/^offline-[0-9a-f]{8}$/),
    ])
    expect([...(worker.stores[1]?.files.keys() ?? [])]).toEqual(FILES)
  })

  it('shows the offline page for a page that the network does not give', async () => {
    expect(await worker.send('fetch', visit('/customers'))).toBe(`from the network: ${ORIGIN}/customers`)
    const preloadResponse = Promise.resolve('preloaded')
    expect(await worker.send('fetch', { ...visit('/'), preloadResponse })).toBe('preloaded')
    isOnline = false
    expect(await worker.send('fetch', visit('/customers'))).toBe('kept /offline.html')
    expect(await worker.send('fetch', { ...visit('/'), preloadResponse: Promise.reject(new Error()) })).toBe(
      'kept /offline.html',
    )
    expect(await worker.send('fetch', visit('/offline.css', { mode: 'no-cors' }))).toBe('kept /offline.css')
    // Every other file was answered by the network, and nothing of it was kept.
    expect([...(worker.stores[1]?.files.keys() ?? [])]).toEqual(FILES)
  })

  it.each([
    ['a form of a page', visit('/u/token', { method: 'POST' })],
    ['the API', visit('/api/auth/sign-out', { method: 'POST', mode: 'cors' })],
    ['guest data', visit('/api/customers', { mode: 'cors' })],
    ['a page that a link loads', visit('/service?_rsc=1', { mode: 'cors' })],
  ])('leaves %s alone', async (_, event) => {
    expect(await worker.send('fetch', event)).toBeUndefined()
  })

  describe('with the page of the service', () => {
    const SERVICE = '/offline/service'
    /** What each built file names, as a build writes it. */
    const BUILD: Record<string, string> = {
      [`${SERVICE}?lang=en`]:
        '<main data-service-page><link href="/_next/static/chunks/a.css"><script src="/_next/static/chunks/board.js"></script>',
      '/_next/static/chunks/a.css': 'src:url(../media/geist.p.1-x.woff2)',
      '/_next/static/chunks/board.js': 'Promise.all(["static/chunks/sheet.js"].map(t=>e.l(t)))',
      '/_next/static/chunks/sheet.js': '"static/chunks/board.js"',
      '/_next/static/media/geist.p.1-x.woff2': 'a font',
    }
    let build = BUILD
    const answer = (url: string, ok = true) => ({
      ...{ ok, redirected: false, kept: url, text: async () => build[url] ?? '', headers: new Headers() },
      clone: () => answer(url, ok),
    })
    const keep = (language: unknown) => worker.send('message', { data: { keepServicePage: language } })
    const names = () => [...(worker.stores.find(({ name }) => name === 'service-page')?.files.keys() ?? [])]
    const files = [SERVICE, ...Object.keys(BUILD).filter((path) => path.startsWith('/_next/'))].sort()

    beforeEach(async () => {
      build = { ...BUILD }
      worker = startWorker(async (url) => {
        if (!isOnline) throw new TypeError('Failed to fetch')
        return answer(url, url in build)
      })
      await worker.send('install')
      await worker.send('activate')
    })

    it('keeps it with every file it may load, also later, and no file of a former build', async () => {
      await keep('en')
      expect(names().sort()).toEqual(files)
      worker.stores.find(({ name }) => name === 'service-page')?.files.set('/_next/static/chunks/old.js', '')
      await keep('en')
      expect(names().sort()).toEqual(files)
    })

    it('shows it for /service only, and its files', async () => {
      await keep('en')
      isOnline = false
      expect(await worker.send('fetch', visit('/service?location=1'))).toMatchObject({
        kept: `${SERVICE}?lang=en`,
      })
      expect(await worker.send('fetch', visit('/service/tables'))).toBe('kept /offline.html')
      expect(
        await worker.send('fetch', visit('/_next/static/chunks/sheet.js', { mode: 'no-cors' })),
      ).toMatchObject({ kept: '/_next/static/chunks/sheet.js' })
      const other = worker.send('fetch', visit('/_next/static/chunks/other.js', { mode: 'no-cors' }))
      await expect(other).rejects.toThrow('Failed to fetch')
    })

    it('shows it while the network says nothing, or a proxy that the app does not answer', async () => {
      await keep('en')
      const shownFor = (status: number) =>
        worker.send('fetch', { ...visit('/service'), preloadResponse: Promise.resolve({ status }) })
      expect(await shownFor(503)).toMatchObject({ kept: `${SERVICE}?lang=en` })
      expect(await shownFor(500)).toEqual({ status: 500 })
      const hanging = worker.send('fetch', { ...visit('/service'), preloadResponse: new Promise(() => {}) })
      let shown: unknown
      void hanging.then((page) => {
        shown = page
      })
      while (!shown) {
        worker.wait()
        await new Promise(setImmediate)
      }
      expect(shown).toMatchObject({ kept: `${SERVICE}?lang=en` })
    })

    it('waits for the network as long as it takes when it keeps none', async () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const late = worker.send('fetch', { ...visit('/service'), preloadResponse: promise })
      worker.wait()
      resolve('the page')
      expect(await late).toBe('the page')
      expect(names()).toEqual([])
      expect(worker.stores.map(({ name }) => name)).not.toContain('service-page')
    })

    it('asks for a built file that it keeps no second time', async () => {
      await keep('en')
      worker.stores
        .find(({ name }) => name === 'service-page')
        ?.files.set('/_next/static/chunks/board.js', 'kept')
      const event = visit('/_next/static/chunks/board.js', { mode: 'no-cors' })
      expect(await worker.send('fetch', event)).toBe('kept')
    })

    it('keeps no page of a network that wants people to sign in to it', async () => {
      build[`${SERVICE}?lang=en`] = '<main>Welcome to the café</main>'
      await keep('en')
      expect(names()).toEqual([])
    })

    // The server has none in the first one.
    it.each([['es'], ['EN'], ['../u'], [1], [undefined]])(
      'keeps none in the language %s',
      async (language) => {
        await keep(language)
        expect(names()).not.toContain(SERVICE)
        isOnline = false
        expect(await worker.send('fetch', visit('/service'))).toBe('kept /offline.html')
      },
    )
  })

  it('shows a notice, and none for what is not one', async () => {
    const notice = { title: 'Ha llegado Ana R.', body: 'Norte', tag: 'vip:1', lang: 'es', path: '/service' }
    worker.did.length = 0
    await worker.send('push', { data: { json: () => notice } })
    expect(worker.did).toMatchObject([
      { title: 'Ha llegado Ana R.', body: 'Norte', tag: 'vip:1', lang: 'es', data: { path: '/service' } },
    ])
    const broken = () => {
      throw new SyntaxError()
    }
    for (const data of [null, { json: broken }, { json: () => null }, { json: () => ({ title: 1 }) }])
      expect(await worker.send('push', { data })).toBeUndefined()
  })

  it('opens a page of its own when a notice is tapped, in the window that is there', async () => {
    const tap = (path: unknown) =>
      worker.send('notificationclick', {
        notification: { close: () => worker.did.push('closed'), data: { path } },
      })
    worker.did.length = 0
    await tap('/service')
    await tap('https://evil.example/')
    await tap('//evil.example/')
    expect(worker.did).toEqual(['closed', `opened ${ORIGIN}/service`, 'closed', 'closed'])
    worker.did.length = 0
    worker.windows.push({
      url: `${ORIGIN}/service?location=1`,
      focus: () => worker.did.push('focused'),
      navigate: (url) => worker.did.push(`went to ${url}`),
    })
    await tap('/service')
    await tap('/reservations')
    expect(worker.did).toEqual(['closed', 'focused', 'closed', 'focused', `went to ${ORIGIN}/reservations`])
  })
})
