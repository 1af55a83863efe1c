import { NextRequest } from 'next/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import nextConfig from '@/next.config'
import { config, proxy } from '@/proxy'
import { startApp, type TestApp } from '../support/app'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { method, headers }))
const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
const nonceOf = (answer: Response) => /'nonce-([^']+)'/.exec(policyOf(answer))?.[1]
/** What proxy.ts hands the page as a request header. */
const handedOn = (answer: Response, name: string) => answer.headers.get(`x-middleware-request-${name}`)

const PAGES = ['/sign-in', '/docs', '/u/some-token', '/customers', '/no/such/page']

describe('the policy of a page', () => {
  it.each(PAGES)('lets only scripts with its nonce run: %s', async (path) => {
    const answer = await ask(path)
    const policy = policyOf(answer)
    expect(policy).toMatch(/script-src 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic';/)
    const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src '))
    expect(scripts).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
    for (const directive of [
      "default-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
      // A guest's page has the logo.
      `img-src 'self' data: ${app.stack.url}/storage/v1/object/public/email-images/`,
    ])
      expect(policy.split('; ')).toContain(directive)
  })

  // Next itself answers 500 for them: tests/contract/undeclared.test.ts has the statuses of the built app.
  it.each(['/customers/%c3%28', '/%ff'])(
    'is that of a page that is not there, for an address that nobody can decode: %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(path, {}, method)
        expect(answer.headers.get('x-middleware-rewrite')).toBe('http://localhost:3000/-')
        expect(handedOn(answer, 'content-security-policy')).toBe(policyOf(answer))
        expect(answer.headers.get('location')).toBeNull()
      }
    },
  )

  it('is given to nobody at the sign-in page in place of a page that is not there', async () => {
    expect((await ask('/-')).headers.get('x-middleware-next')).toBe('1')
  })

  it('has another nonce each time, and the page gets the same', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/sign-in')))
    expect(new Set(answers.map(nonceOf)).size).toBe(50)
    for (const answer of answers) {
      expect(handedOn(answer, 'x-nonce')).toBe(nonceOf(answer))
      expect(handedOn(answer, 'content-security-policy')).toBe(policyOf(answer))
    }
  })

  it('cannot be chosen by the request', async () => {
    const answer = await ask('/sign-in', {
      'content-security-policy': "script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA=='",
      'content-security-policy-report-only': "script-src 'nonce-AAAAAAAAAAAAAAAAAAAAAA=='",
      'x-nonce': 'AAAAAAAAAAAAAAAAAAAAAA==',
    })
    expect(policyOf(answer)).not.toContain('AAAAAAAAAA')
    expect(handedOn(answer, 'x-nonce')).toBe(nonceOf(answer))
    expect(handedOn(answer, 'content-security-policy')).not.toContain('AAAAAAAAAA')
  })

  it('asks for encryption over https only', async () => {
    expect(policyOf(await ask('/sign-in'))).not.toContain('upgrade-insecure-requests')
    const encrypted = await ask('/sign-in', { 'x-forwarded-proto': 'https' })
    expect(policyOf(encrypted)).toContain('upgrade-insecure-requests')
  })
})

describe('which addresses are pages', () => {
  const isPage = new RegExp(`^${config.matcher}$`)

  it.each([
    '/',
    '/customers',
    '/customers/a.b',
    '/u/abc',
    '/u/a.b',
    '/apiary',
    '/x.php',
    '/sign-in.html/x',
    '/u/%ff.json',
    '/u/abc.json',
    '/F/abc.png',
    '/b/abc.png',
    '/.well-known/nothing',
  ])('%s has the policy of pages', (path) => expect(isPage.test(path)).toBe(true))

  it.each([
    '/api',
    '/api/health',
    '/_next/static/chunks/a.js',
    '/icon.svg',
    '/screenshots/home.png',
    '/robots.txt',
    '/manifest.webmanifest',
    '/sw.js',
    '/offline.html',
    '/icons/icon-192.png',
    '/apple-icon.png',
    '/favicon.ico',
    '/social.png',
    '/.well-known/security.txt',
    '/users/a.png',
  ])('%s has that of files', (path) => expect(isPage.test(path)).toBe(false))
})

describe('the policy of what is no page', () => {
  /** Of several headers of one name, the last that applies counts. */
  const policyOfFile = async (path: string) => {
    const rules = (await nextConfig.headers?.()) ?? []
    const values = rules
      .filter(({ source }) => new RegExp(`^${source.replace('/:path*', '(?:/.*)?')}$`).test(path))
      .flatMap(({ headers }) => headers)
      .filter(({ key }) => key === 'Content-Security-Policy')
    return values.at(-1)?.value
  }

  it.each([
    ['/icons/icon-192.png', "default-src 'none'; frame-ancestors 'none'"],
    ['/offline.js', "default-src 'none'; frame-ancestors 'none'"],
    ['/manifest.webmanifest', "default-src 'none'; frame-ancestors 'none'"],
    // It requests every page from this host, and nothing from other hosts.
    ['/sw.js', "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"],
    [
      '/offline.html',
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    ],
  ])('lets %s do what it needs', async (path, policy) => expect(await policyOfFile(path)).toBe(policy))
})

describe('the way to the sign-in page', () => {
  it.each([
    ['/customers?sort=spend', '/sign-in?next=%2Fcustomers%3Fsort%3Dspend'],
    ['//evil.example/', '/sign-in?next=%2F%2Fevil.example%2F'],
    ['/x?next=//evil.example', '/sign-in?next=%2Fx%3Fnext%3D%2F%2Fevil.example'],
  ])('stays on the host that was addressed: %s', async (path, expected) => {
    for (const headers of [{}, { 'x-forwarded-host': 'evil.example' }, { host: 'evil.example' }] as Record<
      string,
      string
    >[]) {
      const answer = await ask(path, headers)
      expect(answer.status).toBe(307)
      const location = new URL(answer.headers.get('location') ?? '')
      expect(location.origin).toBe('http://localhost:3000')
      expect(location.pathname + location.search).toBe(expected)
    }
  })
})

describe('a guest’s link', () => {
  const token = 'A'.repeat(43)

  it.each([
    '/u/none',
    '/u',
    '/f/',
    '/u/%ff',
    '/F/%E0%A4%A',
    `/u/${token}/more`,
    `/u/${token}.`,
    `/u/${token}.png`,
    `/f/${'A'.repeat(10_000)}`,
    '/f/a%00b',
    '/U/-?utm_source=mail',
    `/F/${token}`,
    `/u/%41${token.slice(1)}`,
    '/b',
    '/b/none',
    `/B/${'A'.repeat(21)}`,
    `/b/${'A'.repeat(22)}`,
    '/b/%ff',
  ])('never leads to the sign-in page, however it was spoilt: %s', async (path) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
    const nonce = nonceOf(answer)
    expect(await answer.text()).toContain(`<style nonce="${nonce}">`)
  })

  it('is read, and posted to, and nothing else', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await ask(`/u/${token}`, {}, method)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    }
    const short = await ask(`/b/${'A'.repeat(21)}`, {}, 'POST')
    expect([short.status, short.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    for (const [path, to] of [
      [`/u/${token}`, `/api/u/${token}`],
      [`/F/${token}`, `/api/f/${token}`],
      ['/u/%ff', '/api/u/-'],
    ] as const) {
      const answer = await ask(path, {}, 'POST')
      expect(answer.headers.get('x-middleware-rewrite')).toBe(`http://localhost:3000${to}`)
    }
  })

  it.each([
    ['the link’s language', `/f/${token}?lang=en`, { 'accept-language': 'es' }, 'en'],
    ['one that only guests are shown', `/u/${token}?lang=eu`, { 'accept-language': 'es' }, 'eu'],
    ['the browser’s', `/u/${token}`, { 'accept-language': 'nb, fr-CA;q=0.8, es;q=0.5' }, 'fr'],
    ['the one chosen before', `/u/${token}`, { 'accept-language': 'es', cookie: 'NEXT_LOCALE=en' }, 'en'],
    ['Spanish, for every other', `/u/${token}?lang=%ff`, { 'accept-language': 'nb' }, 'es'],
    ['Spanish, whatever a header says', `/u/${token}`, { 'x-guest-language': 'en' }, 'es'],
  ] as [string, string, Record<string, string>, string][])(
    'is shown in %s',
    async (_, path, headers, language) => {
      expect(await (await ask(path, headers)).text()).toContain(`<html lang="${language}">`)
      expect(handedOn(await ask(path, headers, 'POST'), 'x-guest-language')).toBe(language)
      expect(handedOn(await ask('/sign-in', headers), 'x-guest-language')).toBeNull()
    },
  )
})

it('whoever asks for a well-known address that is not there is told so', async () => {
  expect((await ask('/.well-known/nothing')).headers.get('x-middleware-rewrite')).toBe(
    'http://localhost:3000/-',
  )
})

it('every answer says whom the browser may name, and over https that only https will do', async () => {
  const everywhere = ((await nextConfig.headers?.()) ?? []).filter(({ source }) => source === '/(.*)')
  const set = everywhere.flatMap(({ headers, has = [] }) =>
    headers.map(({ key, value }) => [key, value, has.map(({ key }) => key).join()]),
  )
  expect(set).toContainEqual(['Referrer-Policy', 'strict-origin-when-cross-origin', ''])
  expect(set).toContainEqual(['X-Robots-Tag', 'noindex, nofollow', ''])
  expect(set).toContainEqual([
    'Strict-Transport-Security',
    'max-age=63072000; includeSubDomains',
    'x-forwarded-proto',
  ])
})
