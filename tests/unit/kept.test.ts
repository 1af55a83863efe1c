import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { useDaysAgo } from '@/components/ui/use-days-ago'
import { localDate, localTime } from '@/lib/dates'
import type { Locale } from '@/lib/i18n/locales'

afterEach(() => vi.restoreAllMocks())

const NOW = new Date('2026-11-21T09:00:00Z')
const VISITS = ['2026-11-21', '2026-11-20', '2026-11-19', '2026-09-01']

const Ago = ({ day }: { day: string }) => createElement('i', null, useDaysAgo()(day))

function listOf(times: number, locale: Locale, timeZone = 'Europe/Madrid', now = NOW): string[] {
  const cells = Array.from({ length: times }, (_, n) => VISITS[n % VISITS.length] ?? '')
  const children = cells.map((day, n) => createElement(Ago, { key: n, day }))
  const intl = { locale, messages: {}, now, timeZone, children }
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return html.split('</i>').map((cell) => cell.replace('<i>', ''))
}

it('days ago are said in each language and time zone', () => {
  expect(listOf(4, 'es').slice(0, 4)).toEqual(['hoy', 'ayer', 'anteayer', 'hace 3 meses'])
  expect(listOf(4, 'en').slice(0, 4)).toEqual(['today', 'yesterday', '2 days ago', '3 months ago'])
  // A service ends at 06:00.
  const night = new Date('2026-11-22T05:30:00Z')
  expect(listOf(2, 'es', 'Europe/Madrid', night).slice(0, 2)).toEqual(['ayer', 'anteayer'])
  expect(listOf(2, 'es', 'Atlantic/Canary', night).slice(0, 2)).toEqual(['hoy', 'ayer'])
})

it('a long list builds no formatter for each cell', () => {
  const dates = vi.spyOn(Intl, 'DateTimeFormat')
  const words = vi.spyOn(Intl, 'RelativeTimeFormat')
  listOf(200, 'es')
  for (let n = 0; n < 200; n++) localTime(localDate(NOW, 'Europe/Madrid'), 'Europe/Madrid')
  // next-intl keeps its own within a provider.
  expect(dates.mock.calls.length + words.mock.calls.length).toBeLessThan(10)
})
