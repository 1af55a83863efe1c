import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeNextPath } from '@/lib/auth/page-session'

const OWN = 'https://crm.example'

/** Values of `next` that some reader takes for another site, or for something other than a page. */
const HOSTILE = [
  '/..//evil.example',
  '/.//evil.example',
  '/./..//evil.example',
  '/a/../..//evil.example',
  '/a/..//evil.example/x?y#z',
  '/%2e%2e//evil.example',
  '/%2E//evil.example',
  '/.%2e//evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example/%2f..',
  '/\\evil.example',
  '\\\\evil.example',
  '/..\\\\evil.example',
  '/.\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/.\t//evil.example',
  '\t//evil.example',
  ' //evil.example',
  '\u0000//evil.example',
  '\u00a0//evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'HTTPS:\\\\evil.example',
  'http://sobremesa.invalid@evil.example',
  '//sobremesa.invalid:80@evil.example',
  '//user:password@evil.example',
  '/@evil.example/..//evil.example',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'evil.example',
  '.evil.example',
  '@evil.example',
  ':443',
  '',
]

/** Paths of this site that are no pages: going there could change something as the person who has just signed in. */
const NO_PAGES = [
  '/api/admin/seed-locations',
  '/api',
  '/API/admin/seed-locations',
  '/%61pi/admin/seed-locations',
  '/%2561pi/admin/seed-locations',
  '/x/../api/admin/seed-locations',
  '/x/..%2fapi/admin/seed-locations',
  '/%2fapi/admin/seed-locations',
  '/%5capi/admin/seed-locations',
  '/;/..%2f..%2fapi/health',
  '/_next/static/x.js',
  '/%zz/../api/x',
]

/** Where a browser that is on a page of the app goes for a value of `Location`. */
const landing = (path: string) => new URL(path, `${OWN}/sign-in?next=x`)

/** What holds of every answer, whatever was asked. */
function expectOwnPage(asked: unknown): void {
  const path = safeNextPath(asked as string)
  expect(path.startsWith('/'), path).toBe(true)
  expect(path).not.toMatch(/^\/[/\\]/)
  expect(path).not.toMatch(/[\p{Cc}\s]/u)
  expect(landing(path).origin).toBe(OWN)
  expect(landing(path).pathname).not.toMatch(/^\/(api|_next)(\/|$)/i)
  // In normal form: a browser that resolves it finds nothing left to do.
  expect(landing(path).href).toBe(OWN + path)
  expect(safeNextPath(path)).toBe(path)
}

describe('the page after the sign-in', () => {
  it.each(HOSTILE)('is the home page for %j', (value) => {
    expectOwnPage(value)
    expect(safeNextPath(value)).toBe('/')
  })

  it.each(NO_PAGES)('is the home page for %j, which is no page', (value) => {
    expectOwnPage(value)
    expect(safeNextPath(value)).toBe('/')
  })

  it('is the one that was asked for, with its query and place', () => {
    for (const path of [
      '/',
      '/customers?sort=spend&search=%2F%2Fevil.example',
      '/reservations?date=2026-01-02#12',
      '/u/a-token',
    ])
      expect(safeNextPath(path)).toBe(path)
    expect(safeNextPath('/customers/../tickets')).toBe('/tickets')
    expect(safeNextPath('/apiary?next=/api/health')).toBe('/apiary?next=/api/health')
  })

  it('is the home page when there is none, more than one, or one without end', () => {
    expect(safeNextPath(undefined)).toBe('/')
    expect(safeNextPath(['/customers', '/tickets'])).toBe('/')
    expect(safeNextPath(`/${'a'.repeat(20_000)}`)).toBe('/')
  })

  it('is a page of this site whatever is asked', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E%2e',
      '%2f',
      '%5c',
      '%252f',
      '\t',
      '\n',
      '\r',
      ' ',
      '\u0000',
      '@',
      ':',
      '?',
      '#',
      ';',
      'evil.example',
      'http:',
      'javascript:',
      'api',
      '_next',
      '%61pi',
      'customers',
      '//',
      '／',
      '。',
      '\ud800',
      '\u2028',
      '%',
      '%00',
    )
    const value = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.webUrl(),
    )
    fc.assert(fc.property(value, expectOwnPage), { numRuns: 20_000 })
  })
})
