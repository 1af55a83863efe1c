import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { linkPath } from './pages'

const stamp = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`

test('a guest chooses on a phone, without scripts, what to get; leaves it all with one tap; and staff see it', async ({
  page,
  browser,
  signIn,
}) => {
  await signIn('super@demo.example')
  const email = `elige-${stamp()}@correo.example`
  const data = { first_name: 'Elena', last_name: 'Elige', email, phone: '+34600123987' }
  const made = await page.request.post('/api/customers', { data })
  expect(made.status(), await made.text()).toBe(201)
  const { id } = (await made.json()).data
  const path = await linkPath('unsubscribe-path', email)

  const guest = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'es-ES',
    viewport: { width: 360, height: 780 },
    baseURL: process.env.BASE_URL,
  })
  const phone = await guest.newPage()
  const opened = await phone.goto(path)
  expect(opened?.headers()['referrer-policy'] ?? '').not.toBe('unsafe-url')
  await expect(phone.getByText(/el…@correo\.example/)).toBeVisible()
  await expect(phone.getByText(email)).toHaveCount(0)
  const channels = phone.getByRole('group', { name: 'Por dónde te escribimos' })
  const brands = phone.getByRole('group', { name: 'De qué restaurantes' })
  await expect(channels.getByRole('checkbox')).toHaveCount(2)
  await channels.getByRole('checkbox', { name: 'SMS y WhatsApp' }).uncheck()
  await phone.getByRole('radio', { name: 'Una vez al mes como mucho' }).check()
  const first = brands.getByRole('checkbox').first()
  const brand = (await brands.locator('label').first().textContent()) ?? ''
  await first.uncheck()
  await phone.getByLabel('Idioma de los mensajes').selectOption('Català')
  await expectNoSidewaysScroll(phone)
  await phone.getByRole('button', { name: 'Guardar' }).click()

  await expect(phone.getByRole('heading', { level: 1, name: 'Guardado' })).toBeVisible()
  await expect(
    phone.getByText(/Te escribiremos por correo electrónico, una vez al mes como mucho/),
  ).toBeVisible()
  await expect(phone.getByText(`Nada de ${brand}.`)).toBeVisible()
  await expect(channels.getByRole('checkbox', { name: 'SMS y WhatsApp' })).not.toBeChecked()
  await expect(phone.getByRole('radio', { name: 'Una vez al mes como mucho' })).toBeChecked()
  await expect(first).not.toBeChecked()
  await expect(phone.getByLabel('Idioma de los mensajes')).toHaveValue('ca')

  await phone.getByRole('button', { name: 'Darme de baja de todo' }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'Te has dado de baja' })).toBeVisible()
  await expect(phone.getByRole('radio', { name: 'Nada' })).toBeChecked()
  await phone.getByRole('button', { name: 'Deshacer' }).click()
  await expect(channels.getByRole('checkbox', { name: 'correo electrónico' })).toBeChecked()
  await expect(channels.getByRole('checkbox', { name: 'SMS y WhatsApp' })).not.toBeChecked()
  await guest.close()

  await page.goto(`/customers/${id}`)
  const card = page.getByRole('region', { name: 'Consentimiento' })
  await expect(card).toContainText('Como mucho una vez al mes')
  await expect(card).toContainText(`No quiere mensajes de ${brand}`)
})

test('the page wears the group’s colours, and can be read in the light and in the dark', async ({
  page,
  signIn,
}) => {
  await signIn('super@demo.example')
  const looks = await page.request.patch('/api/email-looks', {
    data: { color: '#ffe000', button_color: '#fff6b0' },
  })
  expect(looks.status(), await looks.text()).toBe(200)
  try {
    await page.goto(await linkPath('unsubscribe-path'))
    const button = page.getByRole('button', { name: 'Guardar' })
    await expect(button).toHaveCSS('background-color', 'rgb(255, 246, 176)')
    await expect(button).toHaveCSS('color', 'rgb(0, 0, 0)')
    for (const scheme of ['light', 'dark'] as const) {
      await changeScheme(page, scheme)
      expect(await violations(page), scheme).toEqual([])
    }
    await page.keyboard.press('Tab')
    await expectNoSidewaysScroll(page)
  } finally {
    await page.request.patch('/api/email-looks', { data: { color: null, button_color: null } })
  }
})
