import { type APIRequestContext, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { book, locationId } from './service-night'

const NINE_DAYS = 9 * 24 * 60

test.use({ viewport: { width: 390, height: 844 } })

/** The manager's own API: it books what a host looks for. */
let api: APIRequestContext
test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  const data = { email: 'operaciones@demo.example', password: DEMO_PASSWORD }
  expect((await api.post('/api/auth/sign-in', { data })).ok()).toBe(true)
})
test.afterAll(() => api?.dispose())
test.beforeEach(({ signIn }) => signIn('sala@demo.example'))

/** A Spanish mobile that nobody else has, in groups. */
const phone = () => `6${String(Date.now()).slice(-8)}`.replace(/(...)(..)(..)(..)/, '$1 $2 $3 $4')

test('the board finds a party by phone, name in any order, and a typing error, also without a connection', async ({
  page,
  context,
}) => {
  const number = phone()
  const { name } = await book(api, 5, { customer_phone: number, notes: 'Celebran una jubilación' })
  const [, word = ''] = name.split(' ')
  await page.goto('/service')
  const field = page.getByRole('searchbox')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await field.fill('nobody at all')
  await expect(row).toHaveCount(0)
  await field.fill(number)
  await expect(row).toHaveCount(1)
  await context.setOffline(true)
  for (const typed of [
    `+34 ${number}`,
    `0034${number}`,
    `${word} garcia`,
    `gracia ${word}`,
    `jubilac ${word}`,
  ]) {
    await field.fill('nobody at all')
    await expect(row).toHaveCount(0)
    await field.fill(typed)
    await expect(row).toHaveCount(1)
  }
})

test('the search finds who waits for a table, too, and leaves the others out', async ({ page }) => {
  const number = phone()
  const name = `Espera ${number.slice(-2)}`
  const data = { location_id: await locationId(api), name, phone: number, party_size: 2 }
  const { data: made } = await (await api.post('/api/waitlist', { data })).json()
  try {
    await page.goto('/service')
    const waiting = page.getByRole('region', { name: 'En espera' })
    await expect(waiting).toContainText(name)
    await page.getByRole('searchbox').fill(number)
    await expect(waiting.getByRole('listitem')).toHaveText([new RegExp(name)])
    await expect(page.getByText('Nadie coincide en este servicio')).toHaveCount(0)
    await page.getByRole('searchbox').fill('nobody at all')
    await expect(page.getByText('Nadie coincide en este servicio')).toBeVisible()
    await expect(waiting).toHaveCount(0)
  } finally {
    await api.patch(`/api/waitlist/${made.id}`, { data: { action: 'leave' } })
  }
})

test('a search of other days that fails says so, and is tried again', async ({ page }) => {
  const { name } = await book(api, NINE_DAYS, { customer_phone: phone() })
  await page.goto('/service')
  await page.route('**/api/service/find?*', (route) => route.abort('internetdisconnected'))
  await page.getByRole('searchbox').fill(name)
  const others = page.getByRole('region', { name: 'En otros días' })
  await expect(others.getByRole('status')).toContainText('No se ha podido buscar. Comprueba la conexión.')
  await page.unroute('**/api/service/find?*')
  await others.getByRole('button', { name: 'Reintentar' }).click()
  await expect(others.getByRole('link', { name })).toBeVisible()
  await expect(others.getByRole('status')).toHaveText('1 reserva')
  await page.getByRole('searchbox').fill('nobody at all')
  await expect(others.getByRole('status')).toHaveText('Ninguna reserva coincide.')
  // The demo has far more of this name.
  await page.getByRole('searchbox').fill('garcia')
  const first = /Las \d+ primeras reservas: escribe más para ver otras\./
  await expect(page.getByRole('status').filter({ hasText: first })).toBeVisible()
})

test('below the board stands who comes on another day; the choice opens the booking there', async ({
  page,
}) => {
  const { id, name } = await book(api, NINE_DAYS, { customer_phone: phone() })
  await page.goto('/service')
  await page.getByRole('searchbox').fill(name.toLowerCase())
  await expect(page.getByText('Nadie coincide en este servicio')).toBeVisible()
  const other = page.getByRole('region', { name: 'En otros días' }).getByRole('link', { name })
  await expect(other).toContainText('4 personas')
  expect(await violations(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  await other.click()
  await expect(page).toHaveURL(new RegExp(`/reservations\\?.*reservation=${id}`))
  await expect(page.getByRole('dialog')).toContainText(name)
})

test('the palette finds a booking nine days ahead by phone, and opens it on its day', async ({ page }) => {
  const number = phone()
  const { id, name } = await book(api, NINE_DAYS, { customer_phone: number })
  await page.goto('/service')
  await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  await page.getByRole('combobox', { name: /Buscar/ }).fill(`+34 ${number}`)
  const option = page.getByRole('group', { name: 'Reservas', exact: true }).getByRole('option', { name })
  await expect(option).toContainText('4 personas · Confirmada')
  expect(await violations(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  await option.click()
  await expect(page).toHaveURL(new RegExp(`/reservations\\?.*reservation=${id}`))
  await expect(page.getByRole('dialog')).toContainText(name)
})
