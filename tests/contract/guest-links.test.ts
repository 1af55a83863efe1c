import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surveyToken } from '@/lib/feedback/survey-token'
import { linkKey } from '@/lib/messaging/link-token'
import { unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { createGroup, type Group } from '../factories/group'
import { createCustomer, createReservation } from '../factories/messaging'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { ask } from './raw'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ANA = 'ana@correo.example'
/** What only the pages of their own links may show. */
const THEIRS = /Grupo Uno|Grupo Dos|Retiro|Malasaña|Anastasia|Bernarda|correo\.example/

let stack: Stack
let app: BuiltApp
/** The same app; nothing listens where its database should be. */
let down: BuiltApp
let one: Group
let two: Group
let surveys: { ana: string; berta: string }

beforeAll(async () => {
  stack = await startStack()
  one = await createGroup(stack, 'Grupo Uno', [{ name: 'Retiro', slug: 'retiro' }])
  two = await createGroup(stack, 'Grupo Dos', [{ name: 'Malasaña', slug: 'malasana' }])
  surveys = { ana: await askedGuest(one, 'Anastasia'), berta: await askedGuest(two, 'Bernarda') }
  ;[app, down] = await Promise.all([
    startBuiltApp(stack),
    startBuiltApp({ url: 'http://127.0.0.1:9', keys: stack.keys }),
  ])
})
afterAll(async () => {
  await Promise.all([app?.stop(), down?.stop()])
  await stack?.close()
})

/** A guest who came, and was asked how it was: the message's id. */
async function askedGuest(group: Group, name: string): Promise<string> {
  const home = { location_id: group.locations[0]?.id ?? '' }
  const customer = await createCustomer(stack, group.id, {
    first_name: name,
    email: `${name.toLowerCase()}@correo.example`,
    ...home,
  })
  const reservation = await createReservation(stack, group.id, {
    ...{ customer_id: customer, customer_name: name, reservation_date: '2026-11-19' },
    ...{ ...home, status: 'completed', service_over: true },
  })
  const [message] = await stack.sql<{ id: string }>(
    `insert into public.messages (organization_id, kind, purpose, channel, customer_id, reservation_id, status, dedupe_key, sent_at)
     values ($1, 'marketing', 'post_visit', 'email', $2, $3::uuid, 'sent', 'post_visit:' || $3::uuid::text, now()) returning id::text`,
    [group.id, customer, reservation],
  )
  return message?.id ?? ''
}

const key = () => stack.keys.secretsKey
const out = (group = one, address = ANA) =>
  unsubscribeToken({ organizationId: group.id, channel: 'email', address }, key())
const survey = (message = surveys.ana, secret = key()) => surveyToken(message, linkKey(secret))
const suppressions = () => stack.sql<{ address: string }>('select address from public.suppressions')
/** What a person reads of a page. */
const seen = (html: string) => html.replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, '')
const languageOf = (html: string) => /<html[^>]* lang="(\w+)"/.exec(html)?.[1]
const titleOf = (html: string) => /<title>([^<]*)/.exec(html)?.[1]

const words = (text: string) => text.split(' ')
const ENDINGS = words(
  '. ) , %3E %20 %00 %0d%0aSet-Cookie:a=b %e2%80%8b %ff % %2 = == .json .png .html /more %2fmore ;id=1 :80 %3fx=1 %23top',
)
const INVENTED = words(
  `- _ null undefined 0 [token] %5Btoken%5D {token} * %2e%2e%2f%2e%2e%2fapi%2fhealth %F0%9F%98%80 %c3%b1 %E0%A4%A %c0%ae
   %uD800 '%20or%201=1-- %3Cscript%3E %7B%7B7*7%7D%7D`.replaceAll(/\s+/g, ' '),
)

/** What may have become of a link on its way, and what somebody tries who has one. */
const spoilt = (token: string): string[] => [
  ...[0, 10, 21, 32, token.length - 1].map(
    (at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
  ),
  ...[1, 20, 42].map((length) => token.slice(0, length)),
  ...ENDINGS.map((ending) => token + ending),
  ...[token.toUpperCase(), token.toLowerCase(), token + token, [...token].reverse().join('')],
  ...INVENTED,
  ...['A'.repeat(43), 'a'.repeat(10_000), '%41'.repeat(3_000)],
]

describe('a spoilt link', () => {
  const kinds = [
    ['u', () => [...spoilt(out()), survey()]],
    ['f', () => [...spoilt(survey()), out(), survey(surveys.ana, Buffer.alloc(32, 9).toString('base64'))]],
  ] as const

  it.each(kinds)('/%s/… is a page that says so, and shows nobody’s data', async (link, tokens) => {
    for (const token of tokens()) {
      const { status, headers, body } = await ask(app.url, 'GET', `/${link}/${token}`)
      const got = { token, status, language: languageOf(body), title: titleOf(body) }
      expect(got).toEqual({ token, status: 404, language: 'es', title: 'Este enlace no es válido' })
      expect(body, token).not.toMatch(THEIRS)
      expect(seen(body), token).not.toMatch(/Sobremesa|CRM| at .*:\d+:\d+|node_modules/)
      expect(headers, token).toMatchObject({
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringMatching(/script-src 'nonce-/),
        'cache-control': expect.stringContaining('no-store'),
      })
      expect(headers['set-cookie'], token).toBeUndefined()
    }
  })

  it.each(kinds)('/%s/… takes no form and no other method', async (link, tokens) => {
    // Some only: forms are limited by link and network.
    for (const token of [...tokens().slice(0, 3), ...tokens().slice(-2), '%ff', '']) {
      const { status, body } = await ask(app.url, 'POST', `/${link}/${token}`, {
        headers: FORM,
        body: 'score=1',
      })
      const error = '{"error":"Not found","code":"NOT_FOUND"}'
      // Next drops the slash behind nothing.
      expect({ token, status, body }).toEqual({
        token,
        ...(token ? { status: 404, body: error } : { status: 308, body: `/${link}` }),
      })
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect((await ask(app.url, method, `/${link}/%ff`)).status).toBe(405)
    expect(await ask(app.url, 'HEAD', `/${link}/%ff`)).toMatchObject({ status: 404, body: '' })
    expect(await suppressions()).toEqual([])
    expect(await stack.sql('select id from public.feedback')).toEqual([])
  })

  it.each(['/u', '/U', '/f', '/F/', '/U/x', '/u/x/', '/u//x', '//f/x', '/u/%ff', '/f/%'])(
    '%s is in the language of the guest’s browser, also while the database is silent',
    async (path) => {
      const headers = { 'accept-language': 'nb, fr;q=0.5' }
      for (const { url } of [app, down]) {
        const first = await ask(url, 'GET', path, { headers })
        // Next joins slashes and drops the last one.
        const answer =
          first.status === 308 ? await ask(url, 'GET', String(first.headers.location), { headers }) : first
        expect({ status: answer.status, language: languageOf(answer.body) }).toEqual({
          status: 404,
          language: 'fr',
        })
        expect(seen(answer.body)).toContain('Ce lien n’est pas valable')
        // Whom it came to is not known.
        expect(seen(answer.body)).toContain('<p lang="es">')
      }
    },
  )
})

describe('a link of ours', () => {
  it('shows the page of its own group, whatever was added to the address', async () => {
    for (const [group, other, token] of [
      [/Grupo Uno/, /Grupo Dos/, out()],
      [/Grupo Dos/, /Grupo Uno/, out(two)],
      [/Retiro/, /Malasaña|Bernarda/, survey()],
      [/Malasaña/, /Retiro|Anastasia/, survey(surveys.berta)],
    ] as const) {
      const link = /Grupo/.test(group.source) ? 'u' : 'f'
      for (const path of [
        `/${link}/${token}`,
        `/${link.toUpperCase()}/${token}`,
        `/${link}/${token}?utm_source=mail&fbclid=${'x'.repeat(5_000)}&lang=%ff&lang=en&token=other`,
        `/${link}/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
        `/${link}/${token}?%`,
      ]) {
        const { status, body } = await ask(app.url, 'GET', path)
        expect({ path, status }).toEqual({ path, status: 200 })
        expect(seen(body)).toMatch(group)
        expect(body).not.toMatch(other)
        expect(body).not.toContain(ANA)
        // Nor the random token in the page's own links, which may spell anything.
        expect(seen(body).replaceAll(token, '')).not.toMatch(/Sobremesa|CRM/)
      }
    }
  })

  it('changes nothing for those who only look: scanners, previews, prefetches', async () => {
    for (const headers of [
      { 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks)' },
      { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' },
    ] as Record<string, string>[])
      for (const path of [`/u/${out()}`, `/u/${out()}?action=unsubscribe`, `/f/${survey()}?score=1`])
        for (const method of ['GET', 'HEAD'])
          expect((await ask(app.url, method, path, { headers })).status).toBe(200)
    expect(await suppressions()).toEqual([])
    expect(await stack.sql('select id from public.feedback')).toEqual([])
  })

  it('may be clicked twice, and says what is', async () => {
    const path = `/u/${out(two, 'doble@correo.example')}`
    for (const _ of [1, 2]) {
      const body = 'List-Unsubscribe=One-Click'
      expect((await ask(app.url, 'POST', path, { headers: FORM, body })).status).toBe(200)
    }
    const headers = { 'accept-language': 'en' }
    expect(seen((await ask(app.url, 'GET', path, { headers })).body)).toContain('You are unsubscribed')
    expect(await suppressions()).toEqual([{ address: 'doble@correo.example' }])
  })

  it('leads nowhere once its guest was erased', async () => {
    await stack.sql('update public.messages set customer_id = null where id = $1', [surveys.berta])
    const { status, body } = await ask(app.url, 'GET', `/f/${survey(surveys.berta)}`)
    expect({ status, theirs: THEIRS.test(body) }).toEqual({ status: 404, theirs: false })
  })

  it('says when it is over', async () => {
    await stack.sql(`update public.messages set sent_at = now() - interval '31 days' where id = $1`, [
      surveys.ana,
    ])
    const { status, body } = await ask(app.url, 'GET', `/f/${survey()}`)
    expect({ status, title: seen(body).includes('Esta encuesta ha terminado') }).toEqual({
      status: 200,
      title: true,
    })
  })
})

/** The policy lets the page's style in, by its nonce or its hash. */
function expectStyled(headers: Record<string, unknown>, body: string): void {
  const [, nonce, style = ''] = /<style nonce="([^"]*)">([^<]*)</.exec(body) ?? []
  const by = nonce ? `nonce-${nonce}` : `sha256-${createHash('sha256').update(style).digest('base64')}`
  expect(headers['content-security-policy']).toMatch(/style-src [^;]*/)
  expect(headers['content-security-policy']).toContain(`'${by}'`)
}

describe('while the database is silent', () => {
  it('a link says so without scripts, in the guest’s language, and what to do', async () => {
    const titles = {
      es: 'Ahora mismo no podemos abrir esta página',
      en: 'We cannot open this page right now',
    }
    const asked = [out(), survey()].flatMap((token, at) =>
      (['es', 'en'] as const).flatMap((language) =>
        (['GET', 'HEAD'] as const).map((method) => ({
          method,
          language,
          path: `/${at === 0 ? 'u' : 'f'}/${token}`,
        })),
      ),
    )
    // At once: each waits for the database.
    const answers = await Promise.all(
      asked.map(({ method, path, language }) =>
        ask(down.url, method, path, { headers: { 'accept-language': language } }),
      ),
    )
    for (const [at, { status, headers, body }] of answers.entries()) {
      const { method = '', language = 'es', path = '' } = asked[at] ?? {}
      expect(status).toBe(503)
      expect(headers).toMatchObject({ 'retry-after': '60', 'x-robots-tag': 'noindex, nofollow' })
      if (method === 'HEAD') {
        expect(body).toBe('')
        continue
      }
      expect([languageOf(body), titleOf(body)]).toEqual([language, titles[language]])
      expect(body).not.toMatch(/<script|fetch failed|DatabaseError/)
      expect(body).toContain(`href="${path}?lang=${language}"`)
      expectStyled(headers, body)
    }
  })

  it('a form says so as a page to a person, and as JSON to a program', async () => {
    for (const path of [`/u/${out()}`, `/f/${survey()}`]) {
      const person = { ...FORM, accept: 'text/html,*/*;q=0.8', 'accept-language': 'en' }
      const page = await ask(down.url, 'POST', path, { headers: person, body: 'action=unsubscribe&score=5' })
      expect({ status: page.status, title: titleOf(page.body) }).toEqual({
        status: 500,
        title: 'We could not confirm that this was saved',
      })
      expectStyled(page.headers, page.body)
      const program = await ask(down.url, 'POST', path, { headers: FORM, body: 'score=5' })
      expect({ status: program.status, body: program.body }).toEqual({
        status: 500,
        body: expect.stringContaining('"code":"INTERNAL_ERROR"'),
      })
    }
  })
})

it('a chat shows the product for a page for visitors, and nothing for a guest’s', async () => {
  const head = async (path: string) => {
    const { body } = await ask(app.url, 'GET', path)
    return Object.fromEntries(
      [...body.matchAll(/<meta property="(og:[^"]*)" content="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  }
  for (const path of ['/sign-in', '/docs'])
    expect(await head(path), path).toMatchObject({
      'og:title': 'El CRM abierto para grupos de restauración',
      'og:description': expect.stringContaining('Reservas, clientes'),
      'og:image': 'https://crm.example/social.png',
      'og:image:width': '1200',
    })
  for (const path of ['/u/none', '/f/none', `/u/${'A'.repeat(43)}`])
    expect(await head(path), path).toEqual({})
})
