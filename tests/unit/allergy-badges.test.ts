import { MantineProvider } from '@mantine/core'
import { NextIntlClientProvider } from 'next-intl'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Allergies } from '@/components/customers/allergy-badges'
import type { BoardParty } from '@/components/service/board-model'
import { PartyRow } from '@/components/service/party-row'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

/** The red badges of what is rendered. */
function redBadges(locale: 'es' | 'en', element: ReactNode): string[] {
  const messages = locale === 'es' ? es : en
  const children = createElement(MantineProvider, null, element)
  const intl = { locale, messages, formats, timeZone: 'Europe/Madrid', children } as const
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return [...html.matchAll(/data-tone="red"[^>]*>([^<]*)</g)].map(([, text]) => text ?? '')
}

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
const row = { party, cards: '', late: false, onAct: ignore, onSeat: ignore, onTable: ignore }

describe('recorded allergies', () => {
  it.each([
    ['es', ['Alergia: frutos secos (lleva adrenalina)', 'Alergia: huevo']],
    ['en', ['Allergy: nuts (lleva adrenalina)', 'Allergy: egg']],
  ] as const)('are told alike beside a reservation and on the board, in %s', (locale, expected) => {
    expect(redBadges(locale, createElement(Allergies, { allergies }))).toEqual(expected)
    expect(redBadges(locale, createElement(PartyRow, row))).toEqual(expected)
  })
})
