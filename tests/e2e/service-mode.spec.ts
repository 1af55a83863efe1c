import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const HOST = 'operaciones@demo.example'
const PLACE = 'Casa Lumbre Chamberí'
const ZONE = 'Europe/Madrid'

test.use({ viewport: { width: 390, height: 844 } })

/** The id of the location whose service these tests run. */
async function locationId(api: APIRequestContext): Promise<string> {
  const { data } = await (await api.get('/api/locations')).json()
  return data.find(({ name }: { name: string }) => name === PLACE).id
}

/** A reservation so many minutes from now, made by hand. */
async function book(
  api: APIRequestContext,
  minutes: number,
  fields: object,
): Promise<{ id: string; name: string }> {
  const at = new Date(Date.now() + minutes * 60_000)
  const [date, time] = at
    .toLocaleString('sv', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' })
    .split(' ')
  const name = `García ${Math.random().toString(36).slice(2, 8)}`
  const made = await api.post('/api/reservations', {
    data: {
      ...{ location_id: await locationId(api), customer_name: name, party_size: 4, status: 'confirmed' },
      ...{ reservation_date: date, reservation_time: time, ...fields },
    },
  })
  expect(made.status()).toBe(201)
  return { id: (await made.json()).data.id, name }
}

const stored = async (api: APIRequestContext, id: string) =>
  (await (await api.get(`/api/reservations/${id}`)).json()).data

/** Tables for four at which nobody sits and nobody is expected. */
async function freeTables(api: APIRequestContext): Promise<[string, string]> {
  const { data } = await (await api.get(`/api/service?location_id=${await locationId(api)}`)).json()
  const used = data.parties.flatMap(
    ({ table_name: at }: { table_name: string | null }) => at?.split('+') ?? [],
  )
  const free = data.tables
    .filter(({ capacity }: { capacity: number | null }) => (capacity ?? 4) >= 4)
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !used.includes(name))
  return [free[0], free[1]]
}
const choice = (within: Locator, table: string) =>
  within.getByRole('button', { name: new RegExp(`^${table}(?!\\d)`) })

/** Opens tonight's service; `taps` counts what the host touches from then on. */
async function openService(page: Page) {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  const counter = { taps: 0 }
  const tap = async (target: Locator) => {
    counter.taps += 1
    await target.click()
  }
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const search = async (name: string) => {
    counter.taps += 1
    await page.getByRole('searchbox', { name: 'Buscar por nombre o mesa' }).fill(name)
  }
  return { counter, tap, row, search }
}

test.beforeEach(({ signIn }) => signIn(HOST))

test('the next arrival and who is late are known without a tap, a table and an allergy with one', async ({
  page,
}) => {
  const late = await book(page.request, -25, { notes: 'Alergia a frutos secos' })
  const soon = await book(page.request, 1, { table_name: 'S11' })
  const { counter, search, row } = await openService(page)
  const next = page.getByRole('region', { name: 'Próxima llegada' })
  await expect(next).toBeInViewport({ ratio: 1 })
  await expect(next).toContainText(/\d\d:\d\d/)
  await expect(page.getByRole('region', { name: 'Con retraso' })).toBeInViewport()
  await expect(page.getByRole('region', { name: 'Con retraso' })).toContainText(late.name)
  expect(counter.taps).toBe(0)

  await search(soon.name.toLowerCase().replace('í', 'i'))
  await expect(row(soon.name)).toContainText('Mesa S11')
  await expect(row(soon.name)).toBeInViewport()
  expect(counter.taps).toBe(1)
  await search(late.name)
  await expect(row(late.name)).toContainText('¿frutos secos? Según las notas')
})

test('a party arrives, sits and leaves, each with one tap; the last tap is undone', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 5, { table_name: table })
  const { counter, tap, row, search } = await openService(page)
  await search(name)
  counter.taps = 0
  await tap(row(name).getByRole('button', { name: 'Llegó' }))
  await tap(row(name).getByRole('button', { name: 'Sentar' }))
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(name)
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('seated')
  expect(counter.taps).toBe(2)
  await tap(row(name).getByRole('button', { name: 'Terminó' }))
  await expect(page.getByRole('region', { name: 'Terminados' })).toContainText(name)
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('completed')
  await tap(page.getByRole('button', { name: 'Deshacer' }))
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(name)
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('seated')
})

test('a party without a table gets one; a table that is taken warns', async ({ page }) => {
  const [taken, free] = await freeTables(page.request)
  const sits = await book(page.request, -10, { table_name: taken, status: 'seated' })
  const { id, name } = await book(page.request, 5, { table_name: null })
  const { tap, row, search } = await openService(page)
  await search(name)
  await tap(row(name).getByRole('button', { name: 'Sentar' }))
  const picker = page.getByRole('dialog', { name: `Mesa para ${name} · 4 pax` })
  await tap(choice(picker, taken))
  await expect(picker.getByRole('alert')).toContainText(sits.name)
  await tap(picker.getByRole('button', { name: 'Elegir otra mesa' }))
  await tap(choice(picker, free))
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(name)
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(free)
})

test('a party whose table is taken is asked for another one', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const sits = await book(page.request, -10, { table_name: table, status: 'seated' })
  const { name } = await book(page.request, 5, { table_name: table })
  const { tap, row, search } = await openService(page)
  await search(name)
  await tap(row(name).getByRole('button', { name: 'Sentar' }))
  const picker = page.getByRole('dialog', { name: `Mesa para ${name} · 4 pax` })
  await expect(choice(picker, table)).toContainText(`Ocupada: ${sits.name}`)
})

test('a late party is marked as a no-show in one tap, a walk-in sits in three', async ({ page }) => {
  const { id, name } = await book(page.request, -30, {})
  const { counter, tap, row, search } = await openService(page)
  await search(name)
  counter.taps = 0
  await tap(row(name).getByRole('button', { name: 'No vino' }))
  expect(counter.taps).toBe(1)
  await expect.poll(async () => (await stored(page.request, id)).status).toBe('no_show')
  await page.getByRole('searchbox').fill('')

  const [table] = await freeTables(page.request)
  counter.taps = 0
  await tap(page.getByRole('button', { name: 'Sin reserva' }))
  const dialog = page.getByRole('dialog')
  await tap(dialog.getByRole('button', { name: '2', exact: true }))
  await tap(choice(dialog, table))
  expect(counter.taps).toBe(3)
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Sin reserva, 2 pax: sentados')).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.getByRole('searchbox').fill('B17')
  await expect(
    page.getByText('Nadie con ese nombre').or(page.getByRole('region', { name: 'Terminados' })),
  ).toBeVisible()
})

test('a mark in one browser is in the other within 15 seconds', async ({ page, browser }) => {
  const [table] = await freeTables(page.request)
  const { name } = await book(page.request, 5, { table_name: table })
  const { row } = await openService(page)
  const other = await browser.newContext({ storageState: await page.context().storageState() })
  const second = await other.newPage()
  await second.goto(page.url())
  await expect(second.getByRole('region', { name: 'Llegan' })).toContainText(name)
  await row(name).getByRole('button', { name: 'Sentar' }).click()
  await expect(second.getByRole('region', { name: 'Sentados' })).toContainText(name, { timeout: 15_000 })
  await other.close()
})

test('without a connection the list stays and five taps wait; then each is sent once, in order', async ({
  page,
  context,
}) => {
  const [first, second] = await freeTables(page.request)
  const [a, b, c] = [
    await book(page.request, 5, { table_name: first }),
    await book(page.request, 6, { table_name: second }),
    await book(page.request, -20, {}),
  ]
  const { row } = await openService(page)
  const answered: { key: string; outcome: string }[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/service/taps')) answered.push(...(await response.json()).data)
  })
  await context.setOffline(true)
  await row(a.name).getByRole('button', { name: 'Llegó' }).click()
  await row(a.name).getByRole('button', { name: 'Sentar' }).click()
  await row(a.name).getByRole('button', { name: 'Terminó' }).click()
  await row(b.name).getByRole('button', { name: 'Sentar' }).click()
  await row(c.name).getByRole('button', { name: 'No vino' }).click()
  await expect(page.getByText(/Sin conexión/)).toBeVisible()
  await expect(page.getByText('5 cambios por enviar')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(b.name)
  await context.setOffline(false)
  await expect(page.getByText('cambios por enviar')).toHaveCount(0, { timeout: 20_000 })
  expect(answered.map(({ outcome }) => outcome)).toEqual(Array(5).fill('saved'))
  expect(new Set(answered.map(({ key }) => key)).size).toBe(5)
  const statuses = await Promise.all([a, b, c].map(async ({ id }) => (await stored(page.request, id)).status))
  expect(statuses).toEqual(['completed', 'seated', 'no_show'])
})

test('a tap that no longer fits is said by name', async ({ page, context }) => {
  const { id, name } = await book(page.request, 5, { table_name: 'T14' })
  const { row } = await openService(page)
  await context.setOffline(true)
  await row(name).getByRole('button', { name: 'Llegó' }).click()
  // The test's own requests have a connection.
  const cancelled = await page.request.patch(`/api/reservations/${id}`, { data: { status: 'cancelled' } })
  expect(cancelled.ok()).toBe(true)
  await context.setOffline(false)
  const alert = page.getByRole('alert').filter({ hasText: name })
  await expect(alert).toContainText(`Llegó: ${name}`, { timeout: 20_000 })
  await alert.getByRole('button', { name: 'Entendido' }).click()
  await expect(alert).toHaveCount(0)
})

test('a party joins the waitlist, is called, goes and comes back, and sits', async ({ page }) => {
  const name = `Espera ${Math.random().toString(36).slice(2, 8)}`
  const { tap, row } = await openService(page)
  await tap(page.getByRole('button', { name: 'Lista de espera' }))
  const dialog = page.getByRole('dialog', { name: 'Lista de espera' })
  await dialog.getByLabel('Personas').fill('tres')
  await dialog.getByLabel('Teléfono').fill('12')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByText('Entre 1 y 100 personas.')).toBeVisible()
  await expect(dialog.getByText('Escribe un nombre.')).toBeVisible()
  await expect(dialog.getByText('El teléfono no es válido.')).toBeVisible()
  await dialog.getByLabel('Personas').fill('3')
  await dialog.getByLabel('Nombre').fill(name)
  await dialog.getByLabel('Teléfono').fill('600 11 12 22')
  await dialog.getByLabel('Espera (min)').fill('25')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog).toHaveCount(0)
  const waiting = page.getByRole('region', { name: 'En espera' })
  await expect(waiting).toContainText(name)
  await expect(row(name)).toContainText('se le dijo 25 min')
  const phone = row(name).getByRole('link', { name: '+34 600 11 12 22' })
  await expect(phone).toHaveAttribute('href', 'tel:+34600111222')
  await tap(row(name).getByRole('button', { name: 'Avisar' }))
  await expect(row(name)).toContainText('Aviso simulado')
  await expect(row(name).getByRole('button', { name: 'Avisar' })).toHaveCount(0)

  await tap(row(name).getByRole('button', { name: `Más acciones: ${name}` }))
  await tap(row(name).getByRole('button', { name: 'Se fue' }))
  await expect(row(name)).toHaveCount(0)
  await tap(page.getByRole('button', { name: 'Deshacer' }))
  await expect(waiting).toContainText(name)
  const [table] = await freeTables(page.request)
  await tap(row(name).getByRole('button', { name: 'Sentar' }))
  await tap(choice(page.getByRole('dialog'), table))
  await expect(page.getByRole('region', { name: 'Sentados' })).toContainText(name)
})

test('the service speaks English, fits a phone, and is for those who may see it', async ({
  page,
  signIn,
  context,
}) => {
  await openService(page)
  await speakEnglish(page)
  await expect(page.getByRole('button', { name: 'Walk-in' })).toBeVisible()
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
  await context.clearCookies()
  await signIn('rrhh@demo.example')
  await page.goto('/service')
  await expect(page.getByRole('searchbox')).toHaveCount(0)
})
