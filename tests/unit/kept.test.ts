import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { useDaysAgo } from '@/components/ui/use-days-ago'
import { localDate, localTime } from '@/lib/dates'
import type { Locale } from '@/lib/i18n/locales'

afterEach(() => vi.restoreAllMocks())

const NOW = new Date('2026-11-21T09:00:00Z')
const VISITS = [
  '2026-11-21T08:00:00Z',
  '2026-11-20T22:59:00Z',
  '2026-11-20T23:01:00Z',
  '2026-09-01T12:00:00Z',
]

const Ago = ({ at }: { at: string }) => createElement('i', null, useDaysAgo()(new Date(at)))

function listOf(times: number, locale: Locale, timeZone = 'Europe/Madrid'): string[] {
  const cells = Array.from({ length: times }, (_, n) => VISITS[n % VISITS.length] ?? '')
  const children = cells.map((at, n) => createElement(Ago, { key: n, at }))
  const intl = { locale, messages: {}, now: NOW, timeZone, children }
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return html.split('</i>').map((cell) => cell.replace('<i>', ''))
}

it('days ago are said in each language and time zone', () => {
  expect(listOf(4, 'es').slice(0, 4)).toEqual(['hoy', 'ayer', 'hoy', 'hace 3 meses'])
  expect(listOf(4, 'en').slice(0, 4)).toEqual(['today', 'yesterday', 'today', '3 months ago'])
  expect(listOf(4, 'es', 'Atlantic/Canary').slice(0, 3)).toEqual(['hoy', 'ayer', 'ayer'])
})

it('a long list builds no formatter for each cell', () => {
  const dates = vi.spyOn(Intl, 'DateTimeFormat')
  const words = vi.spyOn(Intl, 'RelativeTimeFormat')
  listOf(200, 'es')
  for (let n = 0; n < 200; n++) localTime(localDate(NOW, 'Europe/Madrid'), 'Europe/Madrid')
  // next-intl keeps its own within a provider.
  expect(dates.mock.calls.length + words.mock.calls.length).toBeLessThan(10)
})
