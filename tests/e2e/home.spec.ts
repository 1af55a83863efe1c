import { addDays, instantAt, localDate } from '@/lib/dates'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { YES } from './service-night'
import { VENUE_ZONE } from './venue-zone'

const host = 'operaciones@demo.example'
const PANELS = [
  'Hoy por local',
  'Clientes que conviene conocer',
  'Próximas llegadas',
  'Comensales por hora',
  'Esta semana y la pasada',
  'Incidencias que vencen',
  'Agenda de hoy y mañana',
  'Última sincronización',
]
/** What names no guest, for everyone. */
const OPEN = PANELS.filter((name) => !['Clientes que conviene conocer', 'Próximas llegadas'].includes(name))

test('a guest of note is shown with the reasons, and links to the reservation', async ({ page, signIn }) => {
  await signIn(host)
  const { locations } = await (await page.request.get('/api/organization/context?view=assignments')).json()
  const day = currentServiceDay(VENUE_ZONE)
  const name = `Rita ${Date.now()}`
  const made = await page.request.post('/api/customers', {
    data: {
      first_name: name,
      email: `rita-${Date.now()}@correo.example`,
      birth_date: `1984-${day.slice(5)}`,
      notes: 'Alergia al látex',
    },
  })
  expect(made.ok(), await made.text()).toBe(true)
  const booked = await page.request.post('/api/reservations', {
    data: {
      location_id: locations[0].id,
      customer_id: (await made.json()).data.id,
      reservation_date: day,
      reservation_time: '23:45',
      party_size: 2,
      status: 'confirmed',
      confirm: YES,
    },
  })
  expect(booked.ok(), await booked.text()).toBe(true)
  await page.goto('/')
  const panel = page.getByRole('region', { name: 'Clientes que conviene conocer' })
  const guest = panel.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
  await expect(guest).toContainText('Alergia o intolerancia')
  await expect(guest).toContainText('Cumple años hoy')
  await expect(guest).toContainText('Primera visita')
  await expect(guest).toContainText('Alergia al látex')
  await guest.getByRole('link', { name }).click()
  await expect(page.getByRole('dialog', { name })).toContainText('Alergia al látex')
})

test('this week is compared with last week, day by day, with the right figures', async ({ page, signIn }) => {
  await signIn(host)
  const today = currentServiceDay(VENUE_ZONE)
  const monday = new Date(`${today}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const day = (offset: number) => new Date(monday.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  const stats = await (await page.request.get(`/api/stats/overview?from=${day(-7)}&to=${day(6)}`)).json()
  const covers = stats.data.days.map((one: { covers: number }) => String(one.covers))
  await page.goto('/')
  const table = page.getByRole('table', { name: 'Comensales por día de esta semana y de la pasada' })
  const rows = table.getByRole('row')
  await expect(rows).toHaveCount(8)
  // What is still to come is booked, not served.
  const booked = (count: string) => `${count} reservado${count === '1' ? '' : 's'}`
  for (let index = 0; index < 7; index++) {
    const count = covers[index + 7]
    const now = day(index) < today ? count : booked(count)
    await expect(rows.nth(index + 1).getByRole('cell')).toHaveText([covers[index], now])
  }
  const chart = page.getByRole('region', { name: 'Esta semana y la pasada' })
  await expect(chart.getByTitle(/ · La pasada: \d+$/)).toHaveCount(7)
  await expect(chart.getByTitle(new RegExp(`^lun · Esta semana: ${covers[7]}$`))).toBeVisible()
})

test('what is planned for today and tomorrow is on the agenda', async ({ page, signIn }) => {
  await signIn(host)
  const tomorrow = addDays(localDate(new Date(), VENUE_ZONE), 1)
  const title = `Cata ${Date.now()}`
  const made = await page.request.post('/api/calendar-events', {
    data: { title, event_datetime: instantAt(`${tomorrow}T12:30`, VENUE_ZONE).toISOString() },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await page.goto('/')
  const panel = page.getByRole('region', { name: 'Agenda de hoy y mañana' })
  await expect(panel.getByRole('heading', { name: 'Mañana', exact: true })).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: title })).toContainText('12:30')
})

test('nothing moves while the panels come in', async ({ page, signIn }) => {
  await signIn(host)
  await page.addInitScript(() => {
    const moved = window as unknown as { shift: number }
    moved.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) moved.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/')
  for (const name of PANELS) await expect(page.getByRole('region', { name })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.1)
})

test('a role without reservations sees the figures and no names', async ({ page, signIn }) => {
  await signIn('rrhh@demo.example')
  await page.goto('/')
  for (const name of OPEN) await expect(page.getByRole('region', { name })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Clientes que conviene conocer' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Próximas llegadas' })).toHaveCount(0)
  await expect(page.locator('main a[href*="reservation"]')).toHaveCount(0)
})

test('on a phone home has every panel, and in English too', async ({ page, signIn }) => {
  await signIn(host)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  for (const name of PANELS) await expect(page.getByRole('region', { name })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await expect(page.getByRole('region', { name: 'Customers to know' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'This week and last week' })).toBeVisible()
  await expectNoSpanish(page)
})
