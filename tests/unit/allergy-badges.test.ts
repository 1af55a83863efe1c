import { MantineProvider } from '@mantine/core'
import { NextIntlClientProvider } from 'next-intl'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Allergies } from '@/components/customers/allergy-badges'
import type { BoardParty } from '@/components/service/board-model'
import { PartyRow } from '@/components/service/party-row'
import { TablesByTime, type TablesViewProps } from '@/components/service/tables-by-time'
import type { Bar } from '@/components/service/tables-day'
import { TablesList } from '@/components/service/tables-list'
import { isSevere } from '@/lib/customers/severe'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

function htmlOf(locale: 'es' | 'en', element: ReactNode): string {
  const messages = locale === 'es' ? es : en
  const children = createElement(MantineProvider, null, element)
  const intl = { locale, messages, formats, timeZone: 'Europe/Madrid', children } as const
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
}

/** The red badges of what is rendered. */
const redBadges = (locale: 'es' | 'en', element: ReactNode): string[] =>
  [...htmlOf(locale, element).matchAll(/data-tone="red"[^>]*>([^<]*)</g)].map(([, text]) => text ?? '')

const allergies = [
  { code: 'nuts', note: 'lleva adrenalina' },
  { code: 'egg', note: null },
] as const
const party = {
  time: '21:00',
  party_size: 2,
  status: 'confirmed',
  facts: [
    ...allergies.map((allergy) => ({ ...allergy, kind: 'allergy' })),
    { code: 'window', kind: 'preference', note: null },
  ],
  suggested: ['milk'],
  arrived_at: null,
  birthday_in: null,
  customer_id: null,
  no_shows: 0,
} as unknown as BoardParty
const ignore = () => undefined
const row = {
  ...{
    party,
    cards: '',
    group: 'expected' as const,
    clock: '20:00',
    minutes: null,
    forgotten: false,
    together: [],
  },
  ...{ onTap: ignore, onSeat: ignore, onOpen: () => {}, onTable: ignore },
}

it.each([
  ...[
    'Alergia grave',
    'GRAVES',
    'gravísima',
    'severa',
    'severe',
    'molt greu',
    'oso larria',
    'schwer',
    'adrenalina',
  ],
  ...[
    'lleva EpiPen',
    'autoinyector',
    'anafilaxia',
    'life-threatening',
    'riesgo vital',
    'puede morir',
    'mortal',
  ],
  ...[
    '严重过敏',
    'アナフィラキシー',
    '심각한 알레르기',
    'خطير',
    'тяжелая аллергия',
    'no puede ni olerlo: grave',
  ],
])('a note says that an allergy is severe: %s', (note) => expect(isSevere({ note })).toBe(true))
it.each([
  ...[
    'no es grave',
    'gravedad leve',
    'no muy severa',
    'not severe',
    'nicht schwer',
    'several nuts',
    'no gravy',
  ],
  ...['Beschwerden', 'engravada', 'leve', '', 'poco grave', 'pas grave'],
])('and this one does not: %s', (note) => expect(isSevere({ note })).toBe(false))

describe('recorded allergies', () => {
  it('have a sign, the severe ones first and another; a note is text, whatever it holds', () => {
    const hostile = '"><img src=x onerror=alert(1)>{t}'
    const given = [
      { code: 'egg', note: hostile },
      { code: 'nuts', note: 'Alergia GRAVE' },
      { code: 'milk', note: '严重过敏' },
    ] as const
    const badges = htmlOf('es', createElement(Allergies, { allergies: given })).match(/<span[^>]*alarm[^<]*/g)
    expect(badges).toEqual([
      expect.stringMatching(/data-alarm="severe">Alergia: frutos secos \(Alergia GRAVE\)$/),
      expect.stringMatching(/data-alarm="severe">Alergia: leche \(严重过敏\)$/),
      expect.stringMatching(
        /data-alarm="plain">Alergia: huevo \(&quot;&gt;&lt;img src=x onerror=alert\(1\)&gt;\{t\}\)$/,
      ),
    ])
  })

  it('stand beside the name in the narrow bars of the tables, and in their label', () => {
    const bar = {
      party: { ...party, name: 'Ana' },
      from: 1260,
      until: 1380,
      line: 0,
      clashes: false,
    } as unknown as Bar
    const range = { from: 1200, until: 1440 }
    const day = { range, without: { name: '', capacity: null, lines: 1, bars: [bar] }, zones: [] }
    const given = { day, clock: null, chosen: null, onChoose: ignore } as unknown as TablesViewProps
    const html = htmlOf('es', createElement(TablesByTime, given))
    expect(html).toMatch(/aria-label="[^"]*Ana[^"]*Alergias: frutos secos \(lleva adrenalina\), huevo, de /)
    expect(htmlOf('es', createElement(TablesList, given))).toContain(
      'Alergia: frutos secos (lleva adrenalina)',
    )
  })

  it.each([
    ['es', ['Alergia: frutos secos (lleva adrenalina)', 'Alergia: huevo']],
    ['en', ['Allergy: nuts (lleva adrenalina)', 'Allergy: egg']],
  ] as const)('are told alike beside a reservation and on the board, in %s', (locale, expected) => {
    expect(redBadges(locale, createElement(Allergies, { allergies }))).toEqual(expected)
    expect(redBadges(locale, createElement(PartyRow, row))).toEqual(expected)
  })
})
