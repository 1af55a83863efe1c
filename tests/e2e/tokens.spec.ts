import { expect, expectNoSidewaysScroll, test } from './fixtures'

test('a token is made, shown once, asks the API without a session, and opens nothing once revoked', async ({
  page,
  signIn,
  playwright,
  baseURL,
}) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/tokens')
  await expect(page.getByText('Todavía no hay tokens')).toBeVisible()
  await expect(page.getByText('curl -H "Authorization: Bearer sbm_…"')).toBeVisible()

  await page.getByRole('button', { name: 'Crear token' }).click()
  const form = page.getByRole('dialog', { name: 'Crear token' })
  await form.getByRole('button', { name: 'Crear token' }).click()
  await expect(form.getByText('Escribe un nombre de una línea')).toBeVisible()
  await form.getByLabel('Nombre').fill('Cuadro de mando')
  await form.getByRole('button', { name: 'Crear token' }).click()
  await expect(form.getByText('Marca al menos un permiso.')).toBeVisible()
  await form.getByLabel('Reservas: consultar, apuntar y cambiar').check()
  await form.getByLabel('Caduca').selectOption('30')
  await form.getByRole('button', { name: 'Crear token' }).click()

  const made = page.getByRole('dialog', { name: 'Token creado' })
  const token = await made.getByLabel('Token', { exact: true }).inputValue()
  expect(token).toMatch(/^sbm_[0-9a-f-]{36}_[\w-]{43}$/)
  await expect(made.getByText('Solo se muestra ahora.')).toBeVisible()
  await made.getByRole('button', { name: 'Hecho' }).click()
  const row = page.getByRole('row', { name: 'Cuadro de mando' })
  await expect(row).toContainText(token.slice(0, 12))
  expect(await page.content()).not.toContain(token)
  await expectNoSidewaysScroll(page)

  const program = await playwright.request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  })
  expect((await program.get('/api/reservations')).status()).toBe(200)
  expect((await program.get('/api/customers')).status()).toBe(403)
  await page.reload()
  await expect(row).toContainText('Último uso')

  await row.getByRole('button', { name: 'Revocar «Cuadro de mando»' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revocar token' }).click()
  await expect(page.getByText('Token revocado: Cuadro de mando')).toBeVisible()
  await expect(row).toContainText('Revocado')
  expect((await program.get('/api/reservations')).status()).toBe(401)
  await program.dispose()
})
