import { NextRequest } from 'next/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { POST } from '@/app/api/f/[token]/route'
import { surveyToken } from '@/lib/feedback/survey-token'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { linkKey } from '@/lib/messaging/link-token'
import { shortCode } from '@/lib/messaging/short-link'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { proxy } from '@/proxy'
import { createGroup, type Group } from '../factories/group'
import { createCustomer, createReservation } from '../factories/messaging'
import { startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'

// Which language a guest's page speaks, and when what its guest chose there becomes theirs.

let app: TestApp
let group: Group
let ana: string
let message: string

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Lengua', [{ name: 'Retiro', slug: 'retiro' }])
})
beforeEach(async () => {
  await sql(
    emptyTables(
      ...['feedback', 'tickets', 'messages', 'reservations', 'customers', 'suppressions', 'attempt_limits'],
    ),
  )
  await sql(`update public.organizations set language = 'es'`)
  const home = { location_id: group.locations[0]?.id ?? '' }
  ana = await createCustomer(app.stack, group.id, {
    ...{ first_name: 'Ana', email: 'ana@correo.example', phone: '+34600000001', ...home },
  })
  const reservation = await createReservation(app.stack, group.id, {
    ...{ customer_id: ana, customer_name: 'Ana', reservation_date: '2026-11-19' },
    ...{ ...home, status: 'completed', service_over: true },
  })
  const [written] = await sql<{ id: string }>(
    `insert into public.messages (organization_id, kind, purpose, channel, recipient, customer_id, reservation_id, status, dedupe_key, sent_at)
     values ($1, 'marketing', 'post_visit', 'email', 'ana@correo.example', $2, $3::uuid, 'sent', 'post_visit:' || $3::uuid::text, now())
     returning id::text`,
    [group.id, ana, reservation],
  )
  message = written?.id ?? ''
})
afterAll(() => app?.close())

const sql = <Row>(query: string, parameters?: unknown[]) => app.stack.sql<Row>(query, parameters)
const out = (channel: 'email' | 'sms' | 'whatsapp' = 'email', address = 'ana@correo.example') =>
  `/u/${unsubscribeToken({ organizationId: group.id, channel, address }, app.stack.keys.secretsKey)}`
const survey = () => `/f/${surveyToken(message, linkKey(app.stack.keys.secretsKey))}`
const LINKS = [
  ['/u', out],
  ['/f', survey],
] as const

const open = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { headers }))
/** The language in which the proxy has a page shown. */
async function shown(path: string, headers: Record<string, string> = {}) {
  const answer = await open(path, headers)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.headers.get('x-middleware-request-x-guest-language')
}
const speaks = (language: string | null, who = ana) =>
  sql('update public.customers set language = $2 where id = $1', [who, language])
const groupSpeaks = (language: string) => sql('update public.organizations set language = $1', [language])
const stored = async (who = ana) =>
  (await sql<{ language: string | null }>('select language from public.customers where id = $1', [who]))[0]
    ?.language
const told = async () =>
  (
    await sql<{ fields: string[] }>(
      `select details -> 'fields' as fields from public.audit_log where subject_id = $1 and actor = 'guest'`,
      [ana],
    )
  ).map(({ fields }) => fields)
const post = async (path: string, fields: Record<string, string>) => {
  const answer = await app.client().request('POST', `/api${path}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status, await answer.clone().text()).toBe(303)
  return answer.headers.get('location')
}

describe.each(LINKS)('a page of %s', (_, link) => {
  it('speaks what its guest chose on it, theirs, the app’s choice, the browser’s, the group’s, in that order', async () => {
    await groupSpeaks('gl')
    await speaks('ca')
    const browser = { 'accept-language': 'de-AT, en;q=0.8' }
    const chosen = { ...browser, cookie: 'NEXT_LOCALE=en' }
    expect(await shown(`${link()}?lang=eu`, chosen)).toBe('eu')
    expect(await shown(link(), chosen)).toBe('ca')
    await speaks(null)
    expect(await shown(link(), chosen)).toBe('en')
    expect(await shown(link(), browser)).toBe('de')
    expect(await shown(link(), { 'accept-language': 'nb' })).toBe('gl')
    expect(await shown(link())).toBe('gl')
  })

  it('speaks each of the ten, and stores nothing of who only looks', async () => {
    for (const language of GUEST_LANGUAGES) expect(await shown(`${link()}?lang=${language}`)).toBe(language)
    expect(await stored()).toBeNull()
    expect(await told()).toEqual([])
  })

  it.each([
    ...['xx', 'CA', 'ca-ES', '', '%ff', '../../etc', '__proto__', 'constructor', 'es%00', 'ca%0d%0aX-Y:1'],
    ...['%22%3E%3Cscript%3E', 'c'.repeat(300), 'xx&lang=ca'],
  ])('leaves a spoilt choice out: %s', async (lang) => {
    await speaks('fr')
    const answer = await open(`${link()}?lang=${lang}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-middleware-request-x-guest-language')).toBe('fr')
  })
})

describe('an unsubscribe link', () => {
  it('speaks the language of whoever has its address, also as a further one or by phone', async () => {
    await speaks('nl')
    await sql(
      `insert into public.customer_aliases (organization_id, customer_id, email) values ($1, $2, 'otra@correo.example')`,
      [group.id, ana],
    )
    for (const path of [
      out('email', 'otra@correo.example'),
      out('sms', '+34600000001'),
      out('whatsapp', '+34600000001'),
    ])
      expect(await shown(path)).toBe('nl')
    expect(await shown(out('email', 'nadie@correo.example'))).toBe('es')
  })

  it('of several guests speaks what they have in common, else what nobody in particular would hear', async () => {
    const bea = await createCustomer(app.stack, group.id, { first_name: 'Bea', phone: '+34600000001' })
    const path = out('sms', '+34600000001')
    await speaks('nl')
    expect(await shown(path)).toBe('nl')
    await speaks('fr', bea)
    expect(await shown(path)).toBe('es')
    await speaks('nl', bea)
    expect(await shown(path)).toBe('nl')
  })

  it('by its short form leads on in the chosen language, and in no spoilt one', async () => {
    const short = `/b/${shortCode(message)}`
    const to = async (path: string) => (await open(path)).headers.get('location')
    expect(await to(`${short}?lang=ca`)).toBe(`${out()}?m=${shortCode(message)}&lang=ca`)
    for (const lang of ['', '?lang=xx', '?lang=%0d%0aX:1'])
      expect(await to(short + lang)).toBe(`${out()}?m=${shortCode(message)}`)
  })
})

describe('a form', () => {
  it('of the survey stores the language that was chosen, over the one that staff set, and stays in it', async () => {
    await speaks('de')
    const fields = { score: '5', language: 'eu', guest_language: 'eu' }
    expect(await post(survey(), fields)).toBe(`${survey()}?lang=eu`)
    expect([await stored(), await told()]).toEqual(['eu', [['language']]])
    expect(await sql('select language from public.feedback')).toEqual([{ language: 'eu' }])
    await post(survey(), fields)
    expect(await told()).toEqual([['language']])
  })

  it('of the survey stores none that the page only guessed, nor a spoilt one', async () => {
    await speaks('de')
    expect(await post(survey(), { score: '5', language: 'fr' })).toBe(survey())
    expect(await post(survey(), { score: '4', language: 'fr', guest_language: 'xx' })).toBe(survey())
    expect(await sql('select score, language from public.feedback')).toEqual([{ score: 4, language: 'fr' }])
    expect([await stored(), await told()]).toEqual(['de', []])
  })

  it('of a survey that is over stores none', async () => {
    await sql(`update public.messages set sent_at = now() - interval '31 days'`)
    await post(survey(), { score: '5', language: 'eu', guest_language: 'eu' })
    expect(await stored()).toBeNull()
  })

  it('that unsubscribes stores it too, and none of a mail program', async () => {
    await speaks('de')
    const one = await app.client().request('POST', `/api${out()}`, {
      body: 'List-Unsubscribe=One-Click&guest_language=fr',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([one.status, await stored()]).toEqual([200, 'de'])
    for (const [fields, language] of [
      [{ action: 'undo', guest_language: 'it' }, 'it'],
      [{ action: 'unsubscribe', guest_language: 'ca', language: 'ca' }, 'ca'],
      [{ action: 'unsubscribe', frequency: 'none', guest_language: 'pt', language: 'pt' }, 'pt'],
    ] as const) {
      const back = 'language' in fields ? `${out()}?lang=${language}` : out()
      expect([await post(out(), fields), await stored()]).toEqual([back, language])
    }
  })

  it('that unsubscribes is never refused for its language', async () => {
    await post(out(), { action: 'unsubscribe', guest_language: '../xx' })
    expect(await sql('select reason from public.suppressions')).toEqual([{ reason: 'unsubscribe' }])
    expect(await stored()).toBeNull()
  })

  it('has none of its own who chooses the group’s', async () => {
    await post(survey(), { score: '5', language: 'es', guest_language: 'es' })
    await post(out(), { action: 'unsubscribe', guest_language: 'es' })
    expect([await stored(), await told()]).toEqual([null, []])
  })
})

describe('a page that cannot be shown', () => {
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await open(path, headers)
    return { status: answer.status, body: await answer.text() }
  }

  it.each(GUEST_LANGUAGES)(
    'says so in %s, in Spanish and in English, and offers the ten',
    async (language) => {
      for (const [path, headers] of [
        [`/f/none?lang=${language}`, {}],
        ['/b/none', { 'accept-language': language }],
      ] as const) {
        const { status, body } = await read(path, headers)
        expect(status).toBe(404)
        expect(body).toContain(`<html lang="${language}">`)
        for (const each of ['es', 'en'].filter((other) => other !== language))
          expect(body).toContain(`<p lang="${each}">`)
        expect(body).not.toContain(`<p lang="${language}">`)
        for (const each of GUEST_LANGUAGES) expect(body).toContain(`?lang=${each}" lang="${each}"`)
        expect(body).toContain(`lang="${language}" hreflang="${language}" aria-current="true"`)
        expect(body).not.toMatch(/guests\.|undefined/)
      }
    },
  )

  it('of a form says it in the language of the page, and leads back in the one that was chosen', async () => {
    const refused = async (query: string, headers: Record<string, string>) => {
      const form = new Request(`http://localhost:3000/api${survey()}${query}`, {
        ...{ method: 'POST', body: 'score=x' },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...{ accept: 'text/html', ...headers },
        },
      })
      const answer = await POST(form, { params: Promise.resolve({ token: survey().slice(3) }) })
      expect(answer.status).toBe(400)
      return await answer.text()
    }
    const chosen = await refused('?lang=nl', { 'accept-language': 'en' })
    expect(chosen).toContain('We konden het formulier niet lezen')
    expect(chosen).toContain(`<p><a href="${survey()}?lang=nl">`)
    const guessed = await refused('', { 'accept-language': 'it' })
    expect(guessed).toContain('Non siamo riusciti a leggere il modulo')
    expect(guessed).toContain(`<p><a href="${survey()}">`)
    expect(await refused('?lang=<script>', {})).not.toContain('<script>')
  })
})
