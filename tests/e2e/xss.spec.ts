import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import Papa from 'papaparse'
import { loadKeys } from '../../supabase/local/keys'
import { expect, test } from './fixtures'
import { type Model, startModel } from './model'
import { settled } from './settled'
import { EVERYTHING, LONG, SHORT } from './xss-payloads'

const stamp = Date.now()
const TAG = `xss-${stamp}`
const CSV_NAME = 'clientes"><img src=x onerror=window.__xss=1>.csv'

interface Stored {
  customers: string[]
  tickets: string[]
  events: string[]
  automations: string[]
  reservations: string[]
  location: string
  brand: string
  import: string
  date: string
}

let model: Model
let stored: Stored
let organization: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(240_000)
  model = await startModel()
  await model.connect()
  stored = await storePayloads(model.api)
})
test.afterAll(async () => {
  test.setTimeout(120_000)
  await forget()
  await model?.close()
})

/** The id of what a request made. */
async function made(api: APIRequestContext, path: string, data: object): Promise<string> {
  const answer = await api.post(path, { data })
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(201)
  return (await answer.json()).data.id
}

/** Puts the payloads wherever the product takes a text, by its own API; for the PMS's own fields into its rows. */
async function storePayloads(api: APIRequestContext): Promise<Stored> {
  const { data: settings } = await (await api.get('/api/organization')).json()
  organization = settings.name
  const day = new Date().toISOString().slice(0, 10)
  const brand = await made(api, '/api/brands', { name: SHORT.slice(0, 3).join(' '), slug: TAG })
  const place = {
    name: SHORT.slice(2, 5).join(' '),
    city: SHORT[2],
    address: SHORT.slice(0, 6).join(' '),
    brand_id: brand,
  }
  const location = await made(api, '/api/locations', place)
  await storeSetup(api, location)
  const birthday = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(5, 10)
  const customers: string[] = []
  for (const [index, payload] of SHORT.entries())
    customers.push(
      await made(api, '/api/customers', {
        first_name: payload,
        last_name: SHORT[(index + 3) % SHORT.length],
        company: payload,
        job_title: payload,
        address: SHORT.slice(0, 8).join(' '),
        city: SHORT[(index + 5) % SHORT.length],
        notes: EVERYTHING,
        tags: [TAG, ...SHORT],
        email: `xss-${index}-${stamp}@correo.example`,
        birth_date: `1984-${birthday}`,
        location_id: location,
        consent: { email: { basis: 'opt_in', reason: payload } },
      }),
    )
  const customer_id = customers[2]
  const tickets = await Promise.all(
    LONG.slice(0, 12).map((payload) =>
      made(api, '/api/tickets', {
        subject: payload.slice(0, 200),
        description: EVERYTHING,
        customer_id,
        location_id: location,
        priority: 'urgent',
      }),
    ),
  )
  for (const body of [EVERYTHING, ...SHORT.slice(0, 4)])
    await made(api, `/api/tickets/${tickets[0]}/comments`, { body })
  const events = await Promise.all(
    SHORT.map((title, index) =>
      made(api, '/api/calendar-events', {
        title,
        event_datetime: new Date(Date.now() + index * 3_600_000).toISOString(),
        description: EVERYTHING,
        customer_id,
        location_id: location,
      }),
    ),
  )
  const automations: string[] = []
  for (const payload of SHORT.slice(0, 8))
    automations.push(
      await made(api, '/api/automations', {
        name: payload,
        type: 'birthday',
        channel: 'email',
        subject: `${payload} {{ first_name }}`,
        body: `{{ first_name }} {{ last_name }} {{ location_name }}\n${SHORT.join('\n')}\n[x](javascript:window.__xss=1)`,
        tags: [TAG],
      }),
    )
  expect((await api.patch('/api/organization', { data: { name: SHORT.slice(2, 5).join(' ') } })).ok()).toBe(
    true,
  )
  const csv = [
    'nombre;apellido;email;notas;etiquetas',
    ...SHORT.map((payload, index) =>
      [payload, payload, `xss-csv-${index}-${stamp}@correo.example`, payload, TAG]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(';'),
    ),
  ]
  // Rows that fail are shown with their reason.
  csv.push(...SHORT.map((payload) => `"";"";"${payload.replaceAll('"', '""')}";"";""`))
  const sent = await api.post('/api/imports', {
    multipart: { file: { name: CSV_NAME, mimeType: 'text/csv', buffer: Buffer.from(csv.join('\n')) } },
  })
  expect(sent.ok(), await sent.text()).toBe(true)
  const reservations = await storePmsRows(location, day)
  await storeFeedback(reservations, location, customers)
  return {
    customers,
    tickets,
    events,
    automations,
    location,
    brand,
    date: day,
    import: (await sent.json()).data.id,
    reservations,
  }
}

/** Shifts, closed days and tables with the payloads as their names. */
async function storeSetup(api: APIRequestContext, location: string): Promise<void> {
  const hour = (index: number, minutes: string) => `${String(7 + index).padStart(2, '0')}:${minutes}`
  const shifts = SHORT.map((name, index) => ({
    name,
    weekdays: [1],
    opens: hour(index, '00'),
    closes: hour(index, '30'),
    capacity: null,
  }))
  const closed_days = SHORT.map((name, index) => ({ day: `2030-01-${10 + index}`, name }))
  const tables = SHORT.map((name) => ({ zone: name, name, capacity: null, is_active: true }))
  for (const [part, data] of Object.entries({ hours: { shifts, closed_days }, tables: { tables } })) {
    const answer = await api.put(`/api/locations/${location}/${part}`, { data })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
}

const database = async () => {
  const { secretKey } = await loadKeys(process.env.DATA_DIR ?? '.data')
  return createClient(`http://127.0.0.1:${process.env.SUPABASE_PORT}`, secretKey, {
    auth: { persistSession: false },
  })
}

/** Reservations as the sync stores them: what the PMS says about guest, status, zone and table goes in as it is. */
async function storePmsRows(location_id: string, date: string): Promise<string[]> {
  const db = await database()
  const { data: place } = await db
    .from('locations')
    .select('organization_id')
    .eq('id', location_id)
    .single()
    .throwOnError()
  const rows = LONG.slice(0, 24).map((payload, index) => ({
    ...place,
    location_id,
    external_id: `${TAG}-${index}`,
    customer_name: payload.slice(0, 150),
    reservation_date: date,
    reservation_time: `${String(12 + (index % 11)).padStart(2, '0')}:30`,
    party_size: 2,
    status: 'confirmed',
    pms_status: payload.slice(0, 60),
    source: 'pms',
    notes: EVERYTHING,
    zone_name: SHORT[index % SHORT.length],
    table_name: SHORT[(index + 1) % SHORT.length],
  }))
  const { data } = await db.from('reservations').insert(rows).select('id').throwOnError()
  return data.map(({ id }) => id)
}

/** What guests write in the survey, about these visits. */
async function storeFeedback(
  reservations: string[],
  location_id: string,
  customers: string[],
): Promise<void> {
  const db = await database()
  const { data: place } = await db
    .from('locations')
    .select('organization_id')
    .eq('id', location_id)
    .single()
    .throwOnError()
  const rows = reservations.map((reservation_id, index) => ({
    ...place,
    ...{ location_id, reservation_id, customer_id: customers[index % customers.length], language: 'es' },
    ...{ score: 1 + (index % 5), words: LONG[index]?.slice(0, 1000), answered_at: new Date().toISOString() },
  }))
  await db.from('feedback').insert(rows).throwOnError()
}

/** Takes it all out again: the demo is shared with other files. */
async function forget(): Promise<void> {
  if (organization) await model.api.patch('/api/organization', { data: { name: organization } })
  if (!stored) return
  const db = await database()
  await db.from('reservations').delete().eq('location_id', stored.location)
  for (const id of stored.tickets) await model.api.delete(`/api/tickets/${id}`)
  for (const id of stored.events) await model.api.delete(`/api/calendar-events/${id}`)
  for (const id of stored.automations) await model.api.delete(`/api/automations/${id}`)
  await db.from('customers').delete().like('email', `xss-%${stamp}@correo.example`)
  await model.api.delete(`/api/locations/${stored.location}`)
  await model.api.delete(`/api/brands/${stored.brand}`)
}

/** The pages that show what was stored: each of them must, as text. The others' own visit (every-page.spec) is enough. */
const showing = ({ customers, tickets, events, automations, reservations, location, date }: Stored) => [
  `/?location_id=${location}`,
  `/morning?location=${location}`,
  ...customers.slice(0, 6).map((id) => `/customers/${id}`),
  `/customers?tag=${TAG}`,
  `/customers?search=${encodeURIComponent('<img')}&sort=name`,
  `/customers?search=${encodeURIComponent('"><svg onload=window.__xss=1>')}`,
  `/customers?tag=${encodeURIComponent(SHORT[2] ?? '')}`,
  `/customers/duplicates/compare?keep=${customers[0]}&merge=${customers[1]}`,
  '/customers/segments/new?example=allergies',
  `/reservations?location_id=${location}&date=${date}`,
  `/reservations?location_id=${location}&date=${date}&view=week`,
  `/reservations?location_id=${location}&date=${date}&view=timeline`,
  ...reservations
    .slice(0, 4)
    .map((id) => `/reservations?location_id=${location}&date=${date}&reservation=${id}`),
  `/print/reservations?location_id=${location}&date=${date}`,
  `/service?location_id=${location}`,
  `/service/tables?location_id=${location}`,
  `/service/guests/${customers[0]}`,
  ...tickets.slice(0, 2).map((id) => `/tickets/${id}`),
  `/tickets?location_id=${location}`,
  `/feedback?location=${location}`,
  `/calendar?location_id=${location}&event=${events[0]}`,
  ...automations.slice(0, 2).flatMap((id) => [`/automations/${id}`, `/automations/${id}/edit`]),
  '/automations',
  '/campaigns/new',
  '/campaigns/look',
  `/loyalty?location_id=${location}`,
  '/account',
  '/settings/general',
  '/settings/import',
  '/settings/locations',
  `/settings/locations/${location}`,
  '/settings/audit',
  `/sign-up?email=${encodeURIComponent('"><svg onload=window.__xss=1>')}`,
]

/** Addresses that are payloads themselves. */
const ADDRESSES = [
  `/tickets?search=${encodeURIComponent('"><svg onload=window.__xss=1>')}`,
  `/reset-password?token_hash=${encodeURIComponent('</script><script>window.__xss=1</script>')}`,
  `/u/${encodeURIComponent('<img src=x onerror=window.__xss=1>')}`,
  `/f/${encodeURIComponent('<img src=x onerror=window.__xss=1>')}`,
  `/no/${encodeURIComponent('</script><script>window.__xss=1</script>')}`,
]

/** What shows that a payload became more than text: collected over every page of a context. */
async function watch(context: BrowserContext, page: Page): Promise<string[]> {
  const ran: string[] = []
  await context.exposeFunction('reportRun', () => ran.push(`canary on ${page.url()}`))
  await context.addInitScript(() => {
    Object.defineProperty(window, '__xss', {
      set: () => (window.top as unknown as { reportRun: () => void }).reportRun(),
    })
  })
  page.on('dialog', (dialog) => {
    ran.push(`dialog on ${page.url()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => ran.push(`${error.message} on ${page.url()}`))
  const own = new URL(process.env.BASE_URL ?? '').host
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^https?:$/.test(protocol) && host !== own) ran.push(`request for ${request.url()} on ${page.url()}`)
  })
  return ran
}

/** In the browser: elements that only a payload makes. */
function grown(): string[] {
  const made = document.querySelectorAll(
    '[onerror], [onload], [onfocus], [onbegin], [ontoggle], [srcdoc], iframe, object, embed, base, a[href^="javascript:" i], ' +
      'a[href^="data:" i], meta[http-equiv="refresh" i], [src*="evil.example"], [action*="evil.example"], [href^="//evil"]',
  )
  // The preview of an e-mail is a frame of ours, in which nothing runs.
  const foreign = [...made].filter((element) => !element.matches('iframe[sandbox=""][data-scheme]'))
  return foreign.map((element) => element.outerHTML.slice(0, 200))
}

async function open(browser: Browser, bypassCSP: boolean) {
  const context = await browser.newContext({
    baseURL: process.env.BASE_URL,
    bypassCSP,
    storageState: await model.api.storageState(),
  })
  const page = await context.newPage()
  return { context, page, ran: await watch(context, page) }
}

// Without the policy, which would stop what escaping lets through: the pages must do without it.
test('nothing that people, files or the PMS wrote runs, also without the policy', async ({ browser }) => {
  test.setTimeout(300_000)
  const { context, page, ran } = await open(browser, true)
  const stores = showing(stored)
  for (const path of [...stores, ...ADDRESSES]) {
    await page.goto(path)
    await settled(page)
    await page.locator('summary, [popovertarget]').evaluateAll((all) => {
      for (const each of all) (each as HTMLElement).click()
    })
    expect(await page.evaluate(grown), path).toEqual([])
    if (stores.includes(path)) await expect(page.locator('main').first(), path).toContainText('__xss')
  }
  expect(ran).toEqual([])
  await context.close()
})

test('the search and the assistant show them as text', async ({ browser }) => {
  const { context, page, ran } = await open(browser, true)
  await page.goto('/')
  await page.keyboard.press('ControlOrMeta+k')
  await page
    .getByRole('combobox', { name: 'Buscar páginas, acciones, clientes, reservas e incidencias' })
    .fill('onload')
  await expect(page.getByRole('group', { name: 'Clientes' }).getByRole('option').first()).toContainText(
    '__xss',
  )
  await settled(page)
  expect(await page.evaluate(grown)).toEqual([])

  const answers = [
    EVERYTHING,
    ...LONG.slice(-5),
    `| a |\n|---|\n| ${SHORT[2]} |`,
    `\`\`\`html\n${EVERYTHING}\n\`\`\``,
  ]
  for (const [index, content] of answers.entries()) {
    model.reset()
    model.say({ content: `${content}\n\nFIN ${index}` })
    await page.goto('/assistant')
    const field = page.getByRole('textbox', { name: /Tu pregunta/ })
    await field.fill(`${SHORT[2]} ${index}`)
    await field.press('Enter')
    await expect(page.getByRole('log')).toContainText(`FIN ${index}`)
    await settled(page)
    expect(await page.evaluate(grown)).toEqual([])
    expect(await page.getByRole('log').locator('img').count()).toBe(0)
  }
  expect(ran).toEqual([])
  await context.close()
})

test('downloads are no pages, and no cell of them is a formula', async () => {
  for (const path of [
    `/api/customers/export?tag=${TAG}`,
    `/api/imports/${stored.import}/failed-rows`,
    `/api/customers/${stored.customers[0]}/export`,
  ]) {
    const answer = await model.api.get(path)
    expect(answer.status(), path).toBe(200)
    const headers = answer.headers()
    expect(headers['content-disposition'], path).toMatch(/^attachment/)
    expect(headers['content-type'], path).toMatch(/^(text\/csv|application\/json)/)
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    if (!headers['content-type']?.startsWith('text/csv')) continue
    const { data: rows } = Papa.parse<string[]>((await answer.text()).replace(/^\uFEFF/, ''))
    expect(rows.length, path).toBeGreaterThan(5)
    // A phone number in E.164 is no formula.
    const formulas = rows.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell) && !/^\+\d{4,15}$/.test(cell))
    expect(formulas, path).toEqual([])
  }
})

/** Takes the escaping out of a page's answer: what it would be if stored text were written as HTML. */
async function dropEscaping(context: BrowserContext, path: string): Promise<void> {
  await context.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
      await route.fulfill({ response, body })
    },
  )
}

test('without escaping and policy they do run; the policy alone stops them', async ({ browser }) => {
  const path = `/customers/${stored.customers[2]}`
  const scripts = (ran: string[]) => ran.filter((line) => /^(canary|dialog)/.test(line))
  const bare = await open(browser, true)
  await dropEscaping(bare.context, path)
  await bare.page.goto(path, { waitUntil: 'commit' })
  await expect.poll(() => scripts(bare.ran).length).toBeGreaterThan(3)
  await bare.context.close()

  const guarded = await open(browser, false)
  await dropEscaping(guarded.context, path)
  await guarded.page.goto(path, { waitUntil: 'commit' })
  await settled(guarded.page)
  expect(scripts(guarded.ran)).toEqual([])
  await guarded.context.close()
})
