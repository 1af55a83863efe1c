import type { APIRequestContext, Page } from '@playwright/test'
import { changeScheme, violationsOfDialog } from './axe'
import { expect, expectNoSidewaysScroll, speakEnglish, test } from './fixtures'
import { book, leave, locationId, PLACE } from './service-night'

// Without a connection, links that were to be read ahead say so.
test.use({ viewport: { width: 390, height: 844 }, expectedNoise: /Failed to fetch RSC payload/ })
test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))
test.afterEach(async ({ page, signIn }) => {
  await signIn('operaciones@demo.example')
  await leave(page.request)
})

const DAYS = 24 * 60

/** A party of now whose guest has an allergy, came three weeks ago, and has a ticket since. */
async function regular(api: APIRequestContext) {
  const made = await api.post('/api/customers', {
    data: {
      first_name: 'Líneas',
      last_name: `De ${Math.random().toString(36).slice(2, 8)}`,
      notes: 'Abogada',
    },
  })
  const guest = (await made.json()).data.id as string
  const facts = [{ code: 'nuts', note: 'Grave' }, { code: 'window' }]
  expect((await api.put(`/api/customers/${guest}/facts`, { data: { facts } })).ok()).toBe(true)
  const visit = await book(api, -21 * DAYS, { customer_id: guest, status: 'completed' })
  const opened = await api.post('/api/tickets', {
    data: { subject: 'Paraguas olvidado', customer_id: guest, location_id: await locationId(api) },
  })
  expect(opened.status(), await opened.text()).toBe(201)
  const ticket = (await opened.json()).data.id as string
  const party = await book(api, 0, { customer_id: guest, notes: 'Traen tarta' })
  return { ...party, guest, ticket, visit: visit.id }
}

async function openDay(page: Page) {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  await page.getByRole('button', { name: 'Todo el día' }).click()
}
async function openSheet(page: Page, name: string) {
  await page.getByRole('listitem').filter({ hasText: name }).getByRole('time').click()
  return page.getByRole('dialog', { name })
}

test('a party’s lines stand at once, and gain visits and tickets, each with its source, while nothing moves', async ({
  page,
}) => {
  const { id, name, guest, ticket, visit } = await regular(page.request)
  await openDay(page)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/service/parties/${id}`, async (route) => {
    await held
    await route.continue()
  })
  const sheet = await openSheet(page, name)
  const lines = sheet.getByRole('region', { name: `Qué saber de ${name}` })
  await expect(lines.getByText('Leyendo el resto…')).toBeVisible()
  await expect(lines.getByRole('link', { name: 'Alergia: frutos secos (Grave)' })).toHaveAttribute(
    'href',
    new RegExp(`^/customers/${guest}`),
  )
  await expect(lines.getByText('Ficha: Abogada')).toBeVisible()
  const place = () => sheet.getByRole('textbox', { name: 'Personas' }).boundingBox()
  const before = await place()
  release()
  await expect(lines.getByRole('link', { name: `última hace 3 semanas, ${PLACE}` })).toBeVisible()
  await expect(lines.getByText('Leyendo el resto…')).toHaveCount(0)
  await expect(lines.getByRole('link', { name: '1 visita', exact: true })).toBeVisible()
  await expect(lines.getByText('ventana')).toBeVisible()
  expect(await place()).toEqual(before)
  await expect(
    lines.getByRole('link', { name: /^Incidencia abierta n\.º \d+: Paraguas olvidado$/ }),
  ).toHaveAttribute('href', new RegExp(`^/tickets/${ticket}`))
  await expect(lines.getByRole('link', { name: 'Reserva: Traen tarta' })).toHaveAttribute(
    'href',
    new RegExp(`reservation=${id}`),
  )
  expect(await violationsOfDialog(page)).toEqual([])
  await lines.getByRole('link', { name: `última hace 3 semanas, ${PLACE}` }).click()
  await expect(page).toHaveURL(new RegExp(`/reservations\\?.*reservation=${visit}`))
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('the floor gets no ticket, and opens the guest’s card from its lines; also on a narrow, dark screen', async ({
  page,
  signIn,
}) => {
  const { name, guest } = await regular(page.request)
  await signIn('sala@demo.example')
  await page.setViewportSize({ width: 320, height: 640 })
  await openDay(page)
  const sheet = await openSheet(page, name)
  const lines = sheet.getByRole('region', { name: `Qué saber de ${name}` })
  await expect(lines.getByRole('link', { name: '1 visita', exact: true })).toBeVisible()
  await expect(lines.getByText('Alergia: frutos secos (Grave)')).toBeVisible()
  await expect(lines).not.toContainText('Paraguas')
  await expectNoSidewaysScroll(page)
  expect(await violationsOfDialog(page)).toEqual([])
  await changeScheme(page, 'dark')
  expect(await violationsOfDialog(page)).toEqual([])
  await lines.getByRole('link', { name: '1 visita', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/service/guests/${guest}`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Líneas')
})

test('without a connection the lines have what the list knows, and the rest once it is back', async ({
  page,
  context,
}) => {
  const { name } = await regular(page.request)
  await openDay(page)
  await (await openSheet(page, name)).getByRole('button', { name: 'Cerrar' }).click()
  await context.setOffline(true)
  const sheet = await openSheet(page, name)
  const lines = sheet.getByRole('region', { name: `Qué saber de ${name}` })
  await expect(lines.getByText('Sin conexión: solo lo de la lista')).toBeVisible()
  await expect(lines.getByText('Leyendo el resto…')).toHaveCount(0)
  await expect(lines.getByText('Alergia: frutos secos (Grave)')).toBeVisible()
  await expect(lines.getByText('Reserva: Traen tarta')).toBeVisible()
  await expect(sheet.getByRole('alert')).toHaveCount(0)
  await context.setOffline(false)
  await expect(lines.getByRole('link', { name: '1 visita', exact: true })).toBeVisible()
  await expect(lines.getByText('Sin conexión: solo lo de la lista')).toHaveCount(0)
})

test('what could not be read is read with a later read of the board', async ({ page }) => {
  const { id, name } = await regular(page.request)
  let isDown = true
  await page.route(`**/api/service/parties/${id}`, (route) =>
    isDown ? route.fulfill({ status: 429, json: { error: 'Busy' } }) : route.continue(),
  )
  // A board of later, in place of a wait.
  await page.route('**/api/service?*', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const at = new Date(Date.parse(data.at) + (isDown ? 0 : 60_000)).toISOString()
    await route.fulfill({ response, json: { data: { ...data, at } } })
  })
  await openDay(page)
  const sheet = await openSheet(page, name)
  const lines = sheet.getByRole('region', { name: `Qué saber de ${name}` })
  const said = lines.getByRole('status')
  await expect(said).toHaveText('No se ha podido leer el resto: solo lo de la lista')
  isDown = false
  await expect(said).toHaveText('Ya está todo. Atención: 1 queja o incidencia.')
  await expect(lines.getByRole('link', { name: '1 visita', exact: true })).toBeVisible()
})

test('a party without a guest says so, also in English; what cannot be read is no error', async ({
  page,
}) => {
  const { id, name } = await book(page.request, 0, { notes: 'Sin gluten' })
  await openDay(page)
  await speakEnglish(page)
  let sheet = await openSheet(page, name)
  let lines = sheet.getByRole('region', { name: `What to know of ${name}` })
  await expect(lines.getByText('No guest on record')).toBeVisible()
  await expect(lines.getByText('gluten? From the notes')).toBeVisible()
  await expect(lines.getByRole('link', { name: 'Booking: Sin gluten' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.route(`**/api/service/parties/${id}`, (route) =>
    route.fulfill({ status: 404, json: { error: 'Not found' } }),
  )
  sheet = await openSheet(page, name)
  lines = sheet.getByRole('region', { name: `What to know of ${name}` })
  await expect(lines.getByText('The rest could not be read: only what the list has')).toBeVisible()
  await expect(lines.getByText('Booking: Sin gluten')).toBeVisible()
  await expect(sheet.getByRole('alert')).toHaveCount(0)
})
