import type { APIRequestContext, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { YES } from './service-night'

const host = 'operaciones@demo.example'
const FIELDS = ['status', 'total_amount', 'table_name', 'notes'] as const

interface Stored {
  id: string
  customer_id: string | null
  customer_name: string
  reservation_time: string
  party_size: number
  status: string
  visited: boolean | null
  total_amount: number | null
  source: string
}

/** A day from now, in Madrid. */
const day = (offset: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(
    new Date(Date.now() + offset * 86_400_000),
  )

/** The first reservation of the PMS that fits, and its day. On a Monday most of the demo's restaurants are closed. */
async function find(
  api: APIRequestContext,
  dates: string[],
  wanted: (one: Stored) => boolean,
): Promise<{ date: string; found: Stored }> {
  for (const date of dates) {
    const { data } = await (await api.get(`/api/reservations?date=${date}&limit=200`)).json()
    const found = data.find((one: Stored) => one.source === 'pms' && one.customer_name && wanted(one))
    if (found) return { date, found }
  }
  throw new Error(`The demo has no such reservation on ${dates.join(', ')}`)
}
const stored = async (api: APIRequestContext, id: string) =>
  (await (await api.get(`/api/reservations/${id}`)).json()).data

/** Leaves the reservation as it was, whatever the API asks of it. */
async function restore(api: APIRequestContext, before: Stored): Promise<void> {
  const data = Object.fromEntries(FIELDS.map((field) => [field, before[field as keyof Stored] ?? null]))
  const answer = await api.patch(`/api/reservations/${before.id}`, { data: { ...data, confirm: YES } })
  expect(answer.ok(), await answer.text()).toBe(true)
}
const open = async (page: Page, date: string, { id, customer_name: name }: Stored) => {
  await page.goto(`/reservations?date=${date}&search=${encodeURIComponent(name)}&reservation=${id}`)
  const drawer = page.getByRole('dialog', { name })
  await expect(drawer).toBeVisible()
  return drawer
}

/** A party that every table of the demo seats: a larger one may be asked for its table when it comes back. */
const isSmall = ({ status, party_size }: Stored) => status === 'confirmed' && party_size <= 2

test('a reservation of the PMS is marked as cancelled, and the mark is taken back by button and by keyboard', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  const tomorrow = day(1)
  const { found: booked } = await find(page.request, [tomorrow], isSmall)
  const drawer = await open(page, tomorrow, booked)
  await expect(drawer).toContainText('El PMS gestiona los demás datos')
  // Nobody has stayed away from a service that is still to come.
  for (const name of ['No vino', 'Sentar']) await expect(drawer.getByRole('button', { name })).toHaveCount(0)
  await drawer.getByRole('button', { name: 'Cancelar reserva' }).click()
  await expect(drawer.getByText('Reserva cancelada')).toBeVisible()
  await expect(drawer.getByText('Marcado por el equipo; el PMS dice: Confirmada')).toBeVisible()
  const activity = drawer.getByRole('region', { name: 'Actividad' })
  await expect(activity.getByRole('listitem').first()).toContainText('de Confirmada a Cancelada')
  await expect(activity.locator('time').first()).toHaveAttribute('title', /\d{4}/)
  await drawer.getByRole('button', { name: 'Deshacer' }).click()
  await expect(drawer.getByText('Deshecho')).toBeVisible()
  await expect(drawer.getByText('Marcado por el equipo')).toHaveCount(0)
  expect((await stored(page.request, booked.id)).status).toBe('confirmed')

  // By keyboard the way back has the focus; its shortcut works wherever the focus is.
  await drawer.getByRole('button', { name: 'Cancelar reserva' }).press('Enter')
  await expect(drawer.getByRole('button', { name: 'Deshacer' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: booked.customer_name })
  await expect(row.filter({ hasText: 'Cancelada' })).toHaveCount(1)
  await row
    .filter({ hasText: 'Cancelada' })
    .getByRole('link', { name: /ver la reserva/ })
    .click()
  await drawer.getByRole('button', { name: 'Volver a confirmada' }).press('Enter')
  await expect(drawer.getByRole('button', { name: 'Deshacer' })).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(drawer.getByText('Deshecho')).toBeVisible()
  expect((await stored(page.request, booked.id)).status).toBe('cancelled')
  await restore(page.request, booked)
})

test('amount and table of a reservation of the PMS are marked, and survive a sync', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  const tomorrow = day(1)
  const { found: booked } = await find(page.request, [tomorrow], isSmall)
  const drawer = await open(page, tomorrow, booked)
  const edit = drawer.getByRole('button', { name: 'Importe, mesa y notas' })
  await edit.click()
  const form = page.getByRole('dialog', { name: 'Importe, mesa y notas' })
  await expect(form.getByLabel('Importe (EUR)')).toBeFocused()
  await expect(form).toContainText('El PMS gestiona los demás datos.')
  await form.getByLabel('Importe (EUR)').fill('ochenta')
  await form.getByLabel('Mesa').fill('Barra 3')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Un importe de 0 a 1.000.000')).toBeVisible()
  await expect(form.getByLabel('Importe (EUR)')).toBeFocused()
  await form.getByLabel('Importe (EUR)').fill('84,50')
  // What cannot be saved stays typed.
  await page.route(
    '**/api/reservations/**',
    (route) => route.fulfill({ status: 429, json: { error: 'Too many requests' } }),
    {
      times: 1,
    },
  )
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('No se ha podido guardar')).toBeVisible()
  await expect(form.getByLabel('Mesa')).toHaveValue('Barra 3')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form).toHaveCount(0)
  await expect(drawer).toContainText('84,50 €')
  await expect(drawer).toContainText('Barra 3')
  await expect(drawer.getByText(/^Marcado por el equipo; el PMS/)).toBeVisible()

  await page.goto('/')
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText(/^(Reservas al día|Sincronización con \d+ problemas?)$/)).toBeVisible({
    timeout: 30_000,
  })
  await open(page, tomorrow, booked)
  await expect(drawer).toContainText('84,50 €')
  await expect(drawer).toContainText('Barra 3')
  await expect(drawer.getByRole('region', { name: 'Actividad' })).toContainText('cambió: importe y mesa')
  await restore(page.request, booked)
})

test('the next morning the drawer says why a reservation is a visit, and can be put right, on a phone too', async ({
  page,
  signIn,
}) => {
  await signIn(host)
  // Over at any hour of the night, too.
  const { date, found: unmarked } = await find(
    page.request,
    [-2, -3, -4, -5].map(day),
    (one) => one.status === 'confirmed' && one.visited === true && one.total_amount === null,
  )
  await page.setViewportSize({ width: 390, height: 844 })
  const drawer = await open(page, date, unmarked)
  await expect(drawer).toContainText(
    'Nadie marcó la llegada; el local cuenta las reservas confirmadas como visita.',
  )
  await expect(drawer.getByText('Importe', { exact: true }).locator('..')).toContainText('est.')
  await expectNoSidewaysScroll(page)
  await drawer.getByRole('button', { name: 'No vino' }).click()
  await expect(drawer.getByRole('button', { name: 'Deshacer' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expect(drawer.getByText('Nadie marcó la llegada')).toHaveCount(0)
  expect((await stored(page.request, unmarked.id)).visited).toBe(false)
  await drawer.getByRole('button', { name: 'Deshacer' }).click()
  await expect(drawer.getByText('Nadie marcó la llegada')).toBeVisible()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ hasText: unmarked.customer_name })
  await expect(row.getByText('visita', { exact: true }).first()).toBeVisible()
})

test('money that is an estimate says so, with how it is computed', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  const { data } = await (await page.request.get('/api/customers?sort=spend&limit=50')).json()
  const guest = data.find((one: { spend_is_estimate: boolean }) => one.spend_is_estimate)
  await page.goto(`/customers/${guest.id}`)
  const how = 'Estimado: comensales × gasto medio del local, donde falta el importe'
  const spend = page.getByRole('definition').filter({ hasText: 'est.' }).first()
  await expect(spend).toContainText(how)
  await expect(spend.getByTitle(how)).toBeVisible()
  await page.goto('/customers?sort=spend')
  await expect(page.getByRole('table').getByTitle(how).first()).toBeVisible()
  const { data: automations } = await (await page.request.get('/api/automations')).json()
  const estimated: string[] = []
  for (const { id } of automations) {
    const { data: results } = await (await page.request.get(`/api/automations/${id}/results`)).json()
    if (results.estimated_revenue > 0) estimated.push(id)
  }
  expect(estimated.length).toBeGreaterThan(0)
  await page.goto(`/automations/${estimated[0]}`)
  await expect(page.getByRole('definition').getByTitle(how)).toHaveCount(1)
  await expect(page.getByText(/de las visitas; .* son estimados/)).toBeVisible()
  await page.goto('/automations')
  await expect(page.getByRole('table').getByTitle(how).locator('visible=true')).toHaveCount(estimated.length)
})
