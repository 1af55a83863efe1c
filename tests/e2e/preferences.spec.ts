import { GUEST_LANGUAGES, LANGUAGE_NAMES } from '@/lib/i18n/guest-languages'
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

  // The page speaks the language of its guest from now on.
  const ways = phone.getByRole('group', { name: 'Per on t’escrivim' })
  await expect(phone.locator('html')).toHaveAttribute('lang', 'ca')
  await expect(phone.getByRole('heading', { level: 1, name: 'Desat' })).toBeVisible()
  await expect(phone.getByText(/T’escriurem per correu electrònic, un cop al mes com a màxim/)).toBeVisible()
  await expect(phone.getByText(`Res de ${brand}.`)).toBeVisible()
  await expect(ways.getByRole('checkbox', { name: 'SMS i WhatsApp' })).not.toBeChecked()
  await expect(phone.getByRole('radio', { name: 'Un cop al mes com a màxim' })).toBeChecked()
  await expect(phone.getByRole('group', { name: 'De quins restaurants' }).getByLabel(brand)).not.toBeChecked()
  await expect(phone.getByLabel('Idioma dels missatges')).toHaveValue('ca')

  await phone.getByRole('button', { name: 'Donar-me de baixa de tot' }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'T’has donat de baixa' })).toBeVisible()
  await expect(phone.getByRole('radio', { name: 'Res' })).toBeChecked()
  await phone.getByRole('button', { name: 'Desfer' }).click()
  await expect(ways.getByRole('checkbox', { name: 'correu electrònic' })).toBeChecked()
  await expect(ways.getByRole('checkbox', { name: 'SMS i WhatsApp' })).not.toBeChecked()
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

test('guests’ pages speak ten languages on the smallest phone, each chosen by its own name, without scripts', async ({
  browser,
}) => {
  const guest = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'es-ES',
    viewport: { width: 320, height: 640 },
    baseURL: process.env.BASE_URL,
  })
  const phone = await guest.newPage()
  const titles = new Set<string>()
  for (const path of [
    await linkPath('unsubscribe-path'),
    await linkPath('survey-path'),
    '/u/nothing',
    '/f/nothing',
  ]) {
    await phone.goto(path)
    for (const language of GUEST_LANGUAGES) {
      const link = phone.getByRole('link', { name: LANGUAGE_NAMES[language], exact: true })
      await expect(link).toHaveAttribute('hreflang', language)
      await link.focus()
      await phone.keyboard.press('Enter')
      await expect(phone.locator('html')).toHaveAttribute('lang', language)
      await expect(link).toHaveAttribute('aria-current', 'true')
      await expectNoSidewaysScroll(phone)
      titles.add(`${path} ${await phone.title()}`)
    }
  }
  // Of each page one a language: none is left in another.
  expect(titles.size).toBe(4 * GUEST_LANGUAGES.length)
  await guest.close()
})
