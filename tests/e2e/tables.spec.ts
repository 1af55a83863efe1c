import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { locationId, PLACE, YES } from './service-night'

const HOST = 'operaciones@demo.example'
const FLOOR = 'sala@demo.example'

interface Read {
  tables: { name: string; capacity: number | null }[]
  parties: { id: string; table_name: string | null }[]
  shifts: { opens: string }[]
}

/** A day far enough ahead that it has no other bookings. */
const DAYS_AHEAD = 300
const dayAhead = () => new Date(Date.now() + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10)

async function serviceOf(api: APIRequestContext, date: string): Promise<Read> {
  const answer = await api.get(`/api/service?location_id=${await locationId(api)}&date=${date}`)
  return (await answer.json()).data
}

/** A reservation of four by hand on a day with shifts. */
async function book(api: APIRequestContext, date: string, fields: object = {}) {
  const name = `García ${Math.random().toString(36).slice(2, 8)}`
  const made = await api.post('/api/reservations', {
    data: {
      ...{ location_id: await locationId(api), customer_name: name, party_size: 4, status: 'confirmed' },
      ...{ reservation_date: date, reservation_time: '21:00', confirm: YES, ...fields },
    },
  })
  expect(made.status()).toBe(201)
  return { id: (await made.json()).data.id as string, name }
}

const tableOf = async (api: APIRequestContext, id: string) =>
  (await (await api.get(`/api/reservations/${id}`)).json()).data.table_name

/** A day on which the location opens, with its free tables for four. */
async function openDay(api: APIRequestContext, nth: number) {
  let date = dayAhead()
  let seen = 0
  for (;;) {
    const { tables, parties, shifts } = await serviceOf(api, date)
    if (shifts.length > 0 && seen++ === nth) {
      const used = parties.flatMap(({ table_name }) => table_name?.split('+') ?? [])
      const free = tables.filter(({ name, capacity }) => (capacity ?? 0) >= 4 && !used.includes(name))
      const small = tables.find(({ name, capacity }) => (capacity ?? 9) < 4 && !used.includes(name))
      return { date, free: free.map(({ name }) => name), small: small?.name ?? '' }
    }
    date = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
  }
}

async function openTables(page: Page, date: string) {
  await page.goto(`/service/tables?location_id=${await locationId(page.request)}&date=${date}`)
  return page.getByRole('region', { name: 'Mesas por hora' })
}
const bar = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`^${name}`) })
const target = (within: Locator, table: string) =>
  within.getByRole('button', { name: new RegExp(`^Asignar la mesa ${table}(,|$)`) })

test.beforeEach(({ signIn }) => signIn(HOST))

test('a reservation without a table gets one by click, and the last step is undone', async ({ page }) => {
  const { date, free } = await openDay(page.request, 0)
  const { id, name } = await book(page.request, date)
  const board = await openTables(page, date)
  const without = board.getByRole('list', { name: 'Sin mesa' })
  await expect(bar(without, name)).toHaveAccessibleName(`${name}, 4 personas, de 21:00 a 23:00, por llegar`)
  await bar(without, name).click()
  await expect(page.getByRole('region', { name: 'Reserva elegida' })).toContainText(name)
  await target(board, free[0] ?? '').click()
  await expect.poll(() => tableOf(page.request, id)).toBe(free[0])
  await expect(bar(without, name)).toHaveCount(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect.poll(() => tableOf(page.request, id)).toBeNull()
  await expect(bar(without, name)).toBeVisible()
})

test('a table is given by keyboard alone', async ({ page }) => {
  const { date, free } = await openDay(page.request, 1)
  const { id, name } = await book(page.request, date)
  const board = await openTables(page, date)
  await bar(board, name).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Elegir mesa' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Reserva elegida' })).toHaveCount(0)
  await bar(board, name).press('Enter')
  await page.getByRole('button', { name: 'Elegir mesa' }).press('Enter')
  const picker = page.getByRole('dialog', { name: `Mesa para ${name} · 4 personas` })
  // The free ones that fit come first.
  await expect(picker.getByRole('listitem').first()).toContainText('4 plazas')
  await picker.getByRole('button', { name: new RegExp(`^${free[1]}(?!\\d)`) }).press('Enter')
  await expect.poll(() => tableOf(page.request, id)).toBe(free[1])
})

test('a clash and a small table are said, with who and when, and may still be chosen', async ({ page }) => {
  const { date, free, small } = await openDay(page.request, 2)
  const there = await book(page.request, date, { table_name: free[0], reservation_time: '20:30' })
  const { id, name } = await book(page.request, date)
  const board = await openTables(page, date)
  await bar(board, name).click()
  await target(board, free[0] ?? '').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toHaveText(
    new RegExp(`La mesa ${free[0]} está reservada a las 20:30 para ${there.name}`),
  )
  await dialog.getByRole('button', { name: 'Elegir otra mesa' }).click()
  await target(board, small).click()
  await expect(dialog.getByRole('alert')).toContainText('y son 4')
  await dialog.getByRole('button', { name: 'Elegir otra mesa' }).click()
  expect(await tableOf(page.request, id)).toBeNull()

  await target(board, free[0] ?? '').click()
  await dialog.getByRole('button', { name: 'Asignar igualmente' }).click()
  await expect.poll(() => tableOf(page.request, id)).toBe(free[0])
  await expect(bar(board, name)).toHaveAccessibleName(/coincide con otra reserva/)
})

test('joined tables stand in both rows, and the free ones for a time and a size are found', async ({
  page,
}) => {
  const { date, free } = await openDay(page.request, 3)
  const { name } = await book(page.request, date, { table_name: `${free[0]}+${free[1]}` })
  const board = await openTables(page, date)
  await expect(bar(board, name)).toHaveCount(2)
  await page.getByRole('button', { name: 'Buscar mesa libre' }).click()
  const dialog = page.getByRole('dialog', { name: 'Buscar mesa libre' })
  await dialog.getByLabel('Hora').fill('22:00')
  await dialog.getByLabel('Personas').fill('4')
  const found = (table = '') =>
    dialog.getByRole('listitem').filter({ hasText: new RegExp(`Mesa ${table}(?!\\d)`) })
  await expect(found(free[2])).toHaveCount(1)
  await expect(found(free[0])).toHaveCount(0)
  await dialog.getByLabel('Hora').fill('23:00')
  await expect(found(free[0])).toHaveCount(1)
  await dialog.getByLabel('Personas').fill('99')
  await expect(dialog.getByText('Ninguna mesa libre')).toBeVisible()
})

test('a phone has a list of tables by zone, in English, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { date, free } = await openDay(page.request, 4)
  const { id, name } = await book(page.request, date)
  await openTables(page, date)
  const card = page.getByRole('listitem').filter({ has: page.getByText(free[0] ?? '', { exact: true }) })
  await expect(card.first()).toContainText('Libre')
  await bar(page, name).click()
  await page.getByRole('button', { name: `Asignar la mesa ${free[0]}`, exact: true }).click()
  await expect.poll(() => tableOf(page.request, id)).toBe(free[0])
  await expect(card.first()).toContainText(name)
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Find a free table' })).toBeVisible()
  await expectNoSpanish(page)
})

test('today shows the present, and the two views lead to each other', async ({ page }) => {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  const views = page.getByRole('navigation', { name: 'Vista del servicio' })
  await views.getByRole('link', { name: 'Mesas' }).click()
  await expect(page.getByRole('heading', { name: 'Mesas', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Mesas por hora' })).toBeVisible()
  await views.getByRole('link', { name: 'Reservas' }).click()
  await expect(page.getByRole('heading', { name: 'Servicio', level: 1 })).toBeVisible()
})

test('the floor begins with the service of its location, and sees cards, no customers', async ({
  page,
  context,
  signIn,
}) => {
  const { data } = await (await page.request.get('/api/customers?limit=1&sort=recent')).json()
  const guest = data[0].id
  const { date } = await openDay(page.request, 5)
  await book(page.request, date, { customer_id: guest, customer_name: undefined })
  await context.clearCookies()
  await signIn(FLOOR)
  await page.goto('/')
  await expect(page).toHaveURL(/\/service/)
  await expect(page.getByText(PLACE).first()).toBeVisible()
  const nav = page.getByRole('navigation').first()
  for (const name of ['Inicio', 'Clientes', 'Automatizaciones', 'Asistente', 'Configuración'])
    await expect(nav.getByRole('link', { name, exact: true })).toHaveCount(0)
  await page.goto(`/service/guests/${guest}`)
  await page.getByLabel('Notas del cliente').fill('Prefiere la esquina')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Notas guardadas')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Notas del cliente')).toHaveValue('Prefiere la esquina')
  await page.goto(`/customers/${guest}`)
  await expect(page.getByLabel('Notas del cliente')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText(data[0].first_name ?? '—')
})
