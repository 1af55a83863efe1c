import type { Browser, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { CHOSEN, newColleague } from './colleague'
import { expect, test } from './fixtures'

const PERSON = 'pr@demo.example'
const DEMO = { email: PERSON, password: DEMO_PASSWORD }
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

/** Another device of the person, signed in. */
async function device(browser: Browser, userAgent?: string, who = DEMO) {
  const context = await browser.newContext({ ...(userAgent ? { userAgent } : {}), locale: 'es-ES' })
  await enter(await context.newPage(), who)
  return context
}

async function enter(page: Page, data = DEMO) {
  expect((await page.request.post('/api/auth/sign-in', { data })).ok()).toBe(true)
}

const isIn = async (page: Page) => (await page.request.get('/api/notices')).status() === 200

test('one sees where one is signed in, and ends one session and then the others', async ({
  page,
  browser,
}) => {
  await enter(page)
  const [phone, laptop] = [await device(browser, IPHONE), await device(browser)]
  await page.goto('/')
  await page.getByRole('button', { name: /^Tu cuenta/ }).click()
  await page.getByRole('link', { name: 'Tu cuenta' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tu cuenta' })).toBeVisible()
  await expect(page.getByText(PERSON, { exact: true }).last()).toBeVisible()
  const rows = page.getByRole('row')
  await expect(rows.filter({ hasText: 'Esta sesión' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Safari en iOS' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Cerrar la sesión de Safari en iOS' }).click()
  await expect(page.getByText('Sesión cerrada: Safari en iOS')).toBeVisible()
  await expect(rows.filter({ hasText: 'Safari en iOS' })).toHaveCount(0)
  const [onPhone, onLaptop] = [await phone.newPage(), await laptop.newPage()]
  expect([await isIn(page), await isIn(onPhone), await isIn(onLaptop)]).toEqual([true, false, true])
  await onPhone.goto('/')
  await expect(onPhone).toHaveURL(/\/sign-in/)
  await page.getByRole('button', { name: 'Cerrar las demás sesiones' }).click()
  await expect(page.getByText('Las demás sesiones están cerradas')).toBeVisible()
  expect([await isIn(page), await isIn(onLaptop)]).toEqual([true, false])
  await expect(page.getByRole('button', { name: 'Cerrar las demás sesiones' })).toHaveCount(0)
  await Promise.all([phone.close(), laptop.close()])
})

test('all sessions end after a question, this one too', async ({ page, browser }) => {
  await enter(page)
  const other = await device(browser)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Cerrar todas las sesiones' }).click()
  await page.getByRole('button', { name: 'Cancelar' }).click()
  expect(await isIn(page)).toBe(true)
  await page.getByRole('button', { name: 'Cerrar todas las sesiones' }).click()
  await page.getByRole('button', { name: 'Cerrar todas', exact: true }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  expect([await isIn(page), await isIn(await other.newPage())]).toEqual([false, false])
  await other.close()
})

test('the password changes for who knows it; mistakes lose nothing', async ({ page, browser }) => {
  const { email, leave } = await newColleague(browser)
  const who = { email, password: CHOSEN }
  await enter(page, who)
  const other = await device(browser, undefined, who)
  await page.goto('/account')
  const [current, next] = [
    page.getByRole('textbox', { name: 'Contraseña actual' }),
    page.getByRole('textbox', { name: 'Contraseña nueva' }),
  ]
  const save = page.getByRole('button', { name: 'Cambiar la contraseña' })
  await current.fill(CHOSEN)
  await next.fill('corta')
  await save.click()
  await expect(page.getByText('entre 10 y 72 caracteres', { exact: false })).toBeVisible()
  await expect(current).toHaveValue(CHOSEN)
  await next.fill(DEMO_PASSWORD)
  await save.click()
  // The first estimate of a password loads some megabytes of words.
  await expect(page.getByText('Es fácil de adivinar', { exact: false })).toBeVisible({ timeout: 30_000 })
  await next.fill(`${CHOSEN}!`)
  await save.click()
  const saved = page.getByText('Contraseña cambiada. Las demás sesiones están cerradas.')
  await expect(saved).toBeVisible()
  expect([await isIn(page), await isIn(await other.newPage())]).toEqual([true, false])
  await other.close()
  await leave()
})

test('an administrator ends the sessions of a colleague', async ({ page, browser, signIn }) => {
  const other = await device(browser)
  await signIn('super@demo.example')
  await page.goto('/settings/team')
  const row = page.getByRole('row').filter({ hasText: PERSON })
  await row.getByRole('button', { name: /^Cerrar las sesiones de/ }).click()
  await page.getByRole('button', { name: 'Cerrar sus sesiones' }).click()
  await expect(page.getByText(/^Sesiones cerradas:/)).toBeVisible()
  expect(await isIn(await other.newPage())).toBe(false)
  await other.close()
})

test('the choice of dark or light survives signing out', async ({ page }) => {
  await enter(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Cambiar entre modo claro y oscuro' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('button', { name: /^Tu cuenta/ }).click()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})
