import { expect, expectNoSidewaysScroll, test } from './fixtures'

test('a super_admin reads what is wrong with the installation, and what to do, also on a phone', async ({
  page,
  signIn,
}) => {
  await signIn('super@demo.example')
  await page.goto('/settings/general')
  await page.getByRole('link', { name: 'Instalación' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Instalación' })).toBeVisible()
  const lines = page.getByRole('list', { name: 'Lo comprobado' }).getByRole('listitem')
  // What is wrong stands first: the demo simulates messages.
  const sandbox = lines.filter({ hasText: 'Modo de pruebas' })
  await expect(sandbox).toContainText('MESSAGE_SANDBOX está en 1')
  await expect(sandbox).toContainText('Borra MESSAGE_SANDBOX y vuelve a desplegar.')
  await expect(sandbox).toContainText('Mal')
  await expect(lines.first()).toContainText('Mal')
  await expect(lines.last()).toContainText('Bien')
  await expect(lines.filter({ hasText: 'Esquema de la base de datos' })).toContainText(
    'Están todas las migraciones',
  )

  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
  await expect(sandbox.getByText('Borra MESSAGE_SANDBOX')).toBeVisible()
  await page.getByRole('link', { name: 'Comprobar otra vez' }).click()
  await expect(lines.first()).toContainText('Mal')
})

test('an admin is not offered the page', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/settings/general')
  await expect(page.getByRole('link', { name: 'Registro de actividad' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Instalación' })).toBeHidden()
})
