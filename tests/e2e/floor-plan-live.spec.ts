import { randomUUID } from 'node:crypto'
import { type APIRequestContext, type CDPSession, type Page, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { changeScheme, violations } from './axe'
import {
  clippedLabels,
  expect,
  expectNoSidewaysScroll,
  expectNoSpanish,
  speakEnglish,
  test,
} from './fixtures'
import { book, choice, freeTables, leave, locationId, serviceNow, stored } from './service-night'

// The floor plan of the service under way.
let api: APIRequestContext
test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  const data = { email: 'operaciones@demo.example', password: DEMO_PASSWORD }
  expect((await api.post('/api/auth/sign-in', { data })).ok()).toBe(true)
})
test.afterAll(() => api?.dispose())
test.beforeEach(({ signIn }) => signIn('sala@demo.example'))
test.afterEach(() => leave(api))

const plan = (page: Page) => page.getByRole('region', { name: 'Plano de mesas' })
const tray = (page: Page) => plan(page).getByRole('region', { name: 'Sin mesa' })
const entry = (page: Page, name: string) => tray(page).getByRole('button', { name: new RegExp(name) })
const table = (page: Page, name: string) => plan(page).locator(`[data-table="${name}"]`)
const chosen = (page: Page) => page.getByRole('region', { name: 'Reserva elegida' })

async function openPlan(page: Page) {
  await page.goto(`/service/tables?location_id=${await locationId(api)}`)
  await page.getByRole('button', { name: 'Plano', exact: true }).click()
  await expect(plan(page)).toBeVisible()
}
/** What a host does with a party in another browser. */
async function tap(action: string, reservation_id: string, more: object = {}) {
  const taps = [{ key: randomUUID(), action, reservation_id, ...more }]
  const answer = await api.post('/api/service/taps', { data: { location_id: await locationId(api), taps } })
  expect((await answer.json()).data).toMatchObject([{ outcome: 'saved' }])
}
const tablesOf = async (id: string) => (await stored(api, id)).tables as string[]
const middle = async (target: ReturnType<typeof table>) => {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('Not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('a tap on a party and one on a table give it the table; the focus stays, and undo takes it back', async ({
  page,
}) => {
  const [free] = await freeTables(api)
  const { id, name } = await book(api, 5, { table_name: null })
  await openPlan(page)
  await entry(page, name).click()
  await expect(chosen(page)).toContainText(name)
  await expect(table(page, free)).toHaveAccessibleName(new RegExp(`^Asignar la mesa ${free}, Libre`))
  await table(page, free).click()
  await expect(chosen(page)).toHaveCount(0)
  await expect(entry(page, name)).toHaveCount(0)
  await expect(table(page, free)).toBeFocused()
  await expect(table(page, free)).toHaveAccessibleName(
    new RegExp(`^Mesa ${free}, ${name}, .*Reservada, 4 personas`),
  )
  await expect.poll(() => stored(api, id)).toMatchObject({ status: 'confirmed', tables: [free] })
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect.poll(() => tablesOf(id)).toEqual([])
  await expect(entry(page, name)).toBeVisible()
})

test('who waits at the door is seated, by keyboard alone', async ({ page }) => {
  const [free] = await freeTables(api)
  const { id, name } = await book(api, 5, { table_name: null })
  await tap('arrive', id)
  await openPlan(page)
  await expect(entry(page, name)).toHaveAccessibleName(`En la puerta ${name} · 4 personas`)
  await entry(page, name).press('Enter')
  await expect(chosen(page)).toContainText(name)
  await expect(entry(page, name)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(plan(page).locator('[data-table]:focus')).toHaveCount(1)
  await table(page, free).focus()
  await expect(table(page, free)).toHaveAccessibleName(new RegExp(`^Sentar en la mesa ${free},`))
  await page.keyboard.press('Enter')
  await expect(table(page, free)).toHaveAccessibleName(
    new RegExp(`^Mesa ${free}, ${name}, 0 min, Ocupada, 4 personas`),
  )
  await expect(table(page, free)).toBeFocused()
  await expect.poll(() => stored(api, id)).toMatchObject({ status: 'seated', tables: [free] })
  // Who sits there is chosen by its table, and let go by Escape; the focus stays.
  await page.keyboard.press('Enter')
  await expect(chosen(page)).toContainText(`Mesa ${free}`)
  await page.keyboard.press('Escape')
  await expect(chosen(page)).toHaveCount(0)
  await expect(table(page, free)).toBeFocused()
})

test('a party is dragged to a table with the mouse; the taps after it count, and Escape lets go', async ({
  page,
}) => {
  const [one, other] = await freeTables(api)
  const { id, name } = await book(api, 5, { table_name: null })
  const second = await book(api, 6, { table_name: null })
  await openPlan(page)
  const drag = async (target: string, source = entry(page, name)) => {
    const from = await middle(source)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 12, from.y + 12, { steps: 3 })
    await expect(plan(page)).toHaveAttribute('data-dragging', id)
    const box = await table(page, target).boundingBox()
    if (!box) throw new Error('Not shown')
    const bottom = page.viewportSize()?.height ?? 0
    const to = { x: box.x + box.width / 2, y: Math.min(box.y + box.height / 2, bottom - 2) }
    await page.mouse.move(to.x, to.y, { steps: 5 })
  }
  // The page scrolls along until the table is there.
  await drag(one)
  await page.keyboard.press('Escape')
  await expect(plan(page)).not.toHaveAttribute('data-dragging')
  await page.mouse.up()
  await expect(chosen(page)).toHaveCount(0)
  expect(await tablesOf(id)).toEqual([])

  const over = async (name: string) => {
    const to = await middle(table(page, name))
    await page.mouse.move(to.x, to.y, { steps: 3 })
    await expect(table(page, name)).toHaveAttribute('data-over')
  }
  await drag(one)
  await over(one)
  await page.mouse.up()
  await expect.poll(() => tablesOf(id)).toEqual([one])
  await expect(table(page, one)).toBeFocused()
  await expect(table(page, one)).not.toHaveAttribute('data-over')
  await entry(page, second.name).click()
  await expect(chosen(page)).toContainText(second.name)
  await page.keyboard.press('Escape')
  // And from a table to another one.
  await drag(other, table(page, one))
  await over(other)
  await page.mouse.up()
  await expect.poll(() => tablesOf(id)).toEqual([other])
  expect(await tablesOf(second.id)).toEqual([])
})

test('a press that slips on a table only chooses who is there, and the chosen one of two is dragged', async ({
  page,
}) => {
  const [one, other] = await freeTables(api)
  const first = await book(api, 5, { table_name: one })
  await openPlan(page)
  await expect(table(page, one)).toContainText(first.name)
  const slip = await middle(table(page, one))
  await page.mouse.move(slip.x - 6, slip.y - 6)
  await page.mouse.down()
  await page.mouse.move(slip.x + 6, slip.y + 6, { steps: 4 })
  await expect(plan(page)).toHaveAttribute('data-dragging', first.id)
  await page.mouse.up()
  await expect(chosen(page)).toContainText(first.name)
  await page.keyboard.press('Escape')

  const second = await book(api, 6, { table_name: one })
  await expect(table(page, one)).toContainText(second.name)
  // The name of the table stays in view, however much stands below it.
  const top = (of: ReturnType<typeof table>) => of.evaluate((each) => each.getBoundingClientRect().top)
  expect(await top(table(page, one).locator('b'))).toBeGreaterThanOrEqual(await top(table(page, one)))
  await table(page, one).click()
  await table(page, one).click()
  await expect(chosen(page)).toContainText(second.name)
  await expect(table(page, one)).toHaveAttribute('aria-pressed', 'true')
  await expect(table(page, one)).toHaveAccessibleName(new RegExp(`^Mesa ${one},`))
  await table(page, one).dragTo(table(page, other))
  await expect.poll(() => tablesOf(second.id)).toEqual([other])
  expect(await tablesOf(first.id)).toEqual([one])
})

test('who comes later to a free table is named on it, chosen there and moved', async ({ page }) => {
  const [one, other] = await freeTables(api)
  const { id, name } = await book(api, 90, { table_name: one })
  await openPlan(page)
  await expect(table(page, one)).toHaveAccessibleName(
    new RegExp(`^Mesa ${one}, Libre, Luego \\d\\d:\\d\\d, .*después ${name} a las`),
  )
  await table(page, one).click()
  await expect(chosen(page)).toContainText(name)
  await table(page, other).click()
  await expect.poll(() => tablesOf(id)).toEqual([other])
  await expect(table(page, one)).not.toContainText('Luego')
})

test('a table that the location does not have stands beside its party', async ({ page }) => {
  const { name } = await book(api, 5, { table_name: 'X9' })
  await openPlan(page)
  await expect(entry(page, name)).toHaveAccessibleName(/ · Mesa X9$/)
  await expect(entry(page, name)).toContainText('Mesa X9')
})

test('a table that four parties have at once names one, and reads aloud how many more', async ({ page }) => {
  const [free] = await freeTables(api)
  for (const minutes of [1, 2, 3, 4]) await book(api, minutes, { table_name: free })
  await openPlan(page)
  await expect(table(page, free)).toContainText(/García \w+ \+3 /)
  await expect(table(page, free)).toHaveAccessibleName(/, García \w+, \+3, /)
  expect(await violations(page)).toEqual([])
})

test('an undo of a tap that was refused and dismissed sends nothing', async ({ page }) => {
  const [free] = await freeTables(api)
  const { name } = await book(api, 5, { table_name: null })
  await openPlan(page)
  await page.route('**/api/service/taps', async (route) => {
    const { taps } = route.request().postDataJSON()
    const data = taps.map(({ key }: { key: string }) => ({ key, outcome: 'conflict' }))
    await route.fulfill({ json: { data } })
  })
  await entry(page, name).click()
  await table(page, free).click()
  await page.getByRole('alert').filter({ hasText: name }).getByRole('button', { name: 'Entendido' }).click()
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/taps') && sent.push(request.url()))
  await page.getByRole('button', { name: 'Deshacer' }).click()
  // A tap would be sent before the list is read again.
  await page.waitForRequest((request) => request.url().includes('/api/service?'))
  expect(sent).toEqual([])
})

test('an occupied table asks; looking at another table moves nobody', async ({ page }) => {
  const [one, other] = await freeTables(api)
  const there = await book(api, -30, { table_name: one })
  await tap('seat', there.id, { seen: 'confirmed' })
  const next = await book(api, -40, { table_name: other })
  await tap('seat', next.id, { seen: 'confirmed' })
  const { id, name } = await book(api, -5, { table_name: null })
  await openPlan(page)
  // Without a chosen party a tap chooses who sits there, another tap lets go.
  await table(page, one).click()
  await expect(chosen(page)).toContainText(there.name)
  await table(page, one).click()
  await expect(chosen(page)).toHaveCount(0)
  await table(page, one).click()
  await table(page, other).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toHaveText(new RegExp(`En la mesa ${other} está ${next.name}`))
  await dialog.getByRole('button', { name: 'Elegir otra mesa' }).click()
  await page.keyboard.press('Escape')
  expect([await tablesOf(there.id), await tablesOf(next.id)]).toEqual([[one], [other]])

  await entry(page, name).click()
  await table(page, one).click()
  await expect(dialog.getByRole('alert')).toHaveText(new RegExp(`En la mesa ${one} está ${there.name}`))
  await dialog.getByRole('button', { name: 'Asignar igualmente' }).click()
  await expect(table(page, one)).toHaveAccessibleName(
    new RegExp(`Dos grupos a la vez, ${there.name}: 4 personas, ${name}: 4 personas`),
  )
  await expect(table(page, one)).toContainText(name)
  await expect.poll(() => tablesOf(id)).toEqual([one])
})

test('without a connection the plan goes on, and the taps are sent later', async ({ page, context }) => {
  const [free] = await freeTables(api)
  const { id, name } = await book(api, 5, { table_name: null })
  await openPlan(page)
  await expect(entry(page, name)).toBeVisible()
  await context.setOffline(true)
  await entry(page, name).click()
  await table(page, free).click()
  await expect(table(page, free)).toContainText(name)
  await expect(page.getByText('1 cambio por enviar')).toBeVisible()
  expect(await tablesOf(id)).toEqual([])
  await context.setOffline(false)
  await expect.poll(() => tablesOf(id)).toEqual([free])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  /** A finger, which Playwright itself has only for taps. */
  async function fingerOn(page: Page) {
    const session: CDPSession = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    return send
  }

  test('the list is the default; the plan that was chosen stays, in the dark and in English too', async ({
    page,
  }) => {
    const { name } = await book(api, 5, { table_name: null, notes: 'Trona' })
    await page.goto(`/service/tables?location_id=${await locationId(api)}`)
    await expect(page.getByRole('listitem').first()).toBeVisible()
    await expect(plan(page)).toHaveCount(0)
    await openPlan(page)
    await expectNoSidewaysScroll(page)
    await page.reload()
    await expect(plan(page)).toBeVisible()
    await entry(page, name).click()
    await expect(chosen(page)).toBeInViewport()
    for (const scheme of ['light', 'dark'] as const) {
      await changeScheme(page, scheme)
      expect(await violations(page)).toEqual([])
    }
    expect(await clippedLabels(page)).toEqual([])
    await page.keyboard.press('Escape')
    await speakEnglish(page)
    await expect(page.getByRole('region', { name: 'Floor plan' })).toBeVisible()
    await expectNoSpanish(page)
    await expectNoSidewaysScroll(page)
  })

  test('a finger that scrolls moves no party; one that holds it does', async ({ page }) => {
    const [free] = await freeTables(api)
    const { id, name } = await book(api, 5, { table_name: null })
    await openPlan(page)
    const finger = await fingerOn(page)
    const from = await middle(entry(page, name))
    const scrolled = () => page.evaluate(() => window.scrollY)
    const before = await scrolled()
    await finger('touchStart', from)
    for (const dy of [20, 60, 120, 180]) await finger('touchMove', { x: from.x, y: from.y - dy })
    await expect(plan(page)).not.toHaveAttribute('data-dragging')
    // The page rolls on after the finger.
    const scrolling = await page.evaluateHandle(() => ({
      end: new Promise((resolve) => document.addEventListener('scrollend', resolve, { once: true })),
    }))
    await finger('touchEnd')
    await scrolling.evaluate(({ end }) => end.then(() => true))
    expect(await scrolled()).toBeGreaterThan(before)
    await expect(chosen(page)).toHaveCount(0)
    expect(await tablesOf(id)).toEqual([])

    const start = await middle(entry(page, name))
    await finger('touchStart', start)
    await expect(plan(page)).toHaveAttribute('data-dragging', id)
    // At the lower edge the page scrolls along until the table is there.
    await finger('touchMove', { x: start.x, y: 840 })
    await expect(table(page, free)).toBeInViewport({ ratio: 0.3 })
    await finger('touchMove', { x: start.x, y: 400 })
    const isOver = async () => {
      const box = await table(page, free).boundingBox()
      if (!box) return false
      const y = Math.min(Math.max(box.y + box.height / 2, 120), 700)
      await finger('touchMove', { x: box.x + box.width / 2, y })
      return (await table(page, free).getAttribute('data-over')) !== null
    }
    await expect.poll(isOver).toBe(true)
    await finger('touchEnd')
    await expect.poll(() => tablesOf(id)).toEqual([free])
    // The next tap counts.
    await table(page, free).tap()
    await expect(chosen(page)).toContainText(name)
  })

  test('a finger that holds a party and stays chooses it', async ({ page }) => {
    const [free] = await freeTables(api)
    const { id, name } = await book(api, 5, { table_name: free })
    await tap('arrive', id)
    await openPlan(page)
    const finger = await fingerOn(page)
    await finger('touchStart', await middle(table(page, free)))
    await expect(plan(page)).toHaveAttribute('data-dragging', id)
    await finger('touchEnd')
    await expect(chosen(page)).toContainText(name)
    expect(await stored(api, id)).toMatchObject({ status: 'confirmed', tables: [free] })
  })

  test('the picker says why it proposes a table, and offers a booking no seat at the bar', async ({
    page,
  }) => {
    const { tables } = await serviceNow(api)
    const [free] = await freeTables(api)
    const zone = tables.find(({ name }: { name: string }) => name === free).zone as string
    const { id, name } = await book(api, 5, { table_name: null, zone_name: zone.toUpperCase() })
    await page.goto('/service')
    await page.getByRole('searchbox').fill(name)
    await page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Sentar' }).click()
    const dialog = page.getByRole('dialog')
    const proposed = dialog.getByRole('list', { name: 'Mesas propuestas' }).getByRole('button')
    await expect(proposed.first()).toContainText(zone)
    await expect(proposed.first()).toContainText(/(cabe justa|sobran? \d+ sitios?) · zona pedida/)
    expect(await proposed.count()).toBeLessThanOrEqual(3)
    await expect(proposed.filter({ hasText: /^B\d/ })).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    const best = (await proposed.first().locator('b').textContent()) ?? ''
    await proposed.first().click()
    await expect.poll(() => stored(api, id)).toMatchObject({ status: 'seated', tables: [best] })
  })

  test('a table of a closed zone asks before it is given', async ({ page }) => {
    const { tables, day } = await serviceNow(api)
    const [free] = await freeTables(api)
    const zone = tables.find(({ name }: { name: string }) => name === free).zone as string
    const closings = `/api/locations/${await locationId(api)}/closings`
    const made = await api.post(closings, { data: { day, zone, reason: 'Obras' } })
    const { data } = await made.json()
    try {
      const { id, name } = await book(api, 5, { table_name: null })
      await openPlan(page)
      await expect(table(page, free)).toHaveAccessibleName(/Cerrada/)
      await entry(page, name).click()
      await table(page, free).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('alert')).toContainText(`Zona ${zone} cerrada: Obras`)
      await dialog.getByRole('button', { name: 'Elegir otra mesa' }).click()
      await chosen(page).getByRole('button', { name: 'Elegir mesa' }).click()
      await expect(dialog.getByRole('list', { name: 'Mesas propuestas' })).not.toContainText(zone)
      await choice(dialog, free).click()
      await dialog.getByRole('button', { name: 'Asignar igualmente' }).click()
      await expect.poll(() => tablesOf(id)).toEqual([free])
    } finally {
      await api.delete(`${closings}/${data.id}`)
    }
  })
})
