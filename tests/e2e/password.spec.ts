import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHOSEN, newColleague } from './colleague'
import { expect, test } from './fixtures'

/** The links of the mails that the demo printed for the person, oldest first. */
function mailedLinks(person: string): string[] {
  const file = join(process.env.DATA_DIR ?? '.data', 'mail.log')
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(person))
    .map((line) => line.split(': ').at(-1) ?? '')
}

test('a forgotten password is replaced by the mailed link, once', async ({ page, browser }) => {
  const { email: person, leave } = await newColleague(browser)
  await page.goto('/sign-in')
  await page.getByRole('link', { name: '¿Has olvidado la contraseña?' }).click()
  await expect(page).toHaveURL(/\/forgot-password/)
  await expect(page.getByRole('button', { name: 'Enviar el enlace' })).toBeVisible()
  const email = page.getByLabel('Correo electrónico')
  await email.fill('pr')
  await page.getByRole('button', { name: 'Enviar el enlace' }).click()
  await expect(page.getByText('Escribe una dirección de correo válida.')).toBeVisible()
  await email.fill(person)
  await page.getByRole('button', { name: 'Enviar el enlace' }).click()
  await expect(page.getByText('Si esa dirección tiene cuenta', { exact: false })).toBeVisible()
  await expect(async () => expect(mailedLinks(person).length).toBeGreaterThan(0)).toPass()
  const link = new URL(mailedLinks(person).at(-1) ?? '')
  await page.goto(link.pathname + link.search)
  const password = page.getByRole('textbox', { name: 'Contraseña nueva' })
  await password.fill('corta')
  await page.getByRole('button', { name: 'Guardar la contraseña' }).click()
  await expect(page.getByText('entre 10 y 72 caracteres', { exact: false })).toBeVisible()
  await password.fill(`${CHOSEN}!`)
  await page.getByRole('button', { name: 'Guardar la contraseña' }).click()
  await page.getByRole('link', { name: 'Iniciar sesión' }).click()
  await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
  await email.fill(person)
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(`${CHOSEN}!`)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()

  await page.context().clearCookies()
  await page.goto(link.pathname + link.search)
  await password.fill(CHOSEN)
  await page.getByRole('button', { name: 'Guardar la contraseña' }).click()
  await expect(page.getByText('El enlace ya se ha usado o ha caducado', { exact: false })).toBeVisible()
  await expect(password).toHaveValue(CHOSEN)
  await leave()
})

test('a link without its token leads to another one', async ({ page }) => {
  await page.goto('/reset-password')
  await expect(page.getByText('A este enlace le falta una parte', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: 'Pedir otro enlace' }).click()
  await expect(page).toHaveURL('/forgot-password')
})
