import type { Locator, Page } from '@playwright/test'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'

interface Stored {
  name: string
  plan_x: number | null
  plan_y: number | null
  shape: string
  turned: boolean
  joinable: boolean
}

const TABLES = ['M1', 'M2', 'M3'].map((name) => ({ zone: 'Sala', name, capacity: 4, is_active: true }))

/** A location of the test's own with these tables; opens its page. */
async function openWith(page: Page, tables: readonly object[] = TABLES) {
  const made = await page.request.post('/api/locations', {
    data: { name: `Plano ${crypto.randomUUID().slice(0, 8)}` },
  })
  expect(made.status()).toBe(201)
  const { id } = (await made.json()).data
  const path = `/api/locations/${id}/tables`
  expect((await page.request.put(path, { data: { tables } })).status()).toBe(200)
  await page.goto(`/settings/locations/${id}`)
  const panel = page.getByRole('region', { name: 'Mesas', exact: true })
  const plan = panel.getByRole('region', { name: /^Plano de/ })
  await expect(plan).toBeVisible()
  return {
    ...{ id, panel, plan },
    stored: async (name: string): Promise<Stored> =>
      (await (await page.request.get(path)).json()).data.find((table: Stored) => table.name === name),
    save: async () => {
      await panel.getByRole('button', { name: 'Guardar' }).click()
      await expect(page.getByRole('status').getByText('Cambios guardados')).toBeVisible()
    },
    remove: () => page.request.delete(`/api/locations/${id}`),
  }
}

const spot = (within: Locator, name: string) =>
  within.getByRole('button', { name: new RegExp(`^Mesa ${name}(:|$)`) })
const said = (panel: Locator) => panel.getByRole('status').first()

/** The middle of an element in the window. */
async function middle(of: Locator) {
  const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

/** Where the middle of a table of two cells would be on the plan. */
async function cell(plan: Locator, column: number, row: number) {
  const board = plan.locator('> div')
  const { x, y, width } = (await board.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  return { x: x + (width / 40) * column, y: y + (width / 40) * row }
}

async function dragByMouse(page: Page, table: Locator, to: { x: number; y: number }) {
  const from = await middle(table)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
  await page.mouse.move(to.x, to.y)
  await page.mouse.up()
}

/** A finger that goes down, moves and lifts, as the browser gets it from a screen. */
async function dragByFinger(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', from)
  for (const part of [0.25, 0.5, 0.75, 1])
    await touch('touchMove', { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
  await touch('touchEnd')
  await session.detach()
}

test.beforeEach(({ signIn }) => signIn('admin@demo.example'))

test('tables are dragged to their places with the mouse, saved, and are there after a reload', async ({
  page,
}) => {
  const { panel, plan, stored, save, remove } = await openWith(page)
  await expect(panel.getByText('Sin colocar: 3 mesas')).toBeVisible()
  await expect(plan.getByText('Aquí no hay mesas todavía.')).toBeVisible()
  await spot(panel, 'M1').scrollIntoViewIfNeeded()
  await dragByMouse(page, spot(panel, 'M1'), await cell(plan, 5, 3))
  await expect(spot(plan, 'M1')).toHaveAccessibleName('Mesa M1: columna 5, fila 3')
  await expect(said(panel)).toHaveText('M1: columna 5, fila 3.')
  await dragByMouse(page, spot(panel, 'M2'), await cell(plan, 10, 3))
  // Onto another table: to the nearest free place.
  await dragByMouse(page, spot(plan, 'M2'), await cell(plan, 5.6, 3))
  await expect(said(panel)).toHaveText(/^M2: .* El sitio estaba ocupado: queda en el libre más cercano\.$/)
  await expect(spot(plan, 'M2')).toHaveAccessibleName('Mesa M2: columna 7, fila 3')
  // Beside the plan nothing changes.
  await dragByMouse(page, spot(plan, 'M1'), await middle(page.getByRole('heading', { name: 'Mesas' })))
  await expect(spot(plan, 'M1')).toHaveAccessibleName('Mesa M1: columna 5, fila 3')
  // Back to those that are not placed.
  await dragByMouse(page, spot(plan, 'M2'), await middle(panel.getByText('Sin colocar: 1 mesa')))
  await expect(panel.getByText('Sin colocar: 2 mesas')).toBeVisible()
  await expect(spot(plan, 'M2')).toHaveCount(0)
  await save()
  expect(await stored('M1')).toMatchObject({ plan_x: 4, plan_y: 2 })
  expect(await stored('M2')).toMatchObject({ plan_x: null, plan_y: null })
  await page.reload()
  await expect(spot(plan, 'M1')).toHaveAccessibleName('Mesa M1: columna 5, fila 3')
  await expect(panel.getByText('Sin colocar: 2 mesas')).toBeVisible()
  await remove()
})

test('keys and buttons move a table as well, and say where it is', async ({ page }) => {
  const placed = { plan_x: 0, plan_y: 0 }
  const { panel, plan, stored, save, remove } = await openWith(page, [
    { ...TABLES[0], ...placed },
    { ...TABLES[1], plan_x: 4, plan_y: 0 },
  ])
  await spot(plan, 'M1').focus()
  await page.keyboard.press('ArrowRight')
  await expect(said(panel)).toHaveText('M1: columna 2, fila 1.')
  await expect(spot(plan, 'M1')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  // The next step is taken: beyond it.
  await page.keyboard.press('ArrowRight')
  await expect(spot(plan, 'M1')).toHaveAccessibleName('Mesa M1: columna 7, fila 1')
  await page.keyboard.press('ArrowUp')
  await expect(said(panel)).toHaveText('M1: no hay más sitio por ese lado.')
  await page.keyboard.press('Enter')
  const tools = panel.getByRole('group', { name: 'Mesa M1', exact: true })
  await tools.getByRole('button', { name: 'Mover M1 hacia abajo' }).click()
  await tools.getByRole('button', { name: 'Mover M1 a la derecha' }).press('Enter')
  await expect(said(panel)).toHaveText('M1: columna 8, fila 2.')
  await tools.getByRole('button', { name: 'Mover M1 a la izquierda' }).click()
  await tools.getByRole('button', { name: 'Mover M1 hacia arriba' }).click()
  await expect(said(panel)).toHaveText('M1: columna 7, fila 1.')

  await tools.getByRole('button', { name: 'Rectangular' }).click()
  await expect(tools.getByRole('button', { name: 'Rectangular' })).toHaveAttribute('aria-pressed', 'true')
  await tools.getByLabel('En vertical').check()
  await tools.getByLabel('Proponer juntarla con otras').uncheck()
  await save()
  expect(await stored('M1')).toMatchObject({
    ...{ plan_x: 6, plan_y: 0, shape: 'rectangle', turned: true, joinable: false },
  })
  await spot(plan, 'M1').focus()
  await page.keyboard.press('Delete')
  await expect(said(panel)).toHaveText('M1: fuera del plano.')
  await expect(spot(panel, 'M1')).toBeFocused()
  await spot(panel, 'M1').press('Enter')
  await tools.getByRole('button', { name: 'Colocar en el plano' }).click()
  await expect(spot(plan, 'M1')).toBeFocused()
  await expect(spot(plan, 'M1')).toHaveAccessibleName('Mesa M1: columna 1, fila 1')
  expect(await violations(page)).toEqual([])
  await remove()
})

test('all are placed in one go, in each zone, and the form goes with the plan', async ({ page }) => {
  const tables = [
    ...Array.from({ length: 80 }, (_, n) => ({ ...TABLES[0], name: `S${n + 1}` })),
    { ...TABLES[0], name: 'vieja', is_active: false },
    { ...TABLES[0], zone: 'Terraza', name: 'T1' },
    { ...TABLES[0], zone: null, name: 'X1' },
  ]
  const { panel, plan, stored, save, remove } = await openWith(page, tables)
  await panel.getByRole('button', { name: 'Colocar todas' }).click()
  await expect(said(panel)).toHaveText('80 mesas colocadas.')
  await expect(plan).toBeFocused()
  // Who is inactive is left out.
  await expect(panel.getByText('Sin colocar: 1 mesa')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Mesa vieja: sin colocar, inactiva' })).toBeVisible()
  await expect(panel.getByText('Se pisan')).toHaveCount(0)
  const names = await plan.getByRole('button').evaluateAll((all) => all.map((each) => each.ariaLabel))
  expect(new Set(names.map((name) => name?.split(':')[1])).size).toBe(80)

  const zones = panel.getByRole('group', { name: 'Zona del plano' })
  await expect(zones.getByRole('button')).toHaveText(['Sala', 'Terraza', 'Sin zona'])
  await zones.getByRole('button', { name: 'Terraza' }).click()
  await expect(plan).toHaveAccessibleName('Plano de Terraza')
  await expect(panel.getByText('Sin colocar: 1 mesa')).toBeVisible()
  await panel.getByRole('button', { name: 'Colocar todas' }).click()
  await expect(panel.getByText('Todas las mesas están en el plano')).toBeVisible()

  await panel.getByLabel('Nombre de la mesa T1').fill('T9')
  await expect(spot(plan, 'T9')).toHaveAccessibleName('Mesa T9: columna 1, fila 1')
  await panel.getByLabel('Zona de la mesa X1').pressSequentially('Terr')
  // A zone that is being typed is none yet.
  await expect(zones.getByRole('button')).toHaveText(['Sala', 'Terraza', 'Sin zona'])
  await panel.getByLabel('Zona de la mesa X1').fill('Terraza')
  await panel.getByLabel('Zona de la mesa X1').blur()
  await expect(panel.getByRole('button', { name: 'Mesa X1: sin colocar' })).toBeVisible()
  // A table that grows says where it has no room.
  await panel.getByRole('button', { name: 'Colocar todas' }).click()
  await panel.getByLabel('Plazas de la mesa T9').fill('12')
  await expect(panel.getByText('Se pisan en el plano: T9, X1. Mueve alguna.')).toBeVisible()
  // Also while another zone is shown.
  await zones.getByRole('button', { name: 'Sala' }).click()
  await expect(panel.getByText('Se pisan en el plano: T9, X1. Mueve alguna.')).toBeVisible()
  await zones.getByRole('button', { name: 'Terraza' }).click()
  await spot(plan, 'X1').focus()
  await page.keyboard.press('ArrowRight')
  await expect(panel.getByText('Se pisan')).toHaveCount(0)
  await save()
  expect(await stored('T9')).toMatchObject({ plan_x: 0, plan_y: 0 })
  expect(await stored('vieja')).toMatchObject({ plan_x: null })
  await remove()
})

test('what was placed and not saved is there after a reload, and can be discarded', async ({ page }) => {
  const { panel, plan, stored, remove } = await openWith(page)
  await panel.getByRole('button', { name: 'Colocar todas' }).click()
  await spot(plan, 'M3').focus()
  await page.keyboard.press('ArrowDown')
  await expect(spot(plan, 'M3')).toHaveAccessibleName('Mesa M3: columna 7, fila 2')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(spot(plan, 'M3')).toHaveAccessibleName('Mesa M3: columna 7, fila 2')
  expect(await stored('M3')).toMatchObject({ plan_x: null })
  await panel.getByRole('button', { name: /Descartar|Empezar/ }).click()
  await expect(panel.getByText('Sin colocar: 3 mesas')).toBeVisible()
  await remove()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a finger drags a table, and beside it scrolls the plan', async ({ page }) => {
    const { panel, plan, stored, save, remove } = await openWith(page, [
      { ...TABLES[0], plan_x: 2, plan_y: 2 },
      ...TABLES.slice(1),
    ])
    await expectNoSidewaysScroll(page)
    await plan.scrollIntoViewIfNeeded()
    await dragByFinger(page, await middle(spot(plan, 'M1')), await cell(plan, 9, 8))
    await expect(said(panel)).toHaveText('M1: columna 9, fila 8.')
    // From those that are not placed, down onto the plan.
    await spot(panel, 'M2').scrollIntoViewIfNeeded()
    await dragByFinger(page, await middle(spot(panel, 'M2')), await cell(plan, 4, 4))
    await expect(said(panel)).toHaveText('M2: columna 4, fila 4.')
    // Beside the tables it scrolls, and nothing moves.
    const left = () => plan.evaluate((element) => element.scrollLeft)
    expect(await left()).toBe(0)
    await plan.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    await dragByFinger(page, await cell(plan, 12, 12), await cell(plan, 4, 12))
    await expect.poll(left).toBeGreaterThan(0)
    await save()
    expect(await stored('M1')).toMatchObject({ plan_x: 8, plan_y: 7 })
    expect(await stored('M2')).toMatchObject({ plan_x: 3, plan_y: 3 })
    await changeScheme(page, 'dark')
    expect(await violations(page)).toEqual([])
    await remove()
  })

  test('another finger moves nothing, and a table held at the edge scrolls the plan', async ({ page }) => {
    const { panel, plan, remove } = await openWith(page, [
      { ...TABLES[0], plan_x: 2, plan_y: 2 },
      { ...TABLES[1], plan_x: 2, plan_y: 8 },
    ])
    await plan.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const session = await page.context().newCDPSession(page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map((point, id) => ({ ...point, id })),
      })
    const [one, two] = [await middle(spot(plan, 'M1')), await middle(spot(plan, 'M2'))]
    const held = { x: one.x + 60, y: one.y }
    await fingers('touchStart', one)
    await fingers('touchMove', held)
    await fingers('touchStart', held, two)
    await fingers('touchMove', held, { x: two.x + 40, y: two.y + 20 })
    await fingers('touchMove', held)
    await expect(said(panel)).toHaveText('')
    const frame = await plan.boundingBox()
    if (!frame) throw new Error('Not shown')
    // It goes on while the finger stays.
    await fingers('touchMove', { x: frame.x + frame.width - 8, y: one.y })
    const isAtEnd = () =>
      plan.evaluate(
        ({ scrollLeft, clientWidth, scrollWidth }) =>
          scrollLeft > 0 && scrollLeft + clientWidth >= scrollWidth - 1,
      )
    await expect.poll(isAtEnd).toBe(true)
    await fingers('touchEnd')
    await expect(said(panel)).toHaveText(/^M1: columna 39, fila \d+\.$/)
    await expect(spot(plan, 'M2')).toHaveAccessibleName('Mesa M2: columna 3, fila 9')
    await remove()
  })
})

test('speaks English', async ({ page }) => {
  const { remove } = await openWith(page, [
    { ...TABLES[0], plan_x: 2, plan_y: 2 },
    { ...TABLES[1], zone: null, is_active: false },
  ])
  await speakEnglish(page)
  await page.getByRole('button', { name: 'Table M1: column 3, row 3' }).click()
  await page.getByRole('button', { name: 'Move M1 up' }).click()
  await page.getByRole('button', { name: 'Rectangle' }).click()
  await expectNoSpanish(page)
  await remove()
})
