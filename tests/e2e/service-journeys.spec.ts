import { type APIRequestContext, type Page, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, test } from './fixtures'
import { type Hand, handOn } from './hand'
import { book, freeTables, serviceNow, stored } from './service-night'
import { VENUE_ZONE } from './venue-zone'

const FLOOR = 'sala@demo.example'
const MANAGER = 'operaciones@demo.example'
const PMS = process.env.PMS_URL ?? ''
const PHONE = { width: 390, height: 844 }
const LAPTOP = { width: 1366, height: 768 }

/** The manager's own API: it books what a journey begins with. */
let api: APIRequestContext
test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  const data = { email: MANAGER, password: DEMO_PASSWORD }
  expect((await api.post('/api/auth/sign-in', { data })).ok()).toBe(true)
})
test.afterAll(() => api?.dispose())

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

/** The table that the list of tables proposes. */
const suggested = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /Sugerida/ })

/** Finds a party as a host does: by the beginning of the name, without accents. */
async function find(page: Page, hand: Hand, name: string) {
  await hand.tap(page.getByRole('searchbox', { name: /^Buscar por nombre/ }))
  await hand.type(name.toLowerCase().replace('í', 'i'))
  await expect(row(page, name)).toHaveCount(1)
}

test.describe('a host with a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  /** The floor's own first page. */
  async function begin(page: Page): Promise<Hand> {
    const hand = await handOn(page)
    await page.goto('/')
    await expect(page).toHaveURL(/\/service/)
    return hand
  }

  test.beforeEach(({ signIn }) => signIn(FLOOR))

  test('knows the next arrival and who is late without a tap', async ({ page }) => {
    const late = await book(api, -25, {})
    const soon = await book(api, 2, {})
    const hand = await begin(page)
    await hand.within(0, 'next arrival', async () => {
      const next = page.getByRole('region', { name: 'Próxima llegada' })
      await expect(next).toBeInViewport({ ratio: 1 })
      const { parties } = await serviceNow(api)
      const first = parties.find(
        ({ status, arrived_at, time }: { status: string; arrived_at: string | null; time: string }) =>
          ['pending', 'confirmed'].includes(status) && arrived_at === null && !isLate(time),
      )
      await expect(next).toContainText(first.time)
      expect(minute(first.time)).toBeLessThanOrEqual(minute(timeOf(parties, soon.id)))
    })
    await hand.within(0, 'late guest', async () => {
      const section = page.getByRole('region', { name: 'Con retraso' })
      await expect(section).toBeInViewport()
      await expect(section.getByRole('listitem').first()).toBeInViewport({ ratio: 1 })
      await expect(section).toContainText(late.name)
    })
  })

  test('knows García’s table in three', async ({ page }) => {
    const { name } = await book(api, 5, { table_name: 'S11' })
    const hand = await begin(page)
    await hand.within(3, 'the table of García', async () => {
      await find(page, hand, name)
      await expect(row(page, name)).toBeInViewport({ ratio: 1 })
      await expect(row(page, name)).toContainText('Mesa S11')
    })
  })

  test('seats a party with a table in one, without one in two', async ({ page }) => {
    const [table] = await freeTables(api)
    const booked = await book(api, 5, { table_name: table })
    const without = await book(api, 6, { table_name: null })
    const hand = await begin(page)
    await find(page, hand, booked.name)
    await hand.within(1, 'seat at the table that was kept', async () => {
      await hand.tap(row(page, booked.name).getByRole('button', { name: 'Sentar' }))
      await expect(row(page, booked.name)).toContainText('En mesa')
    })
    await page.getByRole('searchbox').fill(without.name)
    await hand.within(2, 'seat without a table', async () => {
      await hand.tap(row(page, without.name).getByRole('button', { name: 'Sentar' }))
      await hand.tap(suggested(page))
      await expect(row(page, without.name)).toContainText('En mesa')
    })
    await expect.poll(async () => (await stored(api, booked.id)).status).toBe('seated')
    await expect.poll(async () => (await stored(api, without.id)).table_name).not.toBeNull()
  })

  test('marks a no-show in two', async ({ page }) => {
    const late = await book(api, -30, {})
    const early = await book(api, 30, {})
    const hand = await begin(page)
    await find(page, hand, late.name)
    await hand.within(2, 'no-show of who is late', () =>
      hand.tap(row(page, late.name).getByRole('button', { name: 'No vino' })),
    )
    await page.getByRole('searchbox').fill(early.name)
    await hand.within(2, 'no-show of who called to cancel', async () => {
      await hand.tap(row(page, early.name).getByRole('button', { name: `Más acciones: ${early.name}` }))
      await hand.tap(page.getByRole('button', { name: 'No vino' }))
    })
    for (const { id } of [late, early])
      await expect.poll(async () => (await stored(api, id)).status).toBe('no_show')
  })

  test('seats a walk-in in three', async ({ page }) => {
    const hand = await begin(page)
    let table = ''
    await hand.within(3, 'walk-in', async () => {
      await hand.tap(page.getByRole('button', { name: 'Sin reserva', exact: true }))
      await hand.tap(page.getByRole('dialog').getByRole('button', { name: '2', exact: true }))
      table = (await suggested(page).locator('b').textContent()) ?? ''
      await hand.tap(suggested(page))
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    const seated = async () =>
      (await serviceNow(api)).parties.filter(
        ({ walk_in, table_name }: { walk_in: boolean; table_name: string | null }) =>
          walk_in && table_name === table,
      )
    await expect.poll(async () => (await seated()).at(-1)).toMatchObject({ status: 'seated', party_size: 2 })
  })

  test('sees an allergy in four, and writes one down in four', async ({ page }) => {
    const guest = await newGuest({ notes: 'Alergia a frutos secos' })
    const hand = await begin(page)
    await hand.within(4, 'see an allergy', async () => {
      await find(page, hand, guest.name)
      await expect(row(page, guest.name)).toBeInViewport({ ratio: 1 })
      await expect(row(page, guest.name)).toContainText('¿frutos secos? Según las notas')
    })
    await hand.within(4, 'write an allergy down', async () => {
      await hand.tap(row(page, guest.name).getByRole('link', { name: guest.name }))
      await hand.tap(page.getByRole('button', { name: 'Editar alergias y preferencias' }))
      await hand.tap(page.getByRole('dialog').getByLabel(/^frutos secos/i))
      await hand.tap(page.getByRole('dialog').getByRole('button', { name: 'Guardar' }))
      await expect(page.getByText('Alergia: frutos secos', { exact: true })).toBeVisible()
    })
    // The way back leads to the service, which has it at once.
    await hand.tap(page.getByRole('main').getByRole('link', { name: 'Servicio', exact: true }))
    await find(page, hand, guest.name)
    await expect(row(page, guest.name)).toContainText('Alergia: frutos secos')
  })

  /** A guest with a card who comes in ten minutes. */
  async function newGuest(fields: object): Promise<{ name: string }> {
    const first_name = `Alma ${Math.random().toString(36).slice(2, 8)}`
    const made = await api.post('/api/customers', { data: { first_name, ...fields } })
    expect(made.status()).toBe(201)
    const { id } = (await made.json()).data
    await book(api, 10, { customer_id: id, customer_name: undefined })
    return { name: first_name }
  }
})

test.describe('a manager with a laptop', () => {
  test.use({ viewport: LAPTOP })

  test.beforeEach(({ signIn }) => signIn(MANAGER))

  test('has yesterday whole on one screen: every figure with its difference', async ({ page }) => {
    const hand = await handOn(page)
    await page.goto('/')
    const yesterday = page.getByRole('region', { name: /^Ayer, / })
    await hand.within(1, 'yesterday', async () => {
      await hand.tap(page.getByRole('main').getByRole('link', { name: 'Informe de la mañana' }))
      await expect(page.getByRole('heading', { level: 1, name: 'Informe de la mañana' })).toBeVisible()
      await expect(yesterday).toBeInViewport({ ratio: 1 })
    })
    for (const name of ['Comensales', 'Reservas', 'Sin reserva', 'No presentados', 'Canceladas', 'Ingresos'])
      await expect(yesterday.getByRole('columnheader', { name, exact: true })).toBeInViewport({ ratio: 1 })
    const total = yesterday.getByRole('row', { name: /^Total/ })
    await expect(total).toBeInViewport({ ratio: 1 })
    await expect(total).toContainText('que hace 7 días')
    await expect(total).toContainText('que la media')
  })

  test('sees why the sync failed without scrolling', async ({ page }) => {
    const fault = `${PMS}/__control/faults/marisma-cabanyal`
    expect((await api.put(fault, { data: { kind: 'html' } })).ok()).toBe(true)
    const why = page.getByText(/Marisma Cabanyal.*la respuesta del PMS no se puede leer/)
    try {
      const hand = await handOn(page)
      await page.goto('/')
      await hand.within(1, 'why the sync failed', async () => {
        await hand.tap(page.getByRole('button', { name: 'Sincronizar ahora' }))
        await expect(why).toBeInViewport({ ratio: 1 })
      })
    } finally {
      expect((await api.delete(fault)).ok()).toBe(true)
    }
    expect((await api.post('/api/sync', { data: { source: 'pms' } })).ok()).toBe(true)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(why).toHaveCount(0)
  })
})

/** Minutes of the service day, which begins at six. */
const minute = (time: string) => ((Number(time.slice(0, 2)) + 18) % 24) * 60 + Number(time.slice(3))

const isLate = (time: string) =>
  minute(new Date().toLocaleTimeString('sv', { timeZone: VENUE_ZONE }).slice(0, 5)) - minute(time) >= 15

const timeOf = (parties: { id: string; time: string }[], id: string) =>
  parties.find((party) => party.id === id)?.time ?? ''
