import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

const stamp = () => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`

/** Guests of the test's own, told apart by their tag. */
async function givenGuests(page: Page, tag: string, names: string[], more: string[] = []) {
  for (const first_name of names) {
    const data = { first_name, last_name: `Segmento ${tag}`, tags: [tag, ...more] }
    expect((await page.request.post('/api/customers', { data })).status()).toBe(201)
  }
}

async function givenSegment(page: Page, name: string, definition: object): Promise<string> {
  const response = await page.request.post('/api/segments', { data: { name, shared: true, definition } })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()).data.id
}

const condition = (page: Page, number: string) =>
  page.getByRole('group', { name: `Condición ${number}`, exact: true })
const preview = (page: Page) => page.getByRole('region', { name: 'Quién entra ahora' })

test.describe('segments', () => {
  test.beforeEach(({ signIn }) => signIn('marketing@demo.example'))

  test('one is built, counted while it is built, saved, and lists its guests', async ({ page }) => {
    const tag = `seg-${stamp()}`
    await givenGuests(page, tag, ['Alba', 'Bruno'])
    await givenGuests(page, tag, ['Celia'], [`${tag}-no`])
    await page.goto('/customers')
    await page.getByRole('link', { name: 'Segmentos', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Segmentos' })).toBeVisible()
    await page.getByRole('link', { name: 'Segmento nuevo' }).click()
    await expect(preview(page)).toContainText('Completa las condiciones para contar.')
    await expect(page.getByRole('button', { name: 'Guardar el segmento' })).toBeDisabled()

    const first = condition(page, '1')
    await first.getByLabel('Sobre qué').selectOption('tags')
    const tags = first.getByRole('combobox', { name: 'Etiquetas de la condición' })
    await tags.fill(tag)
    await tags.press('Enter')
    await expect(preview(page).getByText('3 clientes', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Añadir condición' }).click()
    const second = condition(page, '2')
    await expect(second.getByLabel('Sobre qué')).toBeFocused()
    await second.getByLabel('Sobre qué').selectOption('tags')
    await second.getByLabel('Tiene que').selectOption('not')
    await second.getByRole('combobox', { name: 'Etiquetas de la condición' }).fill(`${tag}-no`)
    await second.getByRole('combobox', { name: 'Etiquetas de la condición' }).press('Enter')
    await expect(preview(page).getByText('2 clientes', { exact: true })).toBeVisible()

    const name = `Sin la etiqueta ${tag}`
    await page.getByLabel('Nombre', { exact: true }).fill(name)
    await page.getByLabel('Compartir con el grupo').check()
    await page.getByRole('button', { name: 'Guardar el segmento' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await page.getByRole('link', { name: 'Ver sus clientes' }).click()
    await expect(page).toHaveURL(/segment_id=/)
    const rows = page.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(3)
    await expect(rows.filter({ hasText: 'Celia' })).toHaveCount(0)
    const chip = page.getByRole('list', { name: 'Grupos de clientes' }).getByRole('link', { name })
    await expect(chip).toHaveAttribute('aria-current', 'true')
  })

  test('a change says whom it adds and drops, and somebody else’s change is not overwritten', async ({
    page,
  }) => {
    const tag = `cambio-${stamp()}`
    await givenGuests(page, tag, ['Dora'], [`${tag}-a`])
    await givenGuests(page, tag, ['Elías'], [`${tag}-b`])
    const of = (end: string) => ({ field: 'tags', is: 'any', tags: [`${tag}-${end}`] })
    const id = await givenSegment(page, `Cambiante ${tag}`, of('a'))
    await page.goto(`/customers/segments/${id}`)
    await expect(preview(page).getByText('1 cliente', { exact: true })).toBeVisible()
    await expect(preview(page).getByText(/^Entra/)).toBeHidden()
    await condition(page, '1').getByLabel('Tiene que').selectOption('not')
    await expect(preview(page).getByText('Sale 1 cliente')).toBeVisible()
    await expect(preview(page).getByRole('list', { name: 'Sale 1 cliente' })).toContainText('Dora')

    const theirs = await page.request.patch(`/api/segments/${id}`, { data: { definition: of('b') } })
    expect(theirs.ok()).toBe(true)
    await page.getByRole('button', { name: 'Guardar el segmento' }).click()
    const question = page.getByRole('group', { name: /Sus condiciones/ })
    await expect(question).toBeVisible()
    await question.getByRole('radio').first().check()
    await page.getByRole('button', { name: 'Guardar el segmento' }).click()
    await expect(page.getByText(`Segmento guardado: Cambiante ${tag}`)).toBeVisible()
    const now = await (await page.request.get(`/api/segments/${id}`)).json()
    expect(now.data.definition).toEqual({ and: [{ not: of('a') }] })
  })

  test('groups are made and removed by keyboard alone, on a phone, without scrolling sideways', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/customers/segments/new?example=birthday')
    await expect(condition(page, '1').getByLabel('Cómo')).toHaveValue('this_month')
    await page.getByRole('button', { name: 'Añadir grupo' }).focus()
    await page.keyboard.press('Enter')
    const group = page.getByRole('group', { name: 'Condiciones del grupo 3', exact: true })
    await expect(group.getByRole('combobox').first()).toBeFocused()
    await expect(group.getByRole('group', { name: 'Condición 3.1', exact: true })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await group.getByRole('button', { name: 'Quitar el grupo 3' }).focus()
    await page.keyboard.press('Enter')
    await expect(group).toBeHidden()
    await expect(preview(page).getByText(/^(\d+ clientes?|Nadie)$/)).toBeVisible()
  })

  test('what was typed outlives a reload', async ({ page }) => {
    const name = `Borrador ${stamp()}`
    await page.goto('/customers/segments/new')
    await page.getByLabel('Nombre', { exact: true }).fill(name)
    await page.reload()
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue(name)
    await page.getByRole('button', { name: /Descartar/ }).click()
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('')
  })

  test('the filters of the list become a segment', async ({ page }) => {
    const tag = `filtro-${stamp()}`
    await givenGuests(page, tag, ['Fermín'])
    await page.goto(`/customers?tag=${tag}&segment=new`)
    await page.getByRole('link', { name: 'Guardar como segmento' }).click()
    await expect(condition(page, '1').getByLabel('Sobre qué')).toHaveValue('created')
    await expect(condition(page, '2').getByRole('list')).toContainText(tag)
    await expect(preview(page).getByText('1 cliente', { exact: true })).toBeVisible()
  })

  test('one that an automation uses is not deleted', async ({ page }) => {
    const name = `En uso ${stamp()}`
    const id = await givenSegment(page, name, { field: 'points', min: 1 })
    const data = {
      ...{ name: `Usa ${name}`, type: 'birthday', channel: 'sms', body: 'Hola' },
      criteria: { segment_id: id },
    }
    expect((await page.request.post('/api/automations', { data })).status()).toBe(201)
    await page.goto(`/customers/segments/${id}`)
    await page.getByRole('button', { name: 'Borrar', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Borrar el segmento' }).click()
    await expect(dialog).toContainText('Hay campañas o automatizaciones que usan este segmento')
  })

  test('speaks English', async ({ page }) => {
    await page.goto('/customers/segments/new?example=allergies')
    await expect(condition(page, '1')).toBeVisible()
    await speakEnglish(page)
    await expect(page.getByRole('group', { name: 'Condition 1', exact: true })).toBeVisible()
    await expectNoSpanish(page)
  })
})
