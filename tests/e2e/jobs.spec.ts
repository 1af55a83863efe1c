import { type APIRequestContext, type Page, request } from '@playwright/test'
import { addDays } from '@/lib/dates'
import { currentServiceDay, localTime, serviceMinute } from '@/lib/reservations/service-day'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, test } from './fixtures'
import { type Hand, handOn } from './hand'
import { book, choice, freeTables, leave, locationId, stored } from './service-night'
import { VENUE_ZONE } from './venue-zone'

// The jobs of a night on a phone, with the taps that each takes: at most three, two to undo, one to find. What is typed
// is no tap. Joining, separating and several tables are in together.spec.ts and several-tables.spec.ts.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

let api: APIRequestContext
test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  const data = { email: 'operaciones@demo.example', password: DEMO_PASSWORD }
  expect((await api.post('/api/auth/sign-in', { data })).ok()).toBe(true)
})
test.afterAll(() => api?.dispose())
test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))
test.afterEach(() => leave(api))

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const search = (page: Page) => page.getByRole('searchbox', { name: /^Buscar por nombre/ })

/** The board with one party of its own on it, found by its name; the hand has not tapped yet. */
async function before(page: Page, name: string): Promise<Hand> {
  const hand = await handOn(page)
  await page.goto(`/service?location_id=${await locationId(api)}`)
  await search(page).fill(name)
  await expect(row(page, name)).toHaveCount(1)
  return hand
}
const sheetOf = async (page: Page, hand: Hand, name: string) => {
  await hand.tap(row(page, name).getByRole('time'))
  return page.getByRole('dialog', { name })
}

test('who calls is found by phone in one tap', async ({ page }) => {
  const phone = `6${String(Date.now()).slice(-8)}`
  const { name } = await book(api, 5, { customer_phone: phone })
  const hand = await handOn(page)
  await page.goto(`/service?location_id=${await locationId(api)}`)
  await hand.within(1, 'find by phone', async () => {
    await hand.tap(search(page))
    await page.keyboard.type(phone)
    await expect(row(page, name)).toHaveCount(1)
    await expect(row(page, name)).toBeInViewport({ ratio: 1 })
  })
})

test('the party says that it comes later, or is one more, in three taps', async ({ page }) => {
  const { id, name } = await book(api, 20, {})
  const hand = await before(page, name)
  await hand.within(3, 'late by 20 minutes', async () => {
    const sheet = await sheetOf(page, hand, name)
    await hand.tap(sheet.getByRole('radio', { name: '20 min' }))
    await hand.tap(sheet.getByRole('button', { name: 'Guardar' }))
    await expect(row(page, name)).toContainText('20 min tarde')
  })
  await hand.within(3, 'one more', async () => {
    const sheet = await sheetOf(page, hand, name)
    await hand.tap(sheet.getByRole('button', { name: 'Uno más' }))
    await hand.tap(sheet.getByRole('button', { name: 'Guardar' }))
    await expect(row(page, name)).toContainText('5 personas')
  })
  await expect.poll(async () => (await stored(api, id)).party_size).toBe(5)
})

test('a seated party moves to another table in three taps', async ({ page }) => {
  const [from, to] = await freeTables(api)
  const { id, name } = await book(api, -5, { table_name: from, status: 'seated' })
  const hand = await before(page, name)
  await hand.within(3, 'move to another table', async () => {
    const sheet = await sheetOf(page, hand, name)
    await hand.tap(sheet.getByRole('button', { name: `Mesa ${from}: elegir otra` }))
    const target = choice(page.getByRole('dialog'), to)
    await target.scrollIntoViewIfNeeded()
    await hand.tap(target)
  })
  await expect.poll(async () => (await stored(api, id)).table_name).toBe(to)
})

test('a tap of a minute ago is undone in two', async ({ page }) => {
  const { id, name } = await book(api, 10, {})
  await page.clock.install()
  const hand = await before(page, name)
  await hand.tap(row(page, name).getByRole('button', { name: 'No vino' }).or(more(page, name)))
  if ((await stored(api, id)).status !== 'no_show')
    await hand.tap(row(page, name).getByRole('button', { name: 'No vino' }))
  await expect.poll(async () => (await stored(api, id)).status).toBe('no_show')
  await page.clock.runFor(60_000)
  await expect(page.getByRole('button', { name: 'Deshacer' })).toHaveCount(0)
  await hand.within(2, 'undo after a minute', async () => {
    await hand.tap(more(page, name))
    await hand.tap(row(page, name).getByRole('button', { name: 'Al final viene' }))
  })
  await expect.poll(async () => (await stored(api, id)).status).toBe('confirmed')
})

/** As the calendar names a day: `4 diciembre 2026`. */
function inWords(day: string): string {
  const month = new Date(`${day}T00:00:00Z`).toLocaleDateString('es', { month: 'long', timeZone: 'UTC' })
  return `${Number(day.slice(8))} ${month} ${day.slice(0, 4)}`
}
const more = (page: Page, name: string) =>
  row(page, name).getByRole('button', { name: `Más acciones: ${name}` })

test('a party moves behind midnight, and stays in this night, in three taps', async ({ page }) => {
  const { id, name } = await book(api, 10, {})
  const hand = await before(page, name)
  await hand.within(3, 'after midnight', async () => {
    const sheet = await sheetOf(page, hand, name)
    const time = sheet.getByRole('textbox', { name: 'Hora', exact: true })
    await hand.tap(time)
    await time.fill('00:45')
    await hand.tap(sheet.getByRole('button', { name: 'Guardar' }))
  })
  const yes = page.getByRole('alert').getByRole('button', { name: 'Hacerlo igualmente' })
  await expect
    .poll(async () => (await yes.count()) > 0 || (await stored(api, id)).reservation_time)
    .toBeTruthy()
  if (await yes.isVisible()) await yes.click()
  await expect
    .poll(async () => {
      const { reservation_time, reservation_date } = await stored(api, id)
      return [reservation_time.slice(0, 5), reservation_date]
    })
    .toEqual(['00:45', addDays(currentServiceDay(VENUE_ZONE), 1)])
})

test('next Friday’s tables are three taps away, the week’s money two', async ({ page }) => {
  const today = currentServiceDay(VENUE_ZONE)
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
  const friday = addDays(today, ((5 - weekday + 6) % 7) + 1)
  const hand = await handOn(page)
  await page.goto(`/service?location_id=${await locationId(api)}`)
  await hand.within(3, 'next Friday', async () => {
    await hand.tap(page.getByRole('main').getByRole('link', { name: 'Mesas' }))
    await hand.tap(page.getByRole('navigation', { name: 'Día' }).getByRole('button'))
    await hand.tap(page.getByRole('button', { name: inWords(friday), exact: true }))
    await expect(page).toHaveURL(new RegExp(`date=${friday}`))
  })
  await page.goto(`/service?location_id=${await locationId(api)}`)
  await hand.within(2, 'the week’s money', async () => {
    await hand.tap(page.getByRole('button', { name: 'Abrir el menú' }))
    await hand.tap(page.getByRole('link', { name: 'Informes', exact: true }))
    await expect(page.getByText('Ingresos', { exact: true }).first()).toBeInViewport({ ratio: 1 })
  })
})

/** The first shift of today that has not closed: what is over is closed no more. Null late at night. */
async function shiftToClose(place: string): Promise<string | null> {
  const { data } = await (await api.get(`/api/locations/${place}/hours`)).json()
  const weekday = new Date(currentServiceDay(VENUE_ZONE)).getUTCDay() || 7
  const now = serviceMinute(localTime(VENUE_ZONE))
  type Shift = { name: string; weekdays: number[]; closes: string }
  const shifts = (data.shifts as Shift[]).filter(({ weekdays }) => weekdays.includes(weekday))
  return shifts.find(({ closes }) => serviceMinute(closes) > now)?.name ?? null
}

test('the shift under way is closed in three taps', async ({ page }) => {
  const hand = await handOn(page)
  const place = await locationId(api)
  const proposed = await shiftToClose(place)
  await page.goto(`/reservations?location_id=${place}`)
  const reason = `Corte de luz ${Date.now().toString(36)}`
  await hand.within(3, 'close a shift', async () => {
    await hand.tap(page.getByRole('button', { name: 'Más acciones' }))
    await hand.tap(page.getByRole('button', { name: 'Cerrar un día, turno o zona' }))
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Turno')).toHaveValue(proposed ?? '')
    await expect(dialog.getByLabel('Motivo')).toBeFocused()
    await page.keyboard.type(reason)
    await hand.tap(dialog.getByRole('button', { name: 'Cerrar', exact: true }).last())
  })
  const closed = async () => {
    const { data } = await (await api.get(`/api/locations/${place}/closings`)).json()
    return data.find((each: { reason: string }) => each.reason === reason)
  }
  await expect.poll(closed).toMatchObject({ shift: proposed, zone: null })
  const gone = await api.delete(`/api/locations/${place}/closings/${(await closed()).id}`)
  expect(gone.ok()).toBe(true)
})
