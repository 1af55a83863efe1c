import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { totpCode } from '../support/totp'
import { expect, test } from './fixtures'

// The embedded stack's Auth has no second factor.
const HAS_SECOND_FACTOR = process.env.STACK === 'postgres'

if (HAS_SECOND_FACTOR)
  test('a second factor is set up, asked for after the password, and taken away by a recovery code', async ({
    page,
    signIn,
  }) => {
    await signIn('ceo@demo.example')
    await page.goto('/account')
    const panel = page.getByRole('region', { name: 'Verificación en dos pasos' })
    await panel.getByRole('button', { name: 'Activar' }).click()
    await expect(panel.getByRole('img', { name: 'Código QR' })).toBeVisible()
    const secret = (await panel.locator('code').textContent()) ?? ''
    const code = panel.getByLabel('Código de seis números')
    await code.fill('12345')
    await panel.getByRole('button', { name: 'Confirmar' }).click()
    await expect(panel.getByText('El código no es válido')).toBeVisible()
    await expect(code).toHaveValue('12345')
    await code.fill(totpCode(secret, new Date()))
    await panel.getByRole('button', { name: 'Confirmar' }).click()
    await expect(panel.getByText('No volverán a aparecer')).toBeVisible()
    const recovery = await panel.locator('li code').allTextContents()
    expect(new Set(recovery).size).toBeGreaterThan(1)
    await panel.getByRole('button', { name: 'Los he guardado' }).click()
    await expect(panel.getByText('Está activada.')).toBeVisible()

    await page.context().clearCookies()
    await page.goto('/sign-in?next=/account')
    await page.getByLabel('Correo electrónico').fill('ceo@demo.example')
    await page.getByRole('textbox', { name: 'Contraseña' }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page).toHaveURL('/second-factor?next=%2Faccount')
    // Without the code, no page but this one.
    await page.goto('/customers')
    await expect(page).toHaveURL('/second-factor?next=%2Fcustomers')
    await page.goto('/second-factor?next=/account')
    await page.getByRole('button', { name: 'No tengo el móvil' }).click()
    const recoveryCode = page.getByLabel('Código de recuperación')
    await recoveryCode.fill('otro-codigo')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(page.getByText('El código de recuperación no es válido.')).toBeVisible()
    await recoveryCode.fill(recovery[0] ?? '')
    await page.getByRole('button', { name: 'Continuar' }).click()
    await expect(page).toHaveURL('/account')
    await expect(panel.getByRole('button', { name: 'Activar' })).toBeVisible()
  })
else
  test('the account says that this installation has no second factor', async ({ page, signIn }) => {
    await signIn('admin@demo.example')
    await page.goto('/account')
    const panel = page.getByRole('region', { name: 'Verificación en dos pasos' })
    await expect(panel).toContainText('no ofrece verificación en dos pasos')
    await expect(panel.getByRole('button')).toHaveCount(0)
  })

test('the page of the second factor leads on who lacks nothing', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/second-factor?next=/tickets')
  await expect(page).toHaveURL(/\/tickets$/)
})

test('requiring it of others needs one’s own first', async ({ page, signIn }) => {
  await signIn('super@demo.example')
  await page.goto('/settings/general')
  await page.getByRole('switch', { name: 'Exigirla a superadministración y administración' }).press('Space')
  await expect(page.getByText('Activa primero la tuya')).toBeVisible()
})
