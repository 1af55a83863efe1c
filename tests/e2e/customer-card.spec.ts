import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

/** A customer of the test's own, made over the API; the address of their page. */
async function given(page: Page, fields: Record<string, string | string[]>): Promise<string> {
  const response = await page.request.post('/api/customers', { data: fields })
  expect(response.status(), await response.text()).toBe(201)
  return `/customers/${(await response.json()).data.id}`
}

const strip = (page: Page) => page.getByRole('region', { name: 'Alergias y preferencias' })

test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))

test('an allergy that the notes suggest is recorded in one press, gets a note, and stays', async ({
  page,
}) => {
  const path = await given(page, {
    first_name: 'Nuria',
    last_name: 'Alergias',
    notes: 'Alérgica a los frutos secos. Le gusta la ventana.',
  })
  await page.goto(path)
  await expect(strip(page)).toContainText('Sin alergias anotadas')
  await expect(strip(page).getByRole('listitem')).toHaveCount(0)
  await strip(page).getByRole('button', { name: '¿Alergia: frutos secos? Confirmar' }).click()
  await expect(strip(page).getByRole('listitem')).toHaveText('Alergia: frutos secos')
  await expect(strip(page)).not.toContainText('Sin alergias anotadas')
  await expect(strip(page).getByRole('button', { name: 'Deshacer' })).toBeFocused()
  await strip(page).getByRole('button', { name: 'Deshacer' }).click()
  await expect(strip(page)).toContainText('Sin alergias anotadas')
  await strip(page).getByRole('button', { name: '¿Alergia: frutos secos? Confirmar' }).click()
  await expect(strip(page).getByRole('listitem')).toHaveText('Alergia: frutos secos')

  await strip(page).getByRole('button', { name: 'Editar alergias y preferencias' }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByRole('checkbox', { name: 'frutos secos' })).toBeChecked()
  await form.getByLabel('Nota: frutos secos').fill('Lleva adrenalina')
  await form.getByRole('checkbox', { name: 'vegano' }).check()
  await page.route('**/api/customers/*/facts', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 429, json: { error: 'x' } })
      : route.continue(),
  )
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('No se ha podido guardar.', { exact: false })).toBeVisible()
  await expect(form.getByLabel('Nota: frutos secos')).toHaveValue('Lleva adrenalina')
  await page.unroute('**/api/customers/*/facts')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Alergias y preferencias guardadas')).toBeVisible()
  await page.reload()
  const facts = strip(page).getByRole('listitem')
  await expect(facts).toHaveText(['Alergia: frutos secos · Lleva adrenalina', 'vegano'])
  await expect(strip(page).getByRole('button', { name: '¿Preferencia: ventana? Confirmar' })).toBeVisible()
})

test('an allergy that a colleague records meanwhile is not lost', async ({ page }) => {
  const path = await given(page, { first_name: 'Olga', last_name: 'Entretanto', notes: 'Celíaca' })
  await page.goto(path)
  const meanwhile = await page.request.put(`/api${path}/facts`, { data: { facts: [{ code: 'egg' }] } })
  expect(meanwhile.ok()).toBe(true)
  await strip(page).getByRole('button', { name: '¿Alergia: gluten? Confirmar' }).click()
  await expect(strip(page).getByRole('listitem')).toHaveText(['Alergia: gluten', 'Alergia: huevo'])
})

test('the card names a person who came in capitals, folds what is unknown, and books for them', async ({
  page,
}) => {
  const path = await given(page, { first_name: 'MARÍA', last_name: 'DE LA CRUZ LÓPEZ', company: 'Olmo SL' })
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('María de la Cruz López')
  const panel = page.getByRole('region', { name: 'Datos' })
  await expect(panel.getByText('Olmo SL')).toBeVisible()
  await expect(panel.getByText('Fecha de nacimiento')).toBeHidden()
  await panel.getByText('Mostrar campos vacíos').click()
  await expect(panel.getByText('Fecha de nacimiento')).toBeVisible()

  await expect(page.getByRole('button', { name: 'Borrar', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await expect(page.getByRole('button', { name: 'Borrar', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Borrar', exact: true })).toBeHidden()

  await page.getByRole('button', { name: 'Nueva reserva' }).click()
  const form = page.getByRole('dialog')
  await expect(form).toContainText('María de la Cruz López')
  await form.getByLabel('Local').selectOption({ index: 1 })
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await form.getByLabel('Día').fill(day)
  await form.getByLabel('Hora').fill('21:00')
  await form.getByRole('button', { name: 'Guardar' }).click()
  const habits = page.getByRole('region', { name: 'Próxima reserva y costumbres' })
  await habits.getByRole('link', { name: /21:00.*2 personas/ }).click()
  await expect(page).toHaveURL(/\/reservations\?.*reservation=/)
  await expect(page.getByRole('dialog')).toContainText('María de la Cruz López')
})

test('the facts speak English, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const path = await given(page, { first_name: 'Olive', last_name: 'Smith', notes: 'Nut allergy, vegan' })
  await page.goto(path)
  await speakEnglish(page)
  const facts = page.getByRole('region', { name: 'Allergies and preferences' })
  await facts.getByRole('button', { name: 'Allergy: nuts? Confirm' }).click()
  await expect(facts.getByRole('listitem')).toHaveText('Allergy: nuts')
  await expectNoSpanish(page)
  await expectNoSidewaysScroll(page)
})
