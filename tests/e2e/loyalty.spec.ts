import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const PLACE = 'Marisma Cabanyal'
const VISITS = `Visitas mínimas para Platino en ${PLACE}`
const SPEND = `Gasto mínimo en euros para Platino en ${PLACE}`

test('rules are changed, tried, saved and applied', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  await page.goto('/loyalty')
  await expect(page.getByText('Sin cambios por guardar')).toBeVisible()
  const [visits, spend] = [page.getByLabel(VISITS), page.getByLabel(SPEND)]
  await visits.fill('dos')
  await expect(page.getByText('Un número entero, de 0 en adelante.')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(visits).toBeFocused()
  await visits.fill('2')
  await spend.fill('12,50')
  await expect(page.getByText('1 cambio sin guardar')).toBeVisible()

  await page.getByRole('button', { name: 'Ver qué cambiaría' }).click()
  const preview = page.getByRole('region', { name: 'Qué cambiaría' })
  await expect(preview).toContainText(/subir(ía|ían) de nivel/)
  const told = await preview
    .getByRole('row', { name: new RegExp(PLACE) })
    .getByRole('cell')
    .last()
    .textContent()
  const rising = Number((told ?? '').replace(/\D/g, ''))
  expect(rising).toBeGreaterThan(0)
  const held = page
    .getByRole('table', { name: 'Clientes por nivel' })
    .getByRole('row', { name: new RegExp(PLACE) })
    .getByRole('cell')
    .nth(3)
  const before = Number(((await held.textContent()) ?? '').replace(/\D/g, ''))

  await page.route('**/api/loyalty/rules', (route) => route.fulfill({ status: 429, json: { error: 'x' } }))
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('No se ha podido guardar.', { exact: false })).toBeVisible()
  await expect(spend).toHaveValue('12,50')
  await page.unroute('**/api/loyalty/rules')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Regla guardada.', { exact: false })).toBeVisible()
  await expect(page.getByText('Sin cambios por guardar')).toBeVisible()
  await page.reload()
  await expect(spend).toHaveValue('12,5')
  await expect(held).toHaveText(String(before))

  await page.getByRole('button', { name: 'Recalcular ahora' }).click()
  await expect(page.getByText(/clientes revisados: [\d.]+ han? subido de nivel/)).toBeVisible()
  await expect(held).toHaveText(new Intl.NumberFormat('es-ES').format(before + rising))

  await visits.fill('')
  await spend.fill('')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Regla guardada.', { exact: false })).toBeVisible()
  await page.reload()
  await expect(visits).toHaveValue('')
})

test('changes are given up with one button, and the keyboard is enough', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/loyalty')
  const visits = page.getByLabel(`Visitas mínimas para Oro en ${PLACE}`)
  const was = await visits.inputValue()
  await visits.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('77')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel(`Gasto mínimo en euros para Oro en ${PLACE}`)).toBeFocused()
  await expect(page.getByText('1 cambio sin guardar')).toBeVisible()
  await page.getByRole('button', { name: 'Descartar' }).press('Enter')
  await expect(visits).toHaveValue(was)
})

test('tiers are added and ordered by the super-administrator only', async ({ page, signIn }) => {
  await signIn('admin@demo.example')
  await page.goto('/loyalty')
  await expect(page.getByText('Los cambia superadministración')).toBeVisible()
  await page.context().clearCookies()
  await signIn('super@demo.example')
  await page.goto('/loyalty')
  await page.getByRole('button', { name: 'Editar niveles' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Añadir nivel' }).click()
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Ponle un nombre.')).toBeVisible()
  const name = `Diamante ${Date.now().toString(36)}`
  await form
    .getByRole('textbox', { name: /^Nivel \d+$/ })
    .last()
    .fill(name)
  await form.getByRole('textbox', { name: 'Puntos ×' }).last().fill('2,5')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Niveles guardados')).toBeVisible()
  const tiers = page.getByRole('region', { name: 'Niveles', exact: true }).getByRole('listitem')
  await expect(tiers.last()).toContainText(name)
  await expect(tiers.last()).toContainText('×2,5 puntos')
  await expect(tiers.first()).toContainText('Bronce')
  await expect(page.getByRole('columnheader', { name }).first()).toBeVisible()
})

test('what would change fits on a phone, and speaks English', async ({ page, signIn }) => {
  await signIn('marketing@demo.example')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/loyalty')
  await page.getByRole('button', { name: 'Ver qué cambiaría' }).click()
  await expect(page.getByRole('region', { name: 'Qué cambiaría' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await speakEnglish(page)
  await page.getByRole('button', { name: 'See what would change' }).click()
  await expect(page.getByText(/Of [\d,]+ customers/)).toBeVisible()
  await expectNoSpanish(page)
})

test('loyalty is for marketing', async ({ page, signIn }) => {
  await signIn('operaciones@demo.example')
  await page.goto('/loyalty')
  await expect(page.getByRole('heading', { name: 'No tienes acceso a esta página' })).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Navegación principal' })
  await expect(nav.getByRole('link', { name: 'Fidelización' })).toHaveCount(0)
})
