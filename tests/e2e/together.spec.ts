import { type APIRequestContext, type Page, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { type Hand, handOn } from './hand'
import { book, freeTables, leave, locationId, stored } from './service-night'

// Two parties that sit together, by a host with a phone.
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

let api: APIRequestContext
test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  const data = { email: 'operaciones@demo.example', password: DEMO_PASSWORD }
  expect((await api.post('/api/auth/sign-in', { data })).ok()).toBe(true)
})
test.afterAll(() => api?.dispose())
test.beforeEach(({ signIn }) => signIn('sala@demo.example'))
test.afterEach(() => leave(api))

interface Pair {
  ids: [string, string]
  names: [string, string]
  tables: [string, string]
  /** A word of both notes, by which the board finds these two. */
  word: string
}
/** Two parties due in a moment, each with a table of its own. */
async function pair(): Promise<Pair> {
  const tables = await freeTables(api)
  const word = `bodega${Math.random().toString(36).slice(2, 8)}`
  const [one, other] = [
    await book(api, 5, { table_name: tables[0], notes: word }),
    await book(api, 5, { table_name: tables[1], party_size: 3, notes: word }),
  ]
  return { ids: [one.id, other.id], names: [one.name, other.name], tables, word }
}
/** The row of a party, whose name others have beside theirs. */
const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
async function onBoard(page: Page, { word }: Pair): Promise<void> {
  await page.goto('/service')
  await page.getByRole('searchbox').fill(word)
}
const states = async ({ ids }: Pair) =>
  Promise.all(ids.map(async (id) => `${(await stored(api, id)).status} ${(await stored(api, id)).tables}`))
const undo = (page: Page) => page.getByRole('button', { name: 'Deshacer' })

async function joinByHand(page: Page, hand: Hand, { names: [one, other] }: Pair) {
  await hand.tap(row(page, one).getByRole('time'))
  await hand.tap(page.getByRole('dialog', { name: one }).getByRole('button', { name: 'Juntar con…' }))
  const dialog = page.getByRole('dialog', { name: `¿Con quién se sienta ${one}?` })
  const search = dialog.getByRole('textbox')
  if (await search.isVisible()) await search.fill(other)
  await hand.tap(dialog.getByRole('button', { name: other }))
}

test('a host has two parties sit together, seats who is at the door, and each leaves by itself', async ({
  page,
}) => {
  const two = await pair()
  const [one, other] = two.names
  const both = two.tables.join()
  const hand = await handOn(page)
  await onBoard(page, two)
  await hand.within(3, 'join two parties', () => joinByHand(page, hand, two))
  await expect(row(page, one)).toContainText(`Con ${other}`)
  await expect(row(page, other)).toContainText(`Con ${one}`)
  await expect(page.getByRole('status').filter({ hasText: 'se sientan juntos' })).toHaveText(
    new RegExp(`^${one} \\+ ${other}: se sientan juntos`),
  )
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
  await expectNoSidewaysScroll(page)
  const paper = await page.context().newPage()
  await paper.goto('/print/reservations')
  const line = paper
    .getByRole('row')
    .filter({ has: paper.getByRole('cell', { name: new RegExp(`^${one}`) }) })
  await expect(line).toContainText(`Con ${other}`)
  await paper.close()

  // Who has not come is still expected.
  await row(page, one).getByRole('button', { name: 'Sentar' }).click()
  await expect.poll(() => states(two)).toEqual([`seated ${both}`, `confirmed ${both}`])
  await undo(page).click()
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
  for (const name of two.names) await row(page, name).getByRole('button', { name: 'Llegó' }).click()
  await row(page, other).getByRole('button', { name: 'Sentar' }).click()
  await expect.poll(() => states(two)).toEqual([`seated ${both}`, `seated ${both}`])
  await undo(page).click()
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
  await row(page, one).getByRole('button', { name: 'Sentar' }).click()
  await expect.poll(() => states(two)).toEqual([`seated ${both}`, `seated ${both}`])

  await row(page, one).getByRole('button', { name: 'Terminó' }).click()
  await expect.poll(() => states(two)).toEqual([`completed ${both}`, `seated ${both}`])
  await undo(page).click()
  await expect.poll(() => states(two)).toEqual([`seated ${both}`, `seated ${both}`])
  // Each is a booking of its own, with its covers.
  expect(await Promise.all(two.ids.map(async (id) => (await stored(api, id)).party_size))).toEqual([4, 3])
})

test('a host separates them again, and takes it back', async ({ page }) => {
  const two = await pair()
  const [one, other] = two.names
  const both = two.tables.join()
  const hand = await handOn(page)
  await onBoard(page, two)
  await joinByHand(page, hand, two)
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
  await row(page, other).getByRole('time').click()
  await page
    .getByRole('dialog', { name: other })
    .getByRole('button', { name: `Separar de ${one}` })
    .click()
  await expect(row(page, one)).not.toContainText('Con García')
  await expect(row(page, other)).toContainText('Sin mesa')
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, 'confirmed '])
  await undo(page).click()
  await expect(row(page, one)).toContainText(`Con ${other}`)
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
})

test('it works by keyboard, and the way back has the focus', async ({ page }) => {
  const two = await pair()
  const [one, other] = two.names
  const apart = two.tables.map((name) => `confirmed ${name}`)
  await onBoard(page, two)
  await row(page, one).getByRole('button', { name: '4 personas' }).press('Enter')
  const sheet = page.getByRole('dialog', { name: one })
  await expect(sheet.getByRole('button', { name: 'Separar' })).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Juntar con…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: `¿Con quién se sienta ${one}?` })
  // Nobody sits with itself.
  await expect(dialog.getByRole('button', { name: one })).toHaveCount(0)
  const search = dialog.getByRole('textbox')
  if (await search.isVisible()) await search.fill(other)
  expect(await violations(page)).toEqual([])
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page)
  }
  await dialog.getByRole('button', { name: other }).press('Enter')
  await expect(row(page, one)).toContainText(`Con ${other}`)
  await expect(undo(page)).toBeFocused()
  expect(await violations(page)).toEqual([])
  await undo(page).press('Enter')
  await expect(row(page, one)).not.toContainText('Con García')
  await expect.poll(() => states(two)).toEqual(apart)
})

test('on the board of tables they are no clash, and get another table together', async ({ page }) => {
  const two = await pair()
  const [one, other] = two.names
  const [id, joined] = two.ids
  const both = two.tables.join()
  const taps = [
    { action: 'join', reservation_id: joined, to: id, tables: two.tables },
    { action: 'assign', reservation_id: id, tables: two.tables },
  ].map((tap) => ({ key: crypto.randomUUID(), ...tap }))
  const location_id = await locationId(api)
  expect((await api.post('/api/service/taps', { data: { location_id, taps } })).ok()).toBe(true)
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`/service/tables?location_id=${location_id}`)
  await page.getByRole('button', { name: 'Todo el día' }).click()
  const bars = page.getByRole('button', { name: new RegExp(`^${other}, 3 personas`) })
  await expect(bars).toHaveCount(2)
  await expect(page.getByRole('button', { name: new RegExp(`${other}.*coincide`) })).toHaveCount(0)
  await bars.first().click()
  const chosen = page.getByRole('region', { name: 'Reserva elegida' })
  await expect(chosen).toContainText(`${other} + ${one} · 7 personas`)
  await chosen.getByRole('button', { name: 'Dejar sin mesa' }).click()
  await expect.poll(() => states(two)).toEqual(['confirmed ', 'confirmed '])
  await undo(page).click()
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `confirmed ${both}`])
})

test('without a connection the board shows it at once, and sends it later', async ({ page, context }) => {
  const two = await pair()
  const [one, other] = two.names
  const both = two.tables.join()
  const hand = await handOn(page)
  await onBoard(page, two)
  await row(page, one).getByRole('time').click()
  await page.getByRole('dialog', { name: one }).getByRole('button', { name: 'Cerrar' }).click()
  await context.setOffline(true)
  await joinByHand(page, hand, two)
  await expect(row(page, other)).toContainText(`Con ${one}`)
  await expect(row(page, other)).toContainText(`Mesa ${two.tables.join('+')}`)
  await row(page, other).getByRole('button', { name: 'Sentar' }).click()
  await expect(row(page, other).getByRole('button', { name: 'Terminó' })).toBeVisible()
  expect(await states(two)).toEqual(two.tables.map((name) => `confirmed ${name}`))
  await context.setOffline(false)
  await expect.poll(() => states(two)).toEqual([`confirmed ${both}`, `seated ${both}`])
})
