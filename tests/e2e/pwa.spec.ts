import type { Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, test } from './fixtures'

// Everywhere else it is blocked, as it asks for pages past page.route.
test.use({ serviceWorkers: 'allow' })

const SUPER = 'super@demo.example'

/** Waits until the service worker answers for the page. */
const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 20_000 })

interface Manifest {
  name: string
  short_name: string
  lang: string
  start_url: string
  display: string
  theme_color: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
}

test('the manifest is found without a session, in the language of the browser, and its icons are there', async ({
  page,
}) => {
  await page.goto('/sign-in')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  expect(href).toBe('/manifest.webmanifest')
  const ask = async (language: string) => {
    const answer = await page.request.get('/manifest.webmanifest', {
      headers: { 'accept-language': language },
    })
    expect(answer.status()).toBe(200)
    return (await answer.json()) as Manifest
  }
  const manifest = await ask('es-ES')
  expect(manifest).toMatchObject({
    ...{ name: 'Sobremesa', short_name: 'Sobremesa', lang: 'es', start_url: '/', display: 'standalone' },
    theme_color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    shortcuts: [
      { name: 'Servicio', url: '/service' },
      { name: 'Reservas', url: '/reservations' },
      { name: 'Clientes', url: '/customers' },
    ],
  })
  expect((await ask('en-GB')).shortcuts.map(({ name }) => name)).toEqual([
    'Service',
    'Reservations',
    'Customers',
  ])
  const made = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
  expect(made).toEqual(['192x192 any', '512x512 any', '192x192 maskable', '512x512 maskable'])
  const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  for (const src of [...manifest.icons.map((icon) => icon.src), String(apple)]) {
    const icon = await page.request.get(src)
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, 'image/png'])
  }
})

test('without a connection a page is the offline page, in the language of the person; with one it is back', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(SUPER)
  await page.goto('/')
  await controlled(page)
  await context.setOffline(true)
  // The frame of the app is not there: nothing of its own to wait for.
  await page.evaluate(() => window.location.assign('/reservations'))
  await expect(page.getByRole('heading', { name: 'Sin conexión' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeHidden()
  await expect(page).toHaveURL(/\/reservations/)
  await context.setOffline(false)
  // It reloads by itself once the browser is online, or by its link.
  await expect(page.getByRole('heading', { level: 1, name: 'Reservas' })).toBeVisible()
})

test('the service worker keeps nothing but the offline page, and signing out works as ever', async ({
  page,
}) => {
  // Not by signIn: signing out ends a session that other tests would use.
  const data = { email: 'pr@demo.example', password: DEMO_PASSWORD }
  expect((await page.request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
  await page.goto('/')
  await controlled(page)
  const kept = await page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found.sort()
  })
  expect(kept).toEqual(['/icons/icon-192.png', '/offline.css', '/offline.html', '/offline.js'])
  await page.getByRole('button', { name: /^Tu cuenta/ }).click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect((await page.request.get('/api/notices')).status()).toBe(401)
})

test.describe('push notices', () => {
  /** In the browser: the person refuses when they are asked. */
  function refusing(): void {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      permission = 'denied'
      return permission
    }
  }

  test('are off until the person turns them on; a refusal is said, and changes nothing', async ({
    page,
    signIn,
  }) => {
    await page.addInitScript(refusing)
    await signIn(SUPER)
    await page.goto('/account')
    const panel = page.getByRole('region', { name: 'Avisos en este dispositivo' })
    await expect(panel.getByText('Ningún dispositivo los recibe todavía.')).toBeVisible()
    const turnOn = panel.getByRole('button', { name: 'Recibir avisos aquí' })
    await expect(turnOn).toBeEnabled()
    for (const kind of await panel.getByRole('checkbox').all()) await kind.uncheck()
    await turnOn.click()
    await expect(panel.getByRole('alert')).toHaveText('Elige al menos un aviso.')
    await panel.getByRole('checkbox', { name: 'Ha llegado un VIP' }).check()
    // By keyboard alone.
    await turnOn.focus()
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('alert')).toContainText('El navegador no ha dado permiso')
    await expect(panel.getByText(/^Has bloqueado los avisos/)).toBeVisible()
    await expect(turnOn).toBeDisabled()
    const { data } = await (await page.request.get('/api/account/push')).json()
    expect(data.devices).toEqual([])
  })

  test('a browser without them says so, on a phone too', async ({ page, signIn }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'PushManager')
    })
    await signIn(SUPER)
    await page.goto('/account')
    const panel = page.getByRole('region', { name: 'Avisos en este dispositivo' })
    await expect(panel.getByText(/^Este navegador no puede recibir avisos/)).toBeVisible()
    await expect(panel.getByRole('button')).toHaveCount(0)
  })
})
