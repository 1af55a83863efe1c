import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, test } from './fixtures'

test('a page leads to sign-in and, after a mistake that loses nothing, back to it', async ({ page }) => {
  await page.goto('/customers?sort=spend')
  await expect(page).toHaveURL('/sign-in?next=%2Fcustomers%3Fsort%3Dspend')
  await page.getByLabel('Correo electrónico').fill('operaciones@demo.example')
  const password = page.getByRole('textbox', { name: 'Contraseña' })
  await password.fill('not-the-password')
  await password.press('Enter')
  await expect(page.getByText('El correo o la contraseña no son correctos.')).toBeVisible()
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('operaciones@demo.example')
  await password.fill(DEMO_PASSWORD)
  await password.press('Enter')
  await expect(page).toHaveURL('/customers?sort=spend')
  await expect(page.getByRole('heading', { level: 1, name: 'Clientes' })).toBeVisible()
})

test('a form before its script runs looks as it does afterwards, keeps what was typed, and can then be sent', async ({
  page,
}) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/sign-in?next=%2Fcustomers', { waitUntil: 'commit' })
  await page.getByLabel('Correo electrónico').fill('operaciones@demo.example')
  const password = page.getByRole('textbox', { name: 'Contraseña' })
  await password.fill(DEMO_PASSWORD)
  await password.press('Enter')
  const submit = page.getByRole('button', { name: 'Entrar' })
  await expect(submit).toBeDisabled()
  const look = () =>
    submit.evaluate((button) => {
      const { backgroundColor, color } = getComputedStyle(button)
      return { backgroundColor, color }
    })
  const before = await look()
  held.resolve()
  await expect(submit).toBeEnabled()
  expect(await look()).toEqual(before)
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('operaciones@demo.example')
  await submit.click()
  await expect(page).toHaveURL('/customers')
})

test.describe('while Auth is busy', () => {
  test.use({ expectedNoise: /status of 503/ })

  test('the form says how long, and keeps what was typed', async ({ page }) => {
    const headers = { 'X-Error-Code': 'AUTH_BUSY', 'Retry-After': '7' }
    await page.route('**/api/auth/sign-in', (route) =>
      route.fulfill({ status: 503, headers, json: { error: 'x' } }),
    )
    await page.goto('/sign-in')
    const [email, password] = [
      page.getByLabel('Correo electrónico'),
      page.getByRole('textbox', { name: 'Contraseña' }),
    ]
    await email.fill('operaciones@demo.example')
    await password.fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByText('vuelve a intentarlo en 7 segundos', { exact: false })).toBeVisible()
    await expect(email).toHaveValue('operaciones@demo.example')
    await expect(password).toHaveValue(DEMO_PASSWORD)
    await page.unroute('**/api/auth/sign-in')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
  })
})

test('the next page cannot be on another site', async ({ page }) => {
  await page.goto('/sign-in?next=https://evil.example/')
  await page.getByLabel('Correo electrónico').fill('operaciones@demo.example')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'El servicio de hoy' })).toBeVisible()
})

test('signing out ends it', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  await page.goto('/')
  await page.getByRole('button', { name: /Tu cuenta|Marta/ }).click()
  await page
    .getByRole('button', { name: 'Cerrar sesión' })
    .or(page.getByRole('menuitem', { name: 'Cerrar sesión' }))
    .click()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto('/reservations')
  await expect(page).toHaveURL(/\/sign-in/)
})

test('a person without the permission sees neither the links nor the pages', async ({ page, signIn }) => {
  await signIn('rrhh@demo.example')
  await page.goto('/')
  const nav = page.getByRole('navigation', { name: 'Navegación principal' })
  await expect(nav.getByRole('link', { name: 'Inicio' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Clientes' })).toHaveCount(0)
  await expect(page.getByText('Próximas llegadas')).toHaveCount(0)
  for (const path of ['/customers', '/reservations']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'No tienes acceso a esta página' })).toBeVisible()
  }
})
