import { expect, test } from './fixtures'

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
