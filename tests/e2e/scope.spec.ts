import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, openFilters, speakEnglish, test } from './fixtures'
import { YES } from './service-night'

const OPERATIONS = 'operaciones@demo.example'
const CHAMBERI = 'Casa Lumbre Chamberí'
const CABANYAL = 'Marisma Cabanyal'

const choice = (page: Page) => page.getByLabel('Local que se muestra')
const chosen = (page: Page) => choice(page).locator('option:checked')
const places = (page: Page) => page.getByRole('table', { name: /por local/ }).getByRole('rowheader')
const idOf = async (page: Page, name: string) =>
  (await choice(page).locator('option', { hasText: name }).getAttribute('value')) ?? ''

test.beforeEach(({ signIn }) => signIn(OPERATIONS))

test('two tabs keep to their own location, in their header as in their figures', async ({
  page,
  context,
}) => {
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/')
  await choice(page).selectOption(CHAMBERI)
  await expect(places(page)).toHaveText([new RegExp(CHAMBERI)])
  // The other tab showed all, and goes on to when it is loaded anew.
  await expect(other).toHaveURL(/location=all/)
  await other.reload()
  await expect(chosen(other)).toHaveText('Todos los locales')
  await expect(places(other).filter({ hasText: CABANYAL })).toHaveCount(1)

  await choice(other).selectOption(CABANYAL)
  await expect(places(other)).toHaveText([new RegExp(CABANYAL)])
  await page.reload()
  await expect(chosen(page)).toHaveText(CHAMBERI)
  await expect(places(page)).toHaveText([new RegExp(CHAMBERI)])
  const location = await idOf(page, CHAMBERI)
  for (const [name, path] of [
    ['Reservas', '/reservations'],
    ['Clientes', '/customers'],
    ['Calendario', '/calendar'],
    ['Incidencias', '/tickets'],
    ['Inicio', '/'],
  ] as const) {
    await page
      .getByRole('navigation', { name: 'Navegación principal' })
      .getByRole('link', { name, exact: true })
      .click()
    // The page before has the same heading level and location: the path says that this one is here.
    await expect(page).toHaveURL(
      (url) => url.pathname === path && url.searchParams.get('location') === location,
    )
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(chosen(page)).toHaveText(CHAMBERI)
  }
  await page.goBack()
  await expect(page).toHaveURL(/\/tickets\?/)
  await expect(chosen(page)).toHaveText(CHAMBERI)
})

test('a link can be shared, and a fresh visit begins where the last one was', async ({ page, context }) => {
  await page.goto('/reservations')
  await choice(page).selectOption(CABANYAL)
  const id = await idOf(page, CABANYAL)
  await expect(page).toHaveURL(`/reservations?location=${id}`)
  const fresh = await context.newPage()
  await fresh.goto('/customers?sort=name')
  await expect(fresh).toHaveURL(`/customers?sort=name&location=${id}`)
  await expect(chosen(fresh)).toHaveText(CABANYAL)
  await fresh.goto(`/reservations?location=${await idOf(page, CHAMBERI)}`)
  await expect(chosen(fresh)).toHaveText(CHAMBERI)
  await fresh.goto('/reservations?location=all')
  await expect(chosen(fresh)).toHaveText('Todos los locales')
})

test('a location that is not one’s own is said, and all are shown', async ({ page }) => {
  await page.goto('/?location=00000000-0000-4000-8000-000000000000')
  const notice = page.getByRole('status').filter({ hasText: 'No trabajas en el local de esta dirección' })
  await expect(notice).toBeVisible()
  await expect(chosen(page)).toHaveText('Todos los locales')
  await expect(places(page).filter({ hasText: CABANYAL })).toHaveCount(1)
  await speakEnglish(page)
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Got it' }).click()
  await expect(page).toHaveURL('/?location=all')
  await expect(page.getByText('You do not work in the location')).toHaveCount(0)
})

test('a page that is the same everywhere says so beside the choice', async ({ page }) => {
  await page.goto('/assistant')
  await expect(choice(page)).toHaveAccessibleDescription('Esta página no depende del local')
  await page.goto('/reservations')
  await expect(choice(page)).toHaveAccessibleDescription('')
})

test('totals follow the source and the name', async ({ page }) => {
  const { data } = await (await page.request.get('/api/locations')).json()
  const location = data.find(({ name }: { name: string }) => name === CHAMBERI).id
  const name = `Quiteria ${Math.random().toString(36).slice(2, 8)}`
  const booking = { location_id: location, customer_name: name, party_size: 3, status: 'confirmed' }
  const when = { reservation_date: '2027-02-03', reservation_time: '21:00', confirm: YES }
  const made = await page.request.post('/api/reservations', { data: { ...booking, ...when } })
  expect(made.status()).toBe(201)
  await page.goto(`/reservations?date=2027-02-03&location=${location}`)
  await page.getByRole('searchbox').fill(name)
  await expect(page).toHaveURL(/search=Quiteria/)
  const list = page.getByRole('region', { name: 'Reservas del día' })
  await expect(list).toContainText('1 esperada · 3 comensales')
  const confirmed = page.getByRole('link', { name: /^Confirmadas/ })
  await expect(confirmed).toContainText('1')
  await confirmed.click()
  await expect(list).toContainText('1 de estas · 3 comensales')
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Origen' }).selectOption({ label: 'Del PMS' })
  await expect(page.getByText('Ninguna reserva coincide')).toBeVisible()
})

test('the tickets and events of home are those of the chosen location, as on their own pages', async ({
  page,
}) => {
  const { data } = await (await page.request.get('/api/locations')).json()
  const idOfPlace = (name: string) => data.find((place: { name: string }) => place.name === name).id
  const mark = Math.random().toString(36).slice(2, 8)
  const made: string[] = []
  for (const [place, location_id] of [
    ['aquí', idOfPlace(CHAMBERI)],
    ['allí', idOfPlace(CABANYAL)],
    ['en todos', null],
  ]) {
    const title = `${mark} ${place}`
    const soon = new Date(Date.now() + 3_600_000 + made.length * 60_000).toISOString()
    const event = await page.request.post('/api/calendar-events', {
      data: { title, event_datetime: soon, location_id },
    })
    expect(event.status()).toBe(201)
    made.push((await event.json()).data.id)
  }
  const agenda = page.getByRole('region', { name: 'Agenda de hoy y mañana' })
  const titles = agenda.getByText(new RegExp(`^${mark} `))
  const due = page.getByRole('region', { name: 'Incidencias que vencen' }).getByRole('listitem')
  const elsewhere = due.filter({ hasNotText: CHAMBERI })
  await page.goto('/?location=all')
  await expect(titles).toHaveText([/aquí/, /allí/, /en todos/])
  await expect(elsewhere).not.toHaveCount(0)
  await page.goto(`/?location=${idOfPlace(CHAMBERI)}`)
  await expect(titles).toHaveText([/aquí/])
  await expect(elsewhere).toHaveCount(0)
  for (const id of made) expect((await page.request.delete(`/api/calendar-events/${id}`)).ok()).toBe(true)
})

test('a list goes on and back page by page, and is found again from a customer as it was left', async ({
  page,
}) => {
  await page.goto('/customers?sort=name')
  const first = await page.getByRole('table').getByRole('row').nth(1).textContent()
  await expect(page.getByRole('link', { name: 'Página anterior' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Página siguiente' }).click()
  await expect(page).toHaveURL(/cursor=/)
  const second = page.url()
  await page.getByRole('link', { name: 'Página siguiente' }).click()
  await expect(page).not.toHaveURL(second)
  await page.getByRole('link', { name: 'Página anterior' }).click()
  await expect(page).toHaveURL(second)

  const row = page.getByRole('table').locator('a[href^="/customers/"]').nth(30)
  await row.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(0)
  await row.click()
  await expect(page.getByRole('list', { name: 'Cronología' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Clientes', exact: true }).click()
  await expect(page).toHaveURL(second)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before / 2)

  // Opened anew in the same tab, the page still leads back to the same filters and page.
  await row.click()
  await expect(page.getByRole('list', { name: 'Cronología' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(second)
  await page.getByRole('link', { name: 'Página anterior' }).click()
  await expect(page).not.toHaveURL(/cursor=/)
  await expect(page.getByRole('table').getByRole('row').nth(1)).toHaveText(first ?? '')
})
