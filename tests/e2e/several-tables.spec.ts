import { type APIRequestContext, type Page, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { type Hand, handOn } from './hand'
import { book, choice, freeTables, leave, stored } from './service-night'

// Parties at several tables, by a host with a phone.
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

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** The board with only this party, as after a search. */
async function onBoard(page: Page, name: string): Promise<Hand> {
  const hand = await handOn(page)
  await page.goto('/service')
  await page.getByRole('searchbox').fill(name)
  await expect(row(page, name)).toHaveCount(1)
  return hand
}

test('a party that no table holds is seated at several in two taps', async ({ page }) => {
  const { id, name } = await book(api, 5, { party_size: 15, table_name: null })
  const hand = await onBoard(page, name)
  const dialog = page.getByRole('dialog')
  let tables = ''
  await hand.within(2, 'seat a large party', async () => {
    await hand.tap(row(page, name).getByRole('button', { name: 'Sentar' }))
    const proposed = dialog.getByRole('button', { name: /Sugerida/ })
    tables = (await proposed.locator('b').textContent()) ?? ''
    await hand.tap(proposed)
    await expect(row(page, name)).toContainText(`Mesa ${tables}`)
  })
  expect(tables).toMatch(/^\w+\+\w+/)
  await expect
    .poll(() => stored(api, id))
    .toMatchObject({ status: 'seated', table_name: tables, tables: tables.split('+') })
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect.poll(() => stored(api, id)).toMatchObject({ status: 'confirmed', tables: [] })
})

test('a host joins tables by keyboard, and hears how many they seat', async ({ page }) => {
  const [one, other] = await freeTables(api)
  const { id, name } = await book(api, 5, { party_size: 5, table_name: null })
  await onBoard(page, name)
  await row(page, name).getByRole('button', { name: 'Sentar' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Varias mesas' }).press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('Elige las mesas.')
  await choice(dialog, one).press('Enter')
  await expect(choice(dialog, one)).toHaveAttribute('aria-pressed', 'true')
  await choice(dialog, other).press(' ')
  await expect(dialog.getByRole('status')).toHaveText(
    new RegExp(`^Mesa ${one}\\+${other}: caben \\d+, son 5$`),
  )
  await expect(dialog.getByRole('status')).toBeInViewport({ ratio: 1 })
  expect(await violations(page)).toEqual([])
  await expectNoSidewaysScroll(page)
  await dialog.getByRole('button', { name: 'Sentar', exact: true }).press('Enter')
  await expect(row(page, name)).toContainText(`Mesa ${one}+${other}`)
  await expect.poll(async () => (await stored(api, id)).tables).toEqual([one, other])
})

test('a table that is too small gets another one', async ({ page }) => {
  const [one, other] = await freeTables(api)
  const { id, name } = await book(api, 5, { party_size: 30, table_name: one })
  await onBoard(page, name)
  await row(page, name)
    .getByRole('button', { name: `Más acciones: ${name}` })
    .click()
  await page.getByRole('button', { name: 'Elegir otra mesa' }).click()
  const dialog = page.getByRole('dialog')
  await choice(dialog, other).click()
  await expect(dialog.getByRole('alert')).toContainText('y son 30')
  await dialog.getByRole('button', { name: 'Añadir otra mesa' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Varias mesas' })).toBeFocused()
  await choice(dialog, one).click()
  await dialog.getByRole('button', { name: 'Asignar', exact: true }).click()
  await dialog.getByRole('button', { name: 'Asignar igualmente' }).click()
  await expect.poll(async () => (await stored(api, id)).tables).toEqual([other, one])
  expect((await stored(api, id)).status).toBe('confirmed')
})
