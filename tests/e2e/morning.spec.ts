import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { locationId } from './service-night'

const MANAGER = 'operaciones@demo.example'

test.beforeEach(({ signIn }) => signIn(MANAGER))

test('beside yesterday stand the days ahead and what the shift handed over', async ({ page }) => {
  await page.goto('/morning')
  await expect(page.getByRole('region', { name: 'Hoy y los próximos días' })).toContainText(
    /de \d+ · \d+\s?%/,
  )
  await expect(page.getByRole('region', { name: 'Notas del turno' })).toContainText('rodaballo')
  await expectNoSidewaysScroll(page)
})

test('the navigation and the palette lead there; other mornings are a click away', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Informe de la mañana' }).first().click()
  await expect(page).toHaveURL(/\/morning$/)
  await page.getByRole('link', { name: 'La mañana anterior' }).click()
  await expect(page).toHaveURL(/date=\d{4}-\d\d-\d\d/)
  await page.getByRole('link', { name: 'Hoy', exact: true }).click()
  await expect(page).toHaveURL(/\/morning$/)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('informe')
  await expect(page.getByRole('option', { name: 'Informe de la mañana' })).toBeVisible()
})

test('a note is written in the service, read in the morning, changed and removed by its author', async ({
  page,
}) => {
  const text = `Nota ${Math.random().toString(36).slice(2, 8)}`
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  await page.getByText(/^Notas para mañana/).click()
  await page.getByRole('button', { name: 'Guardar la nota' }).click()
  await expect(page.getByText('Escribe la nota.')).toBeVisible()
  await page.getByLabel('Nota para mañana').fill(text)
  await page.getByRole('button', { name: 'Guardar la nota' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: text })).toBeVisible()

  await page.goto('/morning')
  const note = page
    .getByRole('region', { name: 'Notas del turno' })
    .getByRole('listitem')
    .filter({ hasText: text })
  await expect(note).toContainText('de hoy')
  await note.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByLabel('Cambiar la nota').fill(`${text} más`)
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(note).toContainText(`${text} más`)
  await expect(note).toContainText('cambiada')
  await note.getByRole('button', { name: 'Quitar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Quitar' }).click()
  await expect(note).toHaveCount(0)
})

test('the PDF, and the files of the reservations, are downloads', async ({ page }) => {
  await page.goto('/morning')
  const pdf = page.waitForEvent('download')
  await page.getByRole('link', { name: 'PDF para imprimir' }).click()
  expect((await pdf).suggestedFilename()).toMatch(/^morning-\d{4}-\d\d-\d\d\.pdf$/)
  await page.goto('/reservations?status=confirmed')
  for (const [name, ending] of [
    ['Descargar CSV', 'csv'],
    ['Descargar Excel', 'xlsx'],
  ] as const) {
    await page.getByRole('button', { name: 'Más acciones' }).click()
    const link = page.getByRole('link', { name })
    expect(await link.getAttribute('href')).toContain('status=confirmed')
    const file = page.waitForEvent('download')
    await link.click()
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^reservations-.+\\.${ending}$`))
  }
})

test('the day’s list prints black on white, with allergies', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/reservations')
  const href = await page.getByRole('link', { name: 'Imprimir' }).getAttribute('href')
  await page.goto(String(href))
  const sheet = page.getByRole('main')
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByRole('columnheader', { name: 'Alergias y notas' }).first()).toBeVisible()
  await expect(page.getByText(/^ALERGIA: /).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden()
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
  await expect(page.getByRole('link', { name: 'Imprimir' })).toHaveAttribute(
    'href',
    /^\/print\/reservations\?/,
  )
})

test('the report by e-mail is off until the person chooses an hour', async ({ page }) => {
  await page.goto('/account')
  const hour = page.getByLabel('A qué hora')
  await expect(hour).toHaveValue('')
  await hour.selectOption('8')
  await expect(page.getByText('Te llegará cada día a las 8:00')).toBeVisible()
  await page.reload()
  await expect(hour).toHaveValue('8')
  await hour.selectOption('')
  await expect(page.getByText('No te llegará más')).toBeVisible()
})

test('a role without reservations gets no report', async ({ page, signIn }) => {
  await page.context().clearCookies()
  await signIn('rrhh@demo.example')
  await page.goto('/morning')
  await expect(page.getByRole('region', { name: /^Ayer, / })).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Informe de la mañana' })).toHaveCount(0)
})

test('it is all there on a phone, and in English', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/morning')
  await expectNoSidewaysScroll(page)
  await expect(page.getByRole('region', { name: /^Ayer, / })).toContainText(/\d reservas?/)
  await speakEnglish(page)
  await page.goto('/morning')
  await expect(page.getByRole('heading', { level: 1, name: 'Morning report' })).toBeVisible()
  await expectNoSpanish(page)
})
