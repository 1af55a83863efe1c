import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const MANAGER = 'operaciones@demo.example'

test('the reports say who comes again; the split and the period are in the address', async ({
  page,
  signIn,
}) => {
  await signIn(MANAGER)
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Informes', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Informes' })).toBeVisible()
  const cohorts = page.getByRole('table', { name: /^Clientes nuevos por mes/ })
  await expect(cohorts.getByRole('row', { name: /^Todos los clientes nuevos/ })).toContainText(/\d\s?%/)
  // Of this month's guests nobody knows yet.
  await expect(cohorts.getByText('Aún no').first()).toBeVisible()
  await page.getByLabel('Desglose').selectOption({ label: 'Por local de la primera visita' })
  await expect(page).toHaveURL(/split=location/)
  await expect(cohorts.getByRole('row', { name: /Chamberí/ })).toBeVisible()
  await page.getByLabel('Periodo').selectOption('6')
  await expect(page).toHaveURL(/months=6/)
  await page.getByText('Cómo se cuenta').click()
  await expect(page.getByText(/^Una cohorte es el grupo/)).toBeVisible()
})

test('a report is downloaded as CSV', async ({ page, signIn }) => {
  await signIn(MANAGER)
  await page.goto('/reports')
  await page.getByRole('button', { name: 'Descargar los informes' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Ingresos por nivel (CSV)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^tiers-.*\.csv$/)
})

test('the reports by channel fit on a phone, and speak English', async ({ page, signIn }) => {
  await signIn(MANAGER)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/reports?split=channel')
  await expect(page.getByRole('heading', { name: 'Ingresos por nivel' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.goto('/reports?split=source')
  await speakEnglish(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  await expectNoSpanish(page)
})
