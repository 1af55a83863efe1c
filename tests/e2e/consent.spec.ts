import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { unsubscribePath } from './pages'

const stamp = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`

/** A guest of the test's own with an e-mail, whom marketing may write to by it. */
async function guest(page: Page): Promise<{ id: string; email: string }> {
  const email = `consent-${stamp()}@correo.example`
  const consent = { email: { basis: 'opt_in', reason: 'Firmó en la barra' } }
  const data = { first_name: 'Nora', last_name: 'Consiente', email, consent }
  const response = await page.request.post('/api/customers', { data })
  expect(response.status(), await response.text()).toBe(201)
  return { id: (await response.json()).data.id, email }
}

test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))

test('on a phone a guest is opted out with a reason, which is undone; then their basis changes', async ({
  page,
}) => {
  const { id } = await guest(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/customers/${id}`)
  const card = page.getByRole('region', { name: 'Consentimiento' })
  const email = card.getByRole('listitem').filter({ hasText: 'Correo' })
  await expect(email).toContainText('Se le puede escribir')
  await expect(email).toContainText('por Óscar Benítez')
  await expect(email).toContainText('«Firmó en la barra»')
  await expect(card.getByRole('listitem').filter({ hasText: 'SMS' })).toContainText('Sin dato')

  await card.getByRole('button', { name: 'Dar de baja: correo' }).click()
  const form = page.getByRole('dialog')
  await expect(form).toContainText('Las confirmaciones de reserva le llegan igual')
  await form.getByLabel('Cómo consta').selectOption('Otro motivo')
  await form.getByRole('button', { name: 'Dar de baja' }).click()
  await expect(form.getByText('Escribe cómo consta.')).toBeVisible()
  await form.getByLabel('Detalle').fill('Nada de boletines, por favor')
  await form.getByRole('button', { name: 'Dar de baja' }).click()
  await expect(email).toContainText(/Baja anotada por el equipo, \d+ \w+ \d{4}/)
  await expect(email).toContainText('«Nada de boletines, por favor»')
  await expectNoSidewaysScroll(page)

  await card.getByRole('button', { name: 'Deshacer: correo' }).click()
  await expect(email).toContainText('Se le puede escribir')
  await expect(email).toContainText('«Firmó en la barra»')
  await expect(card.getByRole('button', { name: 'Deshacer: correo' })).toHaveCount(0)

  await card.getByRole('button', { name: 'Cambiar la base: correo' }).click()
  await form.getByLabel('Base', { exact: true }).selectOption('Ninguna: no escribir')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(email).toContainText('Sin base')
  await expect(email).toContainText('«Lo dijo en el restaurante»')
})

test('a guest who follows the link of a message shows as who opted out, and when', async ({ page }) => {
  const { id, email } = await guest(page)
  await page.goto(await unsubscribePath(email))
  await page.getByRole('button').click()
  await page.goto(`/customers/${id}`)
  const card = page.getByRole('region', { name: 'Consentimiento' })
  await expect(card).toContainText(/Baja por enlace, \d+ \w+ \d{4}/)
  await expect(card).toContainText('lo pidió Nora Consiente')
  await page.goto('/customers?segment=new&consent=email:opted_out&sort=recent')
  await expect(page.getByRole('link', { name: 'Nora Consiente' }).first()).toBeVisible()
})
