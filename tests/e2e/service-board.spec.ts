import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, expectNoSpanish, speakEnglish, test } from './fixtures'
import { tabTo } from './keyboard'
import { book, choice, freeTables, leave, locationId, serviceNow, stored, YES } from './service-night'
import { VENUE_ZONE } from './venue-zone'

const PHONE = { width: 390, height: 844 }
/** The first guest begins at most so far down. */
const CONTROLS = 220
/** Longer than the list waits at rest before it is sorted anew. */
const REST = 30_000
test.use({ viewport: PHONE })

async function openService(page: Page) {
  await page.goto(`/service?location_id=${await locationId(page.request)}`)
}
/** With the parties of every shift: those of the next minutes may be of another one than that under way. */
async function openDay(page: Page) {
  await openService(page)
  await page.getByRole('button', { name: 'Todo el día' }).click()
}
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const group = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const undo = (page: Page) => page.getByRole('button', { name: 'Deshacer' })

/** Where an element is on the screen, in pixels from the top. */
const top = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN

/** To the pixel: a page scrolls by whole ones, a layout counts in 64ths. */
function expectStill(now: number, before: number) {
  expect(Math.abs(now - before), `${before} px, then ${now} px`).toBeLessThan(1)
}

/** Puts a row into the middle of the screen, where nothing lies over it. */
async function centre(element: Locator) {
  await element.evaluate((each) => each.scrollIntoView({ block: 'center', behavior: 'instant' }))
}

/** Taps an item of a party's menu. */
async function choose(page: Page, name: string, item: string) {
  await row(page, name)
    .getByRole('button', { name: `Más acciones: ${name}` })
    .click()
  await row(page, name).getByRole('button', { name: item, exact: true }).click()
}

const isStored = (api: APIRequestContext, id: string, status: string) =>
  expect.poll(async () => (await stored(api, id)).status).toBe(status)

/** Taps as another device does; each is saved. */
async function tap(api: APIRequestContext, ...actions: object[]) {
  const taps = actions.map((each) => ({ key: crypto.randomUUID(), ...each }))
  const answer = await api.post('/api/service/taps', { data: { location_id: await locationId(api), taps } })
  const { data } = await answer.json()
  expect(data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(taps.map(() => 'saved'))
}

/** A party of the service under way at a time of its day. */
async function bookAt(api: APIRequestContext, reservation_time: string, fields: object) {
  const name = `García ${Math.random().toString(36).slice(2, 8)}`
  const data = {
    ...{ location_id: await locationId(api), customer_name: name, party_size: 4, status: 'confirmed' },
    ...{ reservation_date: currentServiceDay(VENUE_ZONE), reservation_time, confirm: YES, ...fields },
  }
  const made = await api.post('/api/reservations', { data })
  expect(made.status(), await made.text()).toBe(201)
  return { id: (await made.json()).data.id as string, name }
}

test.beforeEach(({ signIn }) => signIn('operaciones@demo.example'))
test.afterEach(({ page }) => leave(page.request))

for (const width of [390, 320])
  test(`the first guest is on the first screen of a phone of ${width}`, async ({ page }) => {
    await book(page.request, 5, {})
    await page.setViewportSize({ width, height: PHONE.height })
    await openService(page)
    const first = page.getByRole('main').getByRole('listitem').first()
    // A narrower phone gives the search a line of its own.
    expect(await top(first)).toBeLessThanOrEqual(width === 390 ? CONTROLS : CONTROLS + 80)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await expectNoSidewaysScroll(page)
    expect(await violations(page)).toEqual([])
  })

test('a row stays under the finger, whatever its party does, until the list is at rest', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 6, { table_name: table })
  const below = await book(page.request, 7, {})
  await page.clock.install()
  await openDay(page)
  await centre(row(page, name))
  const before = [await top(row(page, name)), await top(row(page, below.name))] as const
  const expectBothStill = async () => {
    expectStill(await top(row(page, name)), before[0])
    expectStill(await top(row(page, below.name)), before[1])
  }
  await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  await expect(row(page, name)).toContainText('En la puerta')
  await expectBothStill()
  // With the list as long as it is.
  await expect(undo(page)).toBeInViewport({ ratio: 1 })
  await row(page, name).getByRole('button', { name: 'Sentar' }).click()
  await expect(row(page, name)).toContainText('En mesa')
  await isStored(page.request, id, 'seated')
  await expectBothStill()
  await row(page, name).getByRole('button', { name: 'Terminó' }).click()
  await isStored(page.request, id, 'completed')
  // The list was read again since.
  await page.clock.runFor(11_000)
  await expect(row(page, name).getByRole('button', { name: 'Terminó' })).toHaveCount(0)
  await expectBothStill()
  await expect(group(page, 'Llegan')).toContainText(name)
  await page.clock.runFor(REST)
  await expect(group(page, 'Terminados')).toContainText(name)
  await expect(group(page, 'Llegan')).not.toContainText(name)
})

test('the first touch moves no row, though another ends within a pixel', async ({ page }) => {
  const { name } = await book(page.request, 6, {})
  await openDay(page)
  const first = page.getByRole('main').getByRole('listitem').first()
  await first.evaluate((each) => {
    each.style.height = `${Math.ceil(each.getBoundingClientRect().height) + 0.6}px`
  })
  const before = await top(row(page, name))
  await page.keyboard.press('Shift')
  await expect(first).toHaveAttribute('style', /min-height/)
  expect(await top(row(page, name))).toBe(before)
})

for (const width of [390, 320, 1280])
  test(`a second tap on Seat finishes nobody, in time or late, on a screen of ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: PHONE.height })
    for (const minutes of [6, -40]) {
      const [table_name] = await freeTables(page.request)
      const { id, name } = await book(page.request, minutes, { table_name })
      for (const edge of ['left', 'right']) {
        await openDay(page)
        await centre(row(page, name))
        const seat = row(page, name).getByRole('button', { name: 'Sentar' })
        const box = await seat.boundingBox()
        await seat.dblclick({ position: { x: edge === 'left' ? 5 : (box?.width ?? 0) - 5, y: 10 } })
        await expect(row(page, name).getByRole('button', { name: 'Terminó' })).toBeVisible()
        await isStored(page.request, id, 'seated')
        await tap(page.request, { action: 'set_back', reservation_id: id, to: 'expected' })
      }
    }
  })

test('what comes above the tapped row does not push it down', async ({ page }) => {
  const { name } = await book(page.request, 6, {})
  await openService(page)
  await centre(row(page, name))
  const before = await top(row(page, name))
  await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  const late = await book(page.request, -40, {})
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(group(page, 'Con retraso')).toContainText(late.name)
  expectStill(await top(row(page, name)), before)
})

test('what a pasted search finds stands at once where the first tap finds it', async ({ page }) => {
  const { id, name } = await book(page.request, 6, {})
  const waiting = { location_id: await locationId(page.request), name: 'Nora Vidal', party_size: 100 }
  const made = await page.request.post('/api/waitlist', { data: waiting })
  expect(made.status(), await made.text()).toBe(201)
  try {
    await openDay(page)
    await expect(page.getByText('Nora Vidal', { exact: true })).toBeVisible()
    const search = page.getByRole('searchbox').first()
    const found = async () => {
      await search.fill(name)
      await expect(page.getByText('Nora Vidal', { exact: true })).toHaveCount(0)
      return top(row(page, name))
    }
    const untouched = await found()
    await search.fill('')
    await expect(page.getByText('Nora Vidal', { exact: true })).toBeVisible()
    // From the first touch on, the blocks of the list keep their height.
    await page.keyboard.press('Shift')
    expectStill(await found(), untouched)
    await row(page, name).getByRole('button', { name: 'Llegó' }).click()
    await expect(row(page, name)).toContainText('En la puerta')
    await isStored(page.request, id, 'confirmed')
  } finally {
    const { data } = await made.json()
    await page.request.patch(`/api/waitlist/${data.id}`, { data: { action: 'leave' } })
  }
})

test('undo is on the screen; later the menu of the row sets every state back', async ({ page }) => {
  const [table] = await freeTables(page.request)
  const { id, name } = await book(page.request, 8, { table_name: table, status: 'completed' })
  await page.clock.install()
  await openDay(page)
  await centre(row(page, name))
  const back = async (item: string, status: string) => {
    await choose(page, name, item)
    await isStored(page.request, id, status)
  }
  await back('Sigue en la mesa', 'seated')
  await expect(undo(page)).toBeInViewport({ ratio: 1 })
  const box = await undo(page).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
  await page.mouse.move(0, 0)
  await page.clock.runFor(11_000)
  await expect(undo(page)).toHaveCount(0)

  // By the PMS's word alone nobody knows of an arrival.
  await back('Aún no ha llegado', 'confirmed')
  await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  await row(page, name).getByRole('button', { name: 'Sentar' }).click()
  await isStored(page.request, id, 'seated')
  await back('Aún no está en la mesa', 'confirmed')
  await expect(row(page, name)).toContainText('En la puerta')
  await choose(page, name, 'Aún no ha llegado')
  await expect(row(page, name).getByRole('button', { name: 'Llegó' })).toBeVisible()
  await back('No vino', 'no_show')
  await back('Al final viene', 'confirmed')
  await back('Cancelar reserva', 'cancelled')
  await back('Al final viene', 'confirmed')
})

test('by keyboard, too', async ({ page }) => {
  const { id, name } = await book(page.request, 8, { status: 'no_show' })
  await openService(page)
  await page.getByRole('searchbox').fill(name)
  const menu = row(page, name).getByRole('button', { name: `Más acciones: ${name}` })
  await tabTo(page, menu)
  await page.keyboard.press('Enter')
  const back = row(page, name).getByRole('button', { name: 'Al final viene' })
  await tabTo(page, back)
  await page.keyboard.press('Enter')
  await expect(undo(page)).toBeFocused()
  await isStored(page.request, id, 'confirmed')
  await page.keyboard.press('Control+z')
  await isStored(page.request, id, 'no_show')
})

test('a state is set back without a connection, and sent later', async ({ page, context }) => {
  const { id, name } = await book(page.request, 8, { status: 'cancelled' })
  await openDay(page)
  await centre(row(page, name))
  await context.setOffline(true)
  await choose(page, name, 'Al final viene')
  await expect(row(page, name).getByRole('button', { name: 'Llegó' })).toBeVisible()
  await expect(page.getByText('1 cambio por enviar')).toBeInViewport({ ratio: 1 })
  expect((await stored(page.request, id)).status).toBe('cancelled')
  await context.setOffline(false)
  await isStored(page.request, id, 'confirmed')
})

test('another table does not seat who has not come', async ({ page }) => {
  const [table, other] = await freeTables(page.request)
  const { id, name } = await book(page.request, 5, { table_name: table })
  await openService(page)
  await centre(row(page, name))
  await choose(page, name, 'Elegir otra mesa')
  await choice(page.getByRole('dialog', { name: `Mesa para ${name} · 4 personas` }), other).click()
  await expect(row(page, name)).toContainText(`Mesa ${other}`)
  await expect(row(page, name).getByRole('button', { name: 'Llegó' })).toBeVisible()
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(other)
  expect((await stored(page.request, id)).status).toBe('confirmed')
  await undo(page).click()
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(table)
})

test('who cancelled and who did not come stand apart, by name, without covers', async ({ page }) => {
  const completed = await book(page.request, -30, { status: 'completed' })
  const gone = await book(page.request, -31, { status: 'cancelled' })
  const never = await book(page.request, -32, { status: 'no_show' })
  await openDay(page)
  const lost = group(page, 'Canceladas y no vinieron')
  await expect(group(page, 'Terminados')).toContainText(completed.name)
  for (const { name } of [gone, never]) {
    await expect(group(page, 'Terminados')).not.toContainText(name)
    await expect(lost).toContainText(name)
  }
  await expect(row(page, gone.name)).toContainText('Cancelada')
  await expect(row(page, never.name)).toContainText('No vino')
  const count = lost.locator('small').first()
  await expect(count).toHaveText(/^\d+ canceladas? · \d+ (no vino|no vinieron)$/)
  const { parties } = await serviceNow(page.request)
  const over = parties.filter(({ status }: { status: string }) => status === 'completed')
  const covers = over.reduce((sum: number, each: { party_size: number }) => sum + each.party_size, 0)
  await expect(group(page, 'Terminados').locator('small').first()).toHaveText(
    new RegExp(`^${over.length} grupos? · ${covers} comensal(es)?$`),
  )
})

test('who sits since lunch stands on top of dinner until somebody finishes them', async ({ page }) => {
  const sits = await bookAt(page.request, '14:00', { status: 'seated' })
  const others: { id: string }[] = []
  for (let n = 0; n < 9; n++) others.push(await bookAt(page.request, '13:59', { status: 'seated' }))
  const dinner = await bookAt(page.request, '23:59', {})
  await openService(page)
  await page.getByRole('button', { name: 'Cena', exact: true }).click()
  // Many of them do not push those who come off the screen.
  await expect(group(page, 'Siguen de Comida').getByRole('listitem')).toHaveCount(3)
  await group(page, 'Siguen de Comida')
    .getByRole('button', { name: /^Ver otros \d+$/ })
    .click()
  await expect(group(page, 'Siguen de Comida')).toContainText(sits.name)
  await expect(row(page, dinner.name)).toBeVisible()
  const first = page.getByRole('main').getByRole('listitem').first()
  expect(await group(page, 'Siguen de Comida').getByRole('listitem').first().boundingBox()).toEqual(
    await first.boundingBox(),
  )
  // A tap on a row below the screen would scroll to it.
  await centre(row(page, sits.name))
  const before = await top(row(page, sits.name))
  await row(page, sits.name).getByRole('button', { name: 'Terminó' }).click()
  await isStored(page.request, sits.id, 'completed')
  expectStill(await top(row(page, sits.name)), before)
  await openService(page)
  await page.getByRole('button', { name: 'Cena', exact: true }).click()
  await expect(row(page, dinner.name)).toBeVisible()
  await expect(row(page, sits.name)).toHaveCount(0)
  // Who still sits would fold the rows of the tests that follow.
  await tap(page.request, ...others.map(({ id }) => ({ action: 'finish', reservation_id: id })))
})

test('who sits two hours too long is proposed as finished: all with one tap, and back', async ({ page }) => {
  // Both at one table: undo brings both back to it.
  const [table_name] = await freeTables(page.request)
  const parties = [await book(page.request, 5, { table_name }), await book(page.request, 6, { table_name })]
  const confirm = ['table_taken', 'table_too_small']
  await tap(page.request, ...parties.map(({ id }) => ({ action: 'seat', reservation_id: id, confirm })))
  const seated = async () =>
    (await serviceNow(page.request)).parties
      .filter(({ status }: { status: string }) => status === 'seated')
      .map(({ id }: { id: string }) => id)
      .sort()
  const before = await seated()
  // Nobody stays so long.
  await page.clock.install({ time: Date.now() + 7 * 3_600_000 })
  await openDay(page)
  for (const more of await page.getByRole('button', { name: /^Ver otr/ }).all()) await more.click()
  await centre(row(page, parties[0]?.name ?? ''))
  for (const { name } of parties)
    await expect(row(page, name)).toContainText(/En mesa · (6 h 5\d|7 h \d) min/)
  // Others of the demo sit as long: where the clock passed the end of the service, not all of them.
  const finish = page.getByRole('button', { name: /^Terminar los \d+$/ })
  const count = Number((await finish.textContent())?.replace(/\D/g, ''))
  await finish.click()
  for (const { id } of parties) await isStored(page.request, id, 'completed')
  await expect.poll(async () => (await seated()).length).toBe(before.length - count)
  await expect(finish).toHaveCount(0)
  await undo(page).click()
  await expect.poll(seated).toEqual(before)
  await expect(finish).toHaveText(`Terminar los ${count}`)
})

test('a malformed tap does not lose those that are sent with it', async ({ page, context }) => {
  const [malformed, other] = [await book(page.request, 5, {}), await book(page.request, 6, {})]
  await openService(page)
  await context.setOffline(true)
  for (const { name } of [malformed, other]) {
    await centre(row(page, name))
    await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  }
  await expect(page.getByText('2 cambios por enviar')).toBeVisible()
  await page.evaluate(() => {
    for (const [key, taps] of Object.entries(localStorage))
      if (key.startsWith('service:')) localStorage[key] = taps.replace('"seen":"confirmed"', '"seen":"here"')
  })
  await context.setOffline(false)
  await expect(page.getByRole('alert').filter({ hasText: malformed.name })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('alert').filter({ hasText: other.name })).toHaveCount(0)
  const arrived = async ({ id }: { id: string }) =>
    (await serviceNow(page.request)).parties.find((each: { id: string }) => each.id === id).arrived_at
  await expect.poll(() => arrived(other)).not.toBeNull()
  expect(await arrived(malformed)).toBeNull()
})

test('what was not done is told whole at the bottom of the screen, and moves no row', async ({
  page,
  context,
}) => {
  const parties = [await book(page.request, 5, {}), await book(page.request, 6, {})]
  const last = await book(page.request, 7, {})
  await openService(page)
  await context.setOffline(true)
  for (const { name } of parties) {
    await centre(row(page, name))
    await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  }
  for (const { id } of parties)
    await page.request.patch(`/api/reservations/${id}`, { data: { status: 'cancelled' } })
  await centre(row(page, last.name))
  const before = await top(row(page, last.name))
  await context.setOffline(false)
  const alert = page.getByRole('alert').filter({ hasText: parties[0]?.name })
  await expect(alert).toBeInViewport({ ratio: 1, timeout: 20_000 })
  for (const { name } of parties) await expect(alert.getByText(`Llegó: ${name}`)).toBeInViewport({ ratio: 1 })
  await expect(alert.getByRole('button', { name: 'Entendido' })).toBeInViewport({ ratio: 1 })
  expect(await alert.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  expectStill(await top(row(page, last.name)), before)
  await expectNoSidewaysScroll(page)
  expect(await violations(page)).toEqual([])
})

test('the board of tables has undo on the screen, too', async ({ page }) => {
  const { id, name } = await book(page.request, 5, { table_name: null })
  const [table] = await freeTables(page.request)
  await page.goto(`/service/tables?location_id=${await locationId(page.request)}`)
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('button', { name: 'Elegir mesa' }).click()
  await choice(page.getByRole('dialog'), table).click()
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBe(table)
  await expect(undo(page)).toBeInViewport({ ratio: 1 })
  await undo(page).click()
  await expect.poll(async () => (await stored(page.request, id)).table_name).toBeNull()
})

test('a menu at the bottom of the screen opens upwards; the board speaks English', async ({ page }) => {
  const { name } = await book(page.request, 5, {})
  await openService(page)
  await speakEnglish(page)
  await expectNoSpanish(page)
  await row(page, name).evaluate((each) => each.scrollIntoView({ block: 'end', behavior: 'instant' }))
  await row(page, name)
    .getByRole('button', { name: `More actions: ${name}` })
    .click()
  for (const item of ['Choose a table', 'No-show', 'Cancel reservation'])
    await expect(row(page, name).getByRole('button', { name: item })).toBeInViewport({ ratio: 1 })
})
