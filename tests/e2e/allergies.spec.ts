import { type APIRequestContext, type Page, request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { pdfPages } from '../support/pdf-text'
import { changeScheme, violations } from './axe'
import { expect, expectNoSidewaysScroll, test } from './fixtures'
import { PAGES, pathOf } from './pages'
import { book, locationId } from './service-night'
import { settled } from './settled'

const SUPER = 'super@demo.example'
const FLOOR = 'sala@demo.example'
/** As the demo has no other; the stamp tells it from that of an earlier run on the same data. */
const NAME = `Xenia Altagracia ${Date.now().toString(36)}`
const WORDS = 'frutos secos'
const NOTE = 'anafilaxia, lleva adrenalina'

/** Pages that may name the guest without the allergy, each with the reason. */
const WITHOUT: Record<string, string> = {}
/** Pages that must name the guest: else the test would look at nothing there. */
const NAMED = [
  '/',
  '/reservations',
  '/print/reservations',
  '/service',
  '/service/tables',
  '/service/guests/[id]',
  '/customers',
  '/customers/[id]',
  '/calendar',
  '/tickets/[id]',
]

interface Given {
  guest: string
  booking: string
  ticket: string
  location: string
}
let given: Given
let api: APIRequestContext

test.beforeAll(async ({ baseURL }) => {
  api = await request.newContext({ baseURL })
  expect(
    (await api.post('/api/auth/sign-in', { data: { email: SUPER, password: DEMO_PASSWORD } })).ok(),
  ).toBe(true)
  const made = async (path: string, data: object) => {
    const answer = await api.post(path, { data })
    expect(answer.status(), await answer.text()).toBe(201)
    return (await answer.json()).data.id as string
  }
  const [first_name, ...rest] = NAME.split(' ')
  const guest = await made('/api/customers', { first_name, last_name: rest.join(' ') })
  const facts = { facts: [{ code: 'egg' }, { code: 'nuts', note: NOTE }] }
  expect((await api.put(`/api/customers/${guest}/facts`, { data: facts })).ok()).toBe(true)
  // The soonest of all: the lists of what comes next are short.
  const { id: booking } = await book(api, 1, { customer_id: guest, customer_name: NAME, table_name: 'S7' })
  const location = await locationId(api)
  const event_datetime = new Date().toISOString()
  await made('/api/calendar-events', {
    title: 'Cata',
    event_datetime,
    location_id: location,
    customer_id: guest,
  })
  const ticket = await made('/api/tickets', { subject: 'Menú', location_id: location, customer_id: guest })
  given = { guest, booking, ticket, location }
})
test.afterAll(() => api?.dispose())

/** Where a page shows this guest, when not at its own address. */
const places = (): Record<string, string[]> => ({
  '/reservations': [
    `/reservations?location=${given.location}`,
    `/reservations?location=${given.location}&view=timeline`,
    `/reservations?location=${given.location}&view=week`,
    `/reservations?location=${given.location}&reservation=${given.booking}`,
  ],
  '/print/reservations': [`/print/reservations?location=${given.location}`],
  '/service': [`/service?location_id=${given.location}`],
  '/service/tables': [`/service/tables?location_id=${given.location}`],
  '/service/guests/[id]': [`/service/guests/${given.guest}`],
  '/customers': [`/customers?search=${encodeURIComponent(NAME)}`],
  '/customers/[id]': [`/customers/${given.guest}`],
  '/tickets/[id]': [`/tickets/${given.ticket}`],
  '/': [`/?location=${given.location}`],
  '/morning': [`/morning?location=${given.location}`],
})

/** How often the page names the guest, and those of the places where the allergy does not stand beside the name. */
function namings(page: Page, ofOneGuest: boolean) {
  return page.evaluate(
    ({ name, words, ofOneGuest: own }) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: { text: string; told: boolean }[] = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        if (!node.textContent?.includes(name) || !element || element.closest('script, style, title')) continue
        const row =
          element.closest(`tr, li, article, dialog, [role="option"]${own ? ', main' : ''}`) ??
          element.closest('section')
        const text = `${row?.textContent} ${row?.getAttribute('aria-label')}`
        found.push({ text: row?.outerHTML.slice(0, 300) ?? element.outerHTML, told: text.includes(words) })
      }
      return found
    },
    { name: NAME, words: WORDS, ofOneGuest },
  )
}

for (const entry of PAGES.filter(({ as }) => as))
  test(`${entry.route}: where it names a guest, it names the allergy`, async ({ page, signIn }) => {
    await signIn(entry.as ?? SUPER)
    const paths = places()[entry.route] ?? [await pathOf(entry, page.request)]
    let named = 0
    for (const path of paths) {
      await page.goto(path)
      await settled(page)
      const found = await namings(page, entry.route.endsWith('[id]'))
      named += found.length
      if (entry.route in WITHOUT) continue
      expect(
        found.filter(({ told }) => !told),
        path,
      ).toEqual([])
    }
    if (NAMED.includes(entry.route)) expect(named).toBeGreaterThan(0)
    if (entry.route in WITHOUT) expect(named, 'no longer needed in WITHOUT').toBeGreaterThan(0)
  })

test('the PDF of the morning writes a name in Chinese, its allergy beside it', async () => {
  const made = await api.post('/api/customers', { data: { first_name: '王', last_name: '小明' } })
  const customer_id = (await made.json()).data.id
  const facts = { facts: [{ code: 'nuts', note: '严重过敏' }] }
  expect((await api.put(`/api/customers/${customer_id}/facts`, { data: facts })).ok()).toBe(true)
  await book(api, 2, { customer_id, customer_name: '王小明' })
  const answer = await api.get(`/api/morning/pdf?location_id=${given.location}`)
  expect(answer.status()).toBe(200)
  const text = pdfPages(await answer.body()).join('\n')
  expect(text).toMatch(/王小明 \(4\) {2}Alergia: frutos secos \(严重过敏\)/)
})

test('the search says it before anything is opened', async ({ page, signIn }) => {
  await signIn(SUPER)
  await page.goto('/account')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(NAME)
  const options = page.getByRole('option').filter({ hasText: NAME })
  await expect(options).toHaveCount(2)
  for (const option of await options.all())
    await expect(option).toContainText('Alergias: huevo, frutos secos')
})

test.describe('floor staff with the narrowest phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('see the severe one first, whole and with a sign, also by night', async ({ page, signIn }) => {
    await signIn(FLOOR)
    for (const path of [
      '/service',
      `/service/guests/${given.guest}`,
      '/reservations',
      `/reservations?reservation=${given.booking}`,
    ]) {
      await page.goto(path)
      await settled(page)
      // On a phone the next arrival is a time without a name.
      const told = page.getByText(`Alergia: ${WORDS} (${NOTE})`).or(page.getByText(NOTE))
      const severe = told.filter({ visible: true }).first()
      await expect(severe).toBeVisible()
      expect(await severe.evaluate((badge) => badge.scrollWidth <= badge.clientWidth + 1), path).toBe(true)
      await expectNoSidewaysScroll(page)
    }
    await page.goto('/service')
    await changeScheme(page, 'dark')
    expect(await violations(page, ['color-contrast'])).toEqual([])
    const row = page.getByRole('listitem').filter({ hasText: NAME }).first()
    await expect(row.getByText(/^Alergia/).first()).toHaveText(`Alergia: ${WORDS} (${NOTE})`)
  })
})
