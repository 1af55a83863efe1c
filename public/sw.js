// The service worker: the offline page, and push notices. It keeps four files of the app and nothing of anybody's data;
// tests/unit/pwa.test.ts holds VERSION to what is in them.
const VERSION = '2a178bfe'
const CACHE = `offline-${VERSION}`
const PAGE = '/offline.html'
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
  // The offline page's own; everything else goes past this worker.
  else if (url.origin === self.location.origin && FILES.includes(url.pathname))
    event.respondWith(fetch(request).catch(() => kept(url.pathname)))
})

async function pageOrOffline(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return kept(PAGE)
  }
}

async function kept(file) {
  const cache = await caches.open(CACHE)
  return (await cache.match(file)) ?? Response.error()
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
