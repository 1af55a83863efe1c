import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { YES } from './service-night'

const PMS = process.env.PMS_URL ?? ''
const PHONE = { width: 390, height: 844 }
const PLACE = 'Marisma Cabanyal'
const host = 'operaciones@demo.example'

const madrid = (instant: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid', dateStyle: 'short' }).format(instant)
const inDays = (days: number) => madrid(new Date(Date.now() + days * 86_400_000))

async function locationIds(page: Page): Promise<Record<string, string>> {
  const { data } = await (await page.request.get('/api/locations?limit=200')).json()
  return Object.fromEntries(data.map(({ id, name }: { id: string; name: string }) => [name, id]))
}

test('a week beyond what the PMS was asked for has no data, not zeros; what is booked by hand is there', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  const far = inDays(120)
  await page.goto(`/reservations?view=week&date=${far}`)
  const week = page.getByRole('region', { name: 'La semana por local' })
  // Five locations and the total, seven days and the week.
  await expect(week.getByRole('table').getByText('Sin datos', { exact: true })).toHaveCount(48)
  await expect(week.getByText(/por esos días todavía no se ha preguntado al PMS/)).toBeVisible()
  // Another test's location has no PMS.
  const places = week.getByRole('row').filter({ hasNot: page.getByRole('rowheader', { name: /^Cierra / }) })
  await expect(places.filter({ hasText: 'ninguna reserva' })).toHaveCount(0)
  await page.goto(`/reservations?date=${far}`)
  await expect(page.getByText('Sin datos de este día')).toBeVisible()

  const ids = await locationIds(page)
  const made = await page.request.post('/api/reservations', {
    data: {
      location_id: ids[PLACE],
      customer_name: 'Mesa de boda',
      reservation_date: far,
      reservation_time: '14:00',
      party_size: 9,
      status: 'confirmed',
      confirm: YES,
    },
  })
  expect(made.ok(), await made.text()).toBe(true)
  await page.reload()
  await expect(page.getByText('Mesa de boda')).toBeVisible()
  await expect(page.getByText(/^Sin datos de .*Casa Lumbre Triana.* este día\.$/)).toBeVisible()
  await page.goto(`/reservations?view=week&date=${far}`)
  const row = week.getByRole('row').filter({ has: page.getByRole('rowheader', { name: PLACE }) })
  await expect(row.getByText('1 reserva', { exact: true }).first()).toBeVisible()
  await expect(row.getByText('Sin datos', { exact: true })).toHaveCount(6)

  await page.setViewportSize(PHONE)
  const days = week.getByRole('list', { name: /Comensales, reservas/ }).locator(':scope > li')
  await expect(days).toHaveCount(7)
  await expect(days.filter({ hasText: 'Sin datos' })).toHaveCount(7)
  await expect(days.filter({ hasText: 'Mesa' }).or(days.filter({ hasText: '1 reserva' }))).toHaveCount(1)
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  const main = page.locator('main')
  await expect(main.getByText('No data', { exact: true }).filter({ visible: true }).first()).toBeVisible()
  await expectNoSpanish(page)
})

test('the next weeks are known: the demo asked for them', async ({ page, signIn }) => {
  await signIn(host)
  const known = async () => {
    const stats = await page.request.get(`/api/stats/overview?from=${inDays(2)}&to=${inDays(30)}`)
    return (await stats.json()).data.totals.known
  }
  await expect.poll(known).toBe('all')
  await page.goto(`/reservations?view=week&date=${inDays(14)}`)
  const week = page.getByRole('region', { name: 'La semana por local' })
  await expect(week).toContainText(/\d+ reservas · \d+ comensales/)
  await expect(week.getByText('Sin datos')).toHaveCount(0)
})

test('a location with a failing PMS shows the age of its data on its row and above today’s pages', async ({
  page,
  signIn,
  request,
}) => {
  const fault = `${PMS}/__control/faults/marisma-cabanyal`
  const sync = () => page.request.post('/api/sync', { data: { source: 'pms' } })
  const banner = page.getByRole('status').filter({ hasText: /el PMS responde con un error/ })
  const said = new RegExp(
    `Los datos de ${PLACE} son de(l| las) .*\\d\\d:\\d\\d \\(.*\\): el PMS responde con un error`,
  )
  await signIn('admin@demo.example')
  const ids = await locationIds(page)
  expect((await sync()).ok()).toBe(true)
  await page.goto('/')
  await expect(banner).toHaveCount(0)

  expect((await request.put(fault, { data: { kind: 'error', status: 404 } })).ok()).toBe(true)
  try {
    expect((await sync()).ok()).toBe(true)
    await page.reload()
    await expect(banner).toHaveText(said)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: PLACE }) })
    await expect(row).toContainText(/Datos de(l| las) .*\d\d:\d\d/)
    await page.setViewportSize(PHONE)
    await expect(banner).toBeVisible()
    await expectNoSidewaysScroll(page)
    // In the scope of the chosen location, and on pages of today only.
    await page.goto(`/?location_id=${ids['Casa Lumbre Triana']}`)
    await expect(banner).toHaveCount(0)
    await page.goto(`/?location_id=${ids[PLACE]}`)
    await expect(banner).toHaveText(said)
    await page.goto('/reservations')
    await expect(banner).toHaveText(said)
    await expectNoSidewaysScroll(page)
    await page.goto('/reservations?view=week')
    await expect(banner).toHaveText(said)
    await page.goto(`/reservations?date=${inDays(-3)}`)
    await expect(banner).toHaveCount(0)
    await page.goto('/settings/locations')
    await expect(row).toContainText(/Datos de(l| las) .*\d\d:\d\d/)
    await expectNoSidewaysScroll(page)
    await speakEnglish(page)
    await expect(row).toContainText(/Data from .*\d\d:\d\d/)
    await expectNoSpanish(page)
    await page.goto('/')
    await expect(page.getByRole('status').filter({ hasText: 'the PMS answers with an error' })).toBeVisible()
    await expectNoSpanish(page)
  } finally {
    await request.delete(fault)
    expect((await sync()).ok()).toBe(true)
  }
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'PMS' })).toHaveCount(0)
})
