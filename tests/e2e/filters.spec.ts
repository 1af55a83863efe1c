import type { Page } from '@playwright/test'
import { violations } from './axe'
import { expect, openFilters, test } from './fixtures'
import { tabTo } from './keyboard'

const PHONE = { width: 390, height: 844 }
const TOP_BAR = 56

const filters = (page: Page) => page.getByRole('button', { name: /^Filtros/ })
const set = (page: Page) => page.getByRole('list', { name: 'Filtros puestos' })
const chip = (page: Page, filter: string) =>
  set(page).getByRole('link', { name: `Quitar el filtro ${filter}`, exact: true })

/** Where the first row of the page's table begins, below the bar at the top. */
async function firstRow(page: Page): Promise<number> {
  const row = await page.getByRole('table').locator('tbody tr').first().boundingBox()
  return (row?.y ?? Number.POSITIVE_INFINITY) - TOP_BAR
}

test.beforeEach(({ signIn }) => signIn('super@demo.example'))

test('a filter is set behind one button, and taken away by its chip', async ({ page }) => {
  await page.goto('/customers')
  await expect(set(page)).toHaveCount(0)
  await expect(filters(page)).toHaveText('Filtros')
  await expect(page.getByRole('combobox', { name: 'Nivel' })).toBeHidden()
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Nivel' }).selectOption('Oro')
  await expect(page).toHaveURL(/tier=/)
  await expect(filters(page)).toHaveText('Filtros (1)')
  // It stays open for the next one.
  await page.getByRole('combobox', { name: 'Actividad' }).selectOption('Sin venir en 30 días')
  await expect(filters(page)).toHaveText('Filtros (2)')
  await expect(chip(page, 'Nivel: Oro')).toHaveText('Nivel: Oro')
  expect(await violations(page)).toEqual([])

  await chip(page, 'Nivel: Oro').click()
  await expect(page).toHaveURL(/\/customers\?inactive_days=30$/)
  await expect(page.getByRole('combobox', { name: 'Nivel' })).toBeHidden()
  await expect(set(page).getByRole('link')).toHaveCount(1)
  await page.goBack()
  await expect(chip(page, 'Nivel: Oro')).toBeVisible()
  await expect(filters(page)).toHaveText('Filtros (2)')
  await set(page).getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).toHaveURL(/\/customers$/)
  await expect(set(page)).toHaveCount(0)
})

test('the order and the search stay when the filters go', async ({ page }) => {
  await page.goto('/customers?search=a&tier=Oro&inactive_days=90&sort=spend')
  await expect(page.getByRole('combobox', { name: 'Ordenar' })).toHaveValue('spend')
  await set(page).getByRole('link', { name: 'Quitar filtros' }).click()
  await expect(page).toHaveURL(/\/customers\?search=a&sort=spend$/)
})

test('the filters are used by the keyboard alone', async ({ page }) => {
  await page.goto('/customers?inactive_days=90')
  await tabTo(page, filters(page))
  await page.keyboard.press('Enter')
  await expect(filters(page)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Etiqueta' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Etiqueta' })).toBeHidden()
  await expect(filters(page)).toBeFocused()
  await tabTo(page, chip(page, 'Actividad: Sin venir en 90 días'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/customers$/)
  // The chip is gone: the keyboard goes on where the filters are.
  await expect(filters(page)).toBeFocused()
})

for (const [path, filter, without] of [
  ['/reservations?source=pms', 'Origen: Del PMS', '/reservations'],
  ['/reservations?view=week&source=manual', 'Origen: Hechas a mano', '/reservations?view=week'],
  ['/tickets?view=list&priority=high', 'Prioridad: Alta', '/tickets?view=list'],
  ['/tickets?assignee_id=me', 'Responsable: Las mías', '/tickets'],
  ['/feedback?score=5', 'Valoración: 5 de 5', '/feedback'],
  ['/automations?status=active', 'Estado: Activas', '/automations'],
  ['/settings/audit?from=2026-11-02', 'Desde: 2 nov 2026', '/settings/audit'],
] as const)
  test(`${path}: what is set stands in a chip`, async ({ page, baseURL }) => {
    await page.goto(path)
    await expect(filters(page)).toHaveText('Filtros (1)')
    await chip(page, filter).click()
    await expect(set(page)).toHaveCount(0)
    await expect(page).toHaveURL(`${baseURL}${without}`)
  })

test('the log is filtered by a form, and its fields follow a chip that is taken away', async ({ page }) => {
  await page.goto('/settings/audit')
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Tipo' }).selectOption('Sesiones')
  await page.getByRole('textbox', { name: 'Persona' }).fill('Vidal')
  await page.getByRole('button', { name: 'Filtrar' }).click()
  await expect(page).toHaveURL(/actor=Vidal/)
  await chip(page, 'Persona: Vidal').click()
  await expect(page).toHaveURL(/\/settings\/audit\?kind=session$/)
  await openFilters(page)
  await expect(page.getByRole('textbox', { name: 'Persona' })).toHaveValue('')
  await expect(page.getByRole('combobox', { name: 'Tipo' })).toHaveValue('session')
})

test.describe('on a phone', () => {
  test.use({ viewport: PHONE })

  test('the first customer stands high, and rarer actions in a menu', async ({ page }) => {
    await page.goto('/customers')
    expect(await firstRow(page)).toBeLessThanOrEqual(260)
    await expect(page.getByRole('link', { name: 'Duplicados' })).toBeHidden()
    await page.getByRole('button', { name: 'Más acciones' }).click()
    await expect(page.getByRole('link', { name: 'Segmentos' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Exportar CSV' })).toBeVisible()
    await page.getByRole('button', { name: 'Columnas' }).click()
    await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Etiquetas' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('link', { name: 'Duplicados' }).click()
    await expect(page).toHaveURL(/\/customers\/duplicates/)
  })

  test('the filters open in line with the list', async ({ page }) => {
    await page.goto('/customers')
    const before = await firstRow(page)
    await openFilters(page)
    expect(await firstRow(page)).toBeGreaterThan(before)
    await page.getByRole('combobox', { name: 'Nivel' }).selectOption('Plata')
    await expect(chip(page, 'Nivel: Plata')).toBeVisible()
    await filters(page).click()
    await expect(page.getByRole('combobox', { name: 'Nivel' })).toBeHidden()
    await expect(chip(page, 'Nivel: Plata')).toBeVisible()
  })
})

test('on a wide window views and controls have one row each', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto('/customers?tier=Oro')
  const rows = async (parts: ReturnType<Page['locator']>) =>
    new Set((await parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top))).values())
  expect((await rows(page.getByRole('list', { name: 'Grupos de clientes' }).locator('> li'))).size).toBe(1)
  const controls = page
    .getByRole('searchbox')
    .or(filters(page))
    .or(page.getByRole('combobox', { name: 'Ordenar' }))
  expect((await rows(page.locator('main').locator(controls))).size).toBe(1)
})
