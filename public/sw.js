// The service worker: the offline page, the page that shows the list of the service without a connection, and push notices. It
// keeps files of the app and nothing of anybody's data; tests/unit/pwa.test.ts holds VERSION to what the offline page is made of.
const VERSION = '2afc0f6c'
const CACHE = `offline-${VERSION}`
const PAGE = '/offline.html'
const SERVICE_CACHE = 'service-page'
const SERVICE_PAGE = '/offline/service'
/** In the page, so that the page of a hotel's or café's network is not taken for it. */
const SERVICE_MARK = 'data-service-page'
/** A network that keeps the device waiting for longer is none. */
const PATIENCE_MS = 6000
const BUILT = '/_next/static/'
const FILES = [PAGE, '/offline.css', '/offline.js', '/icons/icon-192.png']

self.addEventListener('install', (event) => {
  // At once: a waiting one would show yesterday's page.
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith('offline-') && name !== CACHE) await caches.delete(name)
  // The page's request starts while this worker does.
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(pageOrOffline(event))
  // The two pages' own; everything else goes past this worker. A built file never changes under its name.
  else if (url.origin === self.location.origin && FILES.includes(url.pathname))
    event.respondWith(fetch(request).catch(() => kept(url.pathname)))
  else if (url.origin === self.location.origin && url.pathname.startsWith(BUILT))
    event.respondWith(builtFile(request, url.pathname))
})

async function pageOrOffline(event) {
  const { pathname } = new URL(event.request.url)
  const own = pathname === '/service' ? await caches.match(SERVICE_PAGE, { cacheName: SERVICE_CACHE }) : null
  const page = Promise.resolve(event.preloadResponse)
    .then((answer) => answer ?? fetch(event.request))
    .catch(() => null)
  if (!own) return (await page) ?? kept(PAGE)
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null))
  const answer = await Promise.race([page, late])
  // Of a host or proxy whose app does not answer.
  return answer && ![502, 503, 504].includes(answer.status) ? answer : own
}

async function builtFile(request, path) {
  const own = await caches.match(path, { cacheName: SERVICE_CACHE })
  return own ?? fetch(request)
}

async function kept(file) {
  const cache = await caches.open(CACHE)
  return (await cache.match(file, { ignoreSearch: true })) ?? Response.error()
}

self.addEventListener('message', (event) => {
  const language = event.data?.keepServicePage
  if (/^[a-z]{2}$/.test(language)) event.waitUntil(keepServicePage(language).catch(() => {}))
})

/** Keeps the page of the service as nobody in particular gets it, with every file that it may load, also later. */
async function keepServicePage(language) {
  const page = await fetch(`${SERVICE_PAGE}?lang=${language}`, { credentials: 'omit', cache: 'no-store' })
  if (!page.ok || page.redirected) return
  const html = await page.clone().text()
  if (!html.includes(SERVICE_MARK)) return
  const cache = await caches.open(SERVICE_CACHE)
  const files = new Set()
  let next = filesIn(html)
  while (next.length > 0) {
    for (const file of next) files.add(file)
    const texts = await Promise.all(next.map((file) => textOf(cache, file)))
    next = [...new Set(texts.flatMap(filesIn))].filter((file) => !files.has(file))
  }
  // Last: without its files the page would be of no use.
  await cache.put(SERVICE_PAGE, page)
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname !== SERVICE_PAGE && !files.has(pathname)) await cache.delete(url)
  }
}

/** The built files that a page, script or style sheet names. */
const filesIn = (text) =>
  [...text.matchAll(/(?:static|\.\.)\/((?:chunks|media)\/[\w.~-]+\.(?:js|css|woff2))/g)].map(([, file]) => BUILT + file)

/** Keeps a built file, which never changes under its name, and reads it when it may name others. */
async function textOf(cache, file) {
  let found = await cache.match(file)
  if (!found) {
    found = await fetch(file)
    if (!found.ok || found.headers.get('Content-Type')?.startsWith('text/html')) throw new Error(file)
    await cache.put(file, found.clone())
  }
  return file.endsWith('.woff2') ? '' : found.text()
}

self.addEventListener('push', (event) => {
  const notice = read(event.data)
  if (!notice) return
  const { title, body, tag, lang, path } = notice
  const shown = { body, tag, lang, data: { path }, icon: '/icons/icon-192.png', badge: '/icons/badge-96.png' }
  event.waitUntil(self.registration.showNotification(title, shown))
})

function read(data) {
  try {
    const notice = data?.json()
    return typeof notice?.title === 'string' ? notice : null
  } catch {
    return null
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data?.path))
})

/** A window of the app that is open comes forward, on the page; else a new one. */
async function show(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) return void (await self.clients.openWindow(url))
  await open.focus()
  // Who is on that page already keeps what they have chosen there.
  if (new URL(open.url).pathname !== url.pathname) await open.navigate(url)
}

// The browser has given the device another address: it goes on with the same notices.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew()))

async function renew() {
  const { data } = await (await fetch('/api/account/push')).json()
  const device = data?.devices.find((each) => each.current)
  if (!device || !data.public_key) return
  const options = { userVisibleOnly: true, applicationServerKey: data.public_key }
  const { endpoint, keys } = (await self.registration.pushManager.subscribe(options)).toJSON()
  const { kinds, language } = device
  await fetch('/api/account/push', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys, kinds, language }),
  })
}
