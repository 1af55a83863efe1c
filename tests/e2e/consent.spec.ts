import type { APIResponse, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { connectResend } from './resend'

const stamp = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`

/** A guest of the test's own with an e-mail and consent for marketing on it. */
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

test('the link in an automation’s e-mail opts a guest out, and their page shows who and when', async ({
  page,
  signIn,
}) => {
  const api = page.request
  const done = async <T>(response: APIResponse): Promise<{ data: T }> => {
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  await signIn('super@demo.example')
  const resend = await connectResend(api)
  const { quiet_from, quiet_until } = (
    await done<{ quiet_from: string; quiet_until: string }>(await api.get('/api/organization'))
  ).data
  try {
    // At any hour of the clock: no quiet hours.
    await done(await api.patch('/api/organization', { data: { quiet_from: '00:00', quiet_until: '00:00' } }))
    const { id, email } = await guest(page)
    const tag = `e2e-${stamp()}`
    await done(await api.patch(`/api/customers/${id}`, { data: { tags: [tag] } }))
    const automation = {
      ...{ name: tag, type: 'vip_reward', channel: 'email', status: 'active', tags: [tag] },
      ...{ subject: 'Una copa de la casa', body: 'Hola, {{ first_name }}', criteria: { min_spend: 0 } },
    }
    const made = (await done<{ id: string }>(await api.post('/api/automations', { data: automation }))).data
    expect(await done(await api.post(`/api/automations/${made.id}/run`))).toMatchObject({
      processed: 1,
      sent: 1,
    })

    const sent = resend.accepted.filter((one) => JSON.stringify(one.email.to).includes(email))
    expect(sent).toHaveLength(1)
    const html = String(sent[0]?.email.html)
    expect(html).toContain('Hola, Nora')
    const link = /href="([^"]*\/u\/[^"]+)"/.exec(html)?.[1] ?? ''
    await page.context().clearCookies()
    await page.goto(link)
    await page.getByRole('button', { name: /baja/i }).click()
    await expect(page.getByRole('heading', { name: 'Te has dado de baja' })).toBeVisible()

    await signIn('super@demo.example')
    expect((await api.delete(`/api/automations/${made.id}`)).status()).toBe(204)
    await expectOptedOut(page, id)
  } finally {
    await signIn('super@demo.example')
    await api.patch('/api/organization', { data: { quiet_from, quiet_until } })
    await resend.close()
  }
})

async function expectOptedOut(page: Page, id: string) {
  await page.goto(`/customers/${id}`)
  const card = page.getByRole('region', { name: 'Consentimiento' })
  await expect(card).toContainText(/Baja por enlace, \d+ \w+ \d{4}/)
  await expect(card).toContainText('lo pidió Nora Consiente')
  await page.goto('/customers?segment=new&consent=email:opted_out&sort=recent')
  await expect(page.getByRole('link', { name: 'Nora Consiente' }).first()).toBeVisible()
}
