import { expect, test } from './fixtures'

const PMS = process.env.PMS_URL ?? ''

test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))

test('home shows the sync as the PMS served it, and today’s service', async ({ page, request }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Reservas al día')).toBeVisible()
  const before = await (await request.get(`${PMS}/__control/ledger`)).json()
  await page.reload()
  // What a location received last is what the PMS served it since the sync before: the ledger counts both.
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Reservas al día')).toBeVisible()
  const after = await (await request.get(`${PMS}/__control/ledger`)).json()
  const served = after.venues['marisma-cabanyal'].rows - before.venues['marisma-cabanyal'].rows
  expect(served).toBeGreaterThan(30)
  await page.reload()
  const counts = page.getByRole('list', { name: 'Reservas recibidas por local' })
  await expect(counts.getByRole('listitem')).toHaveCount(5)
  const line = counts.getByRole('listitem').filter({ hasText: 'Marisma Cabanyal' })
  await expect(line).toContainText(`${served} reservas`)
  await expect(page.getByRole('heading', { name: 'Comensales por hora' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Próximas llegadas' })).toBeVisible()
})

test('problems of a sync are shown in words, by location, and go away with the next one', async ({
  page,
  request,
}) => {
  const fault = `${PMS}/__control/faults/marisma-cabanyal`
  expect((await request.put(fault, { data: { kind: 'html' } })).ok()).toBe(true)
  await page.goto('/')
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Sincronización con 1 problema')).toBeVisible()
  const told = 'la respuesta del sistema de reservas no se pudo leer'
  await expect(page.getByText(told)).toBeVisible()
  await expect(page.locator('main')).not.toContainText('get_reservs')
  expect((await request.delete(fault)).ok()).toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Sincronizar ahora' }).click()
  await expect(page.getByText('Reservas al día')).toBeVisible()
  await page.reload()
  await expect(page.getByText(told)).toHaveCount(0)
})

test('from the day’s reservations to a customer and their history', async ({ page }) => {
  await page.goto('/reservations')
  await expect(page.getByRole('heading', { level: 1, name: 'Reservas' })).toBeVisible()
  // A week ago every location but the closed ones had guests, and all is settled.
  const shown = page.getByRole('button', { name: /^Elegir día/ })
  for (let day = 0; day < 6; day++) {
    const before = (await shown.textContent()) ?? ''
    await page.getByRole('link', { name: 'Día anterior' }).click()
    await expect(shown).not.toHaveText(before)
  }
  await page.getByRole('link', { name: /Completadas/ }).click()
  await expect(page).toHaveURL(/status=completed/)
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toContainText('Completada')
  const link = page.getByRole('table').locator('a[href^="/customers/"]').first()
  const name = (await link.textContent()) ?? ''
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(name.length).toBeGreaterThan(2)
  await expect(page.getByRole('list', { name: 'Cronología' }).getByText('Completada').first()).toBeVisible()
  await expect(page.getByText('Gasto total')).toBeVisible()
})

test('customers are searched without accents and paged', async ({ page }) => {
  await page.goto('/customers?sort=name')
  await page.getByRole('link', { name: 'Página siguiente' }).click()
  await expect(page).toHaveURL(/cursor=/)
  await expect(page.getByRole('link', { name: 'Primera página' })).toBeVisible()
  await page
    .getByRole('textbox', { name: /Nombre, correo/ })
    .or(page.getByRole('searchbox'))
    .fill('munoz')
  await expect(page).toHaveURL(/search=munoz/)
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toContainText(/mu[nñ]oz/i)
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /Nombre, correo/ }))
    .fill('zzzz nadie')
  await expect(page.getByText('Ningún cliente coincide')).toBeVisible()
})

test('a customer who is not there says so', async ({ page }) => {
  const response = await page.goto('/customers/00000000-0000-4000-8000-000000000000')
  expect(response?.status()).toBe(404)
  await expect(page.getByText('Este cliente no existe')).toBeVisible()
})
