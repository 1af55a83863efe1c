import { violations } from './axe'
import { expect, expectNoSidewaysScroll, speakEnglish, test } from './fixtures'
import { settled } from './settled'

const PMS = process.env.PMS_URL ?? ''
const OPERATIONS = 'operaciones@demo.example'

test('the location chosen in the header holds everywhere, until an address names another', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  await page.goto('/')
  const places = page.getByRole('table', { name: /por local/ }).getByRole('rowheader')
  await expect(places.filter({ hasText: 'Casa Lumbre Chamberí' })).toHaveCount(1)
  const choice = page.getByLabel('Local que se muestra')
  await choice.selectOption('Marisma Cabanyal')
  await expect(places).toHaveText([/Marisma Cabanyal/])
  await page.reload()
  await expect(places).toHaveText([/Marisma Cabanyal/])
  await page.getByRole('link', { name: 'Reservas', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reservas' })).toBeVisible()
  await expect(choice.locator('option:checked')).toHaveText('Marisma Cabanyal')
  await expect(page.getByRole('columnheader', { name: 'Local' })).toHaveCount(0)
  const id = await choice.locator('option', { hasText: 'Casa Lumbre Chamberí' }).getAttribute('value')
  // As it was shared before the parameter had its name.
  await page.goto(`/?location_id=${id}`)
  await expect(page).toHaveURL(`/?location=${id}`)
  await expect(places).toHaveText([/Casa Lumbre Chamberí/])
  await expect(choice.locator('option:checked')).toHaveText('Casa Lumbre Chamberí')
  await choice.selectOption('Todos los locales')
  await expect(page).toHaveURL(/location=all/)
  await expect(places.filter({ hasText: 'Casa Lumbre Chamberí' })).toHaveCount(1)
})

test('the palette finds pages, customers and reservations by keyboard, and loads when it is opened', async ({
  page,
  signIn,
}) => {
  await signIn(OPERATIONS)
  // Made here: some of the demo's guests share their telephone.
  const person = { first_name: 'Palmira', phone: `+346${String(Date.now()).slice(-8)}` }
  const made = await page.request.post('/api/customers', { data: person })
  expect(made.ok(), await made.text()).toBe(true)
  const { data: known } = await made.json()
  await page.goto('/')
  await settled(page)
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  const button = page.getByRole('button', { name: 'Buscar', exact: true })
  await button.focus()
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', {
    name: 'Buscar páginas, acciones, clientes, reservas e incidencias',
  })
  await expect(input).toBeFocused()
  expect(scripts.length).toBeGreaterThan(0)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(input).toHaveCount(0)
  await expect(button).toBeFocused()

  await page.keyboard.press('Control+k')
  await input.fill(known.phone)
  const customer = page.getByRole('group', { name: 'Clientes' }).getByRole('option').first()
  await expect(customer).toContainText(known.phone)
  await expect(customer).toHaveAttribute('aria-selected', 'true')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/customers/${known.id}`)

  await page.keyboard.press('Control+k')
  await input.fill('i')
  const pages = page.getByRole('group', { name: 'Páginas' }).getByRole('option')
  await page.keyboard.press('ArrowDown')
  await expect(pages.nth(1)).toHaveAttribute('aria-selected', 'true')
  const active = await pages.nth(1).getAttribute('id')
  await expect(input).toHaveAttribute('aria-activedescendant', active ?? '')
  await input.fill('zzzz')
  await expect(page.getByText('Nada coincide con «zzzz»', { exact: false })).toBeVisible()
  await input.fill('RESERVAS')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/reservations')
})

test('a reservation of these days is found by its name', async ({ page, signIn }) => {
  await signIn(OPERATIONS)
  const { data } = await (await page.request.get('/api/reservations?limit=50')).json()
  const booked = data.find((one: { customer_name: string | null }) => one.customer_name)
  await page.goto('/')
  await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  await page.getByRole('combobox', { name: /Buscar/ }).fill(booked.customer_name)
  await page.getByRole('group', { name: 'Reservas', exact: true }).getByRole('option').first().click()
  await expect(page).toHaveURL(/\/reservations\?/)
  // The PMS writes some names in small letters; another reservation of the same guest may come first.
  await expect(page.getByRole('table')).toContainText(booked.customer_name, { ignoreCase: true })
})

test('the palette of a person without customers offers pages, actions and tickets only', async ({
  page,
  signIn,
}) => {
  await signIn('rrhh@demo.example')
  await page.goto('/')
  await settled(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('asis')
  const pages = page.getByRole('group', { name: 'Páginas' })
  await expect(pages.getByRole('option')).toHaveText(['Asistente'])
  await expect(page.getByRole('status').filter({ hasText: 'resultado' })).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/api/') && path !== '/api/tickets')).toEqual([])
})

test('the bell shows a failed sync, and is quiet after a successful one', async ({
  page,
  request,
  signIn,
}) => {
  await signIn('admin@demo.example')
  const fault = `${PMS}/__control/faults/marisma-cabanyal`
  expect((await request.put(fault, { data: { kind: 'html' } })).ok()).toBe(true)
  await page.goto('/')
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Sincronización con 1 problema')).toBeVisible()
  await page.reload()
  const bell = page.getByRole('button', { name: /^Avisos/ })
  const notice = page.getByRole('link', { name: 'La última sincronización de reservas quedó incompleta' })
  await expect(bell).not.toHaveAccessibleName('Avisos: ninguno')
  await bell.click()
  await notice.click()
  await expect(page).toHaveURL('/settings/jobs')
  expect((await request.delete(fault)).ok()).toBe(true)
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Reservas al día')).toBeVisible()
  await page.reload()
  await bell.click()
  await expect(page.locator('#notices')).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('on a phone everything of the header is within reach', async ({ page, signIn }) => {
  await signIn(OPERATIONS)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByLabel('Local que se muestra').selectOption('Marisma Cabanyal')
  await page.getByRole('button', { name: 'Avisos', exact: false }).click()
  await expect(page.getByText('Requiere tu atención')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  await expect(page.getByRole('combobox', { name: /Buscar/ })).toBeFocused()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await speakEnglish(page)
})
