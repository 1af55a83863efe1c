import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { PAGES, pathOf } from './pages'

const stamp = () => Date.now().toString(36)

test('a guest answers the survey on a phone, and staff see it with its ticket', async ({
  page,
  browser,
  signIn,
}) => {
  const words = `Cuarenta minutos de espera ${stamp()}`
  const survey = PAGES.find(({ route }) => route === '/f/[token]')
  if (!survey) throw new Error('no survey')
  const path = await pathOf(survey, page.request)
  // Without scripts: the page is a plain form.
  const guest = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
    baseURL: process.env.BASE_URL,
  })
  const phone = await guest.newPage()
  expect((await phone.goto(path))?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  await expect(phone.getByRole('heading', { level: 1 })).toContainText('How was')
  await phone.getByRole('link', { name: 'Español' }).click()
  await expect(phone.getByRole('heading', { level: 1 })).toContainText('¿Qué tal en')

  await phone.getByRole('radio', { name: '1 estrella', exact: true }).check({ force: true })
  await phone.getByLabel('¿Quieres contarnos algo más?').fill(words)
  await phone.getByRole('button', { name: 'Enviar mi valoración' }).click()
  await expect(phone.getByRole('heading', { name: 'Gracias por tu respuesta' })).toBeVisible()
  await expect(phone.getByText('1 de 5')).toBeVisible()
  // What was written is not shown to whoever has the link.
  await expect(phone.getByText(words)).toHaveCount(0)
  const reviews = phone.getByRole('region', { name: '¿Lo cuentas también a otros?' })
  await expect(reviews).toHaveCount(0)
  await phone.getByText('Cambiar mi respuesta').click()
  await phone.getByRole('radio', { name: '5 estrellas' }).check({ force: true })
  await phone.getByRole('button', { name: 'Enviar mi valoración' }).click()
  await expect(reviews.getByRole('link', { name: 'Google' })).toHaveAttribute('rel', 'noopener noreferrer')
  await expectNoSidewaysScroll(phone)
  await phone.getByText('Cambiar mi respuesta').click()
  await phone.getByRole('radio', { name: '2 estrellas' }).check({ force: true })
  await phone.getByRole('button', { name: 'Enviar mi valoración' }).click()
  await expect(phone.getByText('2 de 5')).toBeVisible()
  await expect(reviews).toHaveCount(0)
  await guest.close()

  await signIn('super@demo.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/feedback?score=2&days=7')
  const row = page.getByRole('row').filter({ hasText: words })
  await expect(row).toContainText('2 de 5')
  await expectNoSidewaysScroll(page)

  const reply = `Sentimos la espera ${stamp()}`
  await row.getByRole('button', { name: /^Responder a / }).click()
  const dialog = page.getByRole('dialog', { name: /^Responder a / })
  await expect(dialog).toContainText(words)
  await dialog.getByRole('button', { name: 'Enviar la respuesta' }).click()
  await expect(dialog.getByText('Escribe la respuesta.')).toBeVisible()
  await dialog.getByLabel('Respuesta', { exact: true }).fill(reply)
  await page.reload()
  await expect(dialog.getByLabel('Respuesta', { exact: true })).toHaveValue(reply)
  await dialog.getByRole('button', { name: 'Enviar la respuesta' }).click()
  await expect(row).toContainText(reply)
  await expect(row).toContainText('Respuesta de')
  await expect(row.getByRole('button', { name: /^Responder a / })).toHaveCount(0)

  await row.getByRole('link', { name: 'Ver la incidencia' }).click()
  await expect(page.getByRole('heading', { name: /Mala valoración de/ })).toBeVisible()
  await expect(page.getByText(`«${words}»`).first()).toBeVisible()

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/feedback?score=2&days=7')
  await row.getByRole('link').filter({ hasNotText: 'incidencia' }).first().click()
  await expect(page.getByRole('region', { name: 'Su última opinión' })).toContainText(words)
})

test('a link that is not ours says so in both languages', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/f/nonsense')
  await expect(page.getByRole('heading', { name: 'Este enlace no es válido' })).toBeVisible()
  await expect(page.getByText('no longer belong to a visit')).toBeVisible()
  await expectNoSidewaysScroll(page)
  // A guest has nothing to install, and no app to keep.
  await expect(page.locator('link[rel="manifest"]')).toHaveCount(0)
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
})
