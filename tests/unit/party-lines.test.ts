import { MantineProvider } from '@mantine/core'
import { createTranslator, NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { BoardParty } from '@/components/service/board-model'
import { PartyLines as Lines } from '@/components/service/party-lines'
import type { LineFacts, LineWords } from '@/components/service/party-lines-model'
import {
  avoidItems,
  isTryDue,
  nothingToAvoid,
  readAloud,
  todoItems,
  whoItems,
} from '@/components/service/party-lines-model'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'
import type { LineSource, PartyLines } from '@/lib/service/party-lines-schema'

type Words = LineWords & { t: Parameters<typeof whoItems>[1] }
const wordsIn = (locale: 'es' | 'en'): Words => {
  const messages = locale === 'es' ? es : en
  const onError = (error: unknown) => {
    throw error
  }
  return {
    t: createTranslator({ locale, messages, namespace: 'client.service', onError }) as Words['t'],
    facts: createTranslator({ locale, messages, namespace: 'client.facts', onError }) as LineWords['facts'],
    risk: createTranslator({ locale, messages, namespace: 'client.risk', onError }) as LineWords['risk'],
    ago: (day, today) => `[${day} ${today}]`,
  }
}
const words = wordsIn('es')

const GUEST = 'guest'
const of = (kind: LineSource['kind'], id = GUEST): LineSource => ({
  ...{ kind, id, location_id: null, date: null },
})
const booking: LineSource = { kind: 'booking', id: 'party', location_id: 'norte', date: '2026-11-20' }
const nobody: LineFacts['party'] = {
  ...{ customer_id: null, facts: [], suggested: [], tier: null, vip: false, first_visit: false },
  ...{ birthday_in: null, no_shows: 0, risk: null, notes: null, customer_notes: null },
}
const regular = { ...nobody, customer_id: GUEST, tier: 'Oro' }
const who: PartyLines['who'] = {
  ...{ withheld: false, visits: 12, here: 5, first_visit: false, last: null, usual: null, tier: null },
  source: of('customer'),
}
const answered = (parts: Partial<PartyLines>): PartyLines => ({
  ...{ today: '2026-11-20', who, avoid: [], todo: [], ...parts },
})
const texts = (items: { text: string }[]) => items.map(({ text }) => text)

describe('who comes', () => {
  const said = (change: Partial<PartyLines['who']>, language = words) =>
    texts(whoItems({ party: nobody, answer: answered({ who: { ...who, ...change } }) }, language.t, language))

  it('counts visits, and those here unless all are', () => {
    expect(said({})).toEqual(['12 visitas, 5 aquí'])
    expect(said({ visits: 1, here: 1 })).toEqual(['1 visita'])
    expect(said({ visits: 1, here: 0 })).toEqual(['1 visita, ninguna aquí'])
    expect(said({ visits: 1, here: 1 }, wordsIn('en'))).toEqual(['1 visit'])
    expect(said({ visits: 2, here: 0 }, wordsIn('en'))).toEqual(['2 visits, none here'])
    expect(said({ visits: 0, here: 0, first_visit: true })).toEqual(['Primera visita'])
  })

  it('says the last visit and only the habits that there are', () => {
    const source = of('visit', 'last')
    expect(
      said({
        last: { date: '2026-10-30', location: 'Sur', source },
        usual: { party_size: 4, time: '21:30', table_name: '12', source },
      }),
    ).toEqual([
      '12 visitas, 5 aquí',
      'última [2026-10-30 2026-11-20], Sur',
      'suele: 4 personas, a las 21:30, Mesa 12',
    ])
    expect(said({ usual: { party_size: null, time: '21:30', table_name: null, source } })[1]).toBe(
      'suele: a las 21:30',
    )
  })

  it('says before the answer what the list knows, and that there is no guest after it', () => {
    expect(texts(whoItems({ party: regular, answer: null }, words.t, words))).toEqual(['Oro'])
    expect(
      texts(whoItems({ party: { ...regular, first_visit: true }, answer: null }, words.t, words)),
    ).toEqual(['Primera visita', 'Oro'])
    expect(said({ visits: null, here: null })).toEqual(['Sin ficha de cliente'])
    expect(said({ visits: null, here: null, withheld: true })).toEqual(['Su ficha no se muestra'])
  })
})

describe('what to avoid', () => {
  it('stands before the answer: severe allergies first, then what notes suggest, then diets', () => {
    const party: LineFacts['party'] = {
      ...regular,
      facts: [
        { code: 'egg', kind: 'allergy', note: null },
        { code: 'nuts', kind: 'allergy', note: 'Grave' },
        { code: 'vegan', kind: 'diet', note: 'Salvo miel' },
        { code: 'window', kind: 'preference', note: null },
      ],
      suggested: ['milk', 'terrace'],
    }
    const items = avoidItems({ party, answer: null }, words.t, words)
    expect(items.map(({ key, text, tone, source }) => [key, text, tone, source?.kind])).toEqual([
      ['nuts', 'frutos secos', undefined, 'fact'],
      ['egg', 'huevo', undefined, 'fact'],
      ['? milk', '¿leche? Según las notas', 'suggested', undefined],
      ['vegan', 'vegano (Salvo miel)', undefined, 'fact'],
    ])
    const known = { kind: 'allergy', code: 'milk', note: null, suggested: true, source: booking } as const
    expect(avoidItems({ party, answer: answered({ avoid: [known] }) }, words.t, words)[2]?.source).toBe(
      booking,
    )
    expect(texts(todoItems({ party, answer: null }, words.t, words))).toEqual([
      'ventana',
      '¿terraza? Según las notas',
    ])
  })
})

it('says that nothing is noted only where the card is known', () => {
  const none = (answer: PartyLines | null) => nothingToAvoid(answer, words.t)
  expect([none(null), none(answered({}))]).toEqual(['Nada anotado', 'Nada anotado'])
  expect(none(answered({ who: { ...who, visits: null, withheld: true } }))).toBe('Ninguna alergia anotada')
})

describe('what came late', () => {
  it('is read aloud, with the number of complaints and tickets', () => {
    const complaint = { kind: 'complaint', score: 1, date: '2026-10-30', source: of('feedback') } as const
    const ticket = { kind: 'ticket', number: 7, subject: 'Cartera', source: of('ticket') } as const
    const note = { kind: 'note', text: 'Ventana', source: booking } as const
    const said = (todo: PartyLines['todo'], { t } = words) => readAloud(answered({ todo }), t)
    expect(said([note])).toBe('Ya está todo.')
    expect(said([complaint, note])).toBe('Ya está todo. Atención: 1 queja o incidencia.')
    expect(said([complaint, ticket], wordsIn('en'))).toBe('All read. Note: 2 complaints or tickets.')
  })

  it('has a live region from the start', () => {
    const party = { ...nobody, id: 'party', name: 'Ana' } as unknown as BoardParty
    const element = createElement(Lines, { party, cards: '', readAt: '2026-11-20T20:00:00Z' })
    const children = createElement(MantineProvider, null, element)
    const html = renderToStaticMarkup(
      createElement(NextIntlClientProvider, {
        ...({ locale: 'es', messages: es, formats, timeZone: 'Europe/Madrid', children } as const),
      }),
    )
    expect(html).toMatch(/role="status"[^>]*><span[^>]*>Leyendo el resto…</)
  })

  it('is asked for again after a failure, with a read of the board 15 seconds later', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 20, 0, second)).toISOString()
    for (const state of ['offline', 'failed'] as const) {
      expect(isTryDue(state, at(0), at(14))).toBe(false)
      expect(isTryDue(state, at(0), at(15))).toBe(true)
      expect(isTryDue(state, at(15), at(15))).toBe(false)
    }
    for (const state of ['loading', 'read', 'unsaved'] as const)
      expect(isTryDue(state, at(0), at(59))).toBe(false)
  })
})

describe('what to do', () => {
  const party: LineFacts['party'] = {
    ...regular,
    ...{ vip: true, birthday_in: 0, no_shows: 3, notes: 'Ventana', customer_notes: 'Abogada' },
  }
  const todo: PartyLines['todo'] = [
    { kind: 'complaint', score: 1, date: '2026-10-30', source: of('feedback', 'answer') },
    { kind: 'ticket', number: 7, subject: 'Cartera', source: of('ticket', 'ticket') },
    { kind: 'no_shows', count: 1, source: { ...booking, id: 'missed' } },
    { kind: 'note', text: 'Ventana', source: booking },
  ]

  it('begins with complaints, and says where each part is from', () => {
    expect(
      todoItems({ party, answer: answered({ todo }) }, words.t, words).map(({ text, source }) => [
        text,
        source?.id,
      ]),
    ).toEqual([
      ['Se quejó de su visita de [2026-10-30 2026-11-20] (1 estrella)', 'answer'],
      ['Incidencia abierta n.º 7: Cartera', 'ticket'],
      ['Cumple hoy', GUEST],
      ['VIP: nivel Oro', GUEST],
      ['No vino 1 vez en dos años: confirma que viene', 'missed'],
      ['Reserva: Ventana', 'party'],
      ['Ficha: Abogada', GUEST],
    ])
    const english = texts(todoItems({ party, answer: answered({ todo }) }, wordsIn('en').t, wordsIn('en')))
    expect([english[0], english[4]]).toEqual([
      'Complained of the visit [2026-10-30 2026-11-20] (1 star)',
      '1 no-show in two years: confirm that they come',
    ])
  })

  it('says before the answer what the list knows', () => {
    const items = todoItems({ party, answer: null }, words.t, words)
    expect(items.map(({ text, source }) => [text, source?.id])).toEqual([
      ['Cumple hoy', GUEST],
      ['VIP: nivel Oro', GUEST],
      ['3 veces no vino', GUEST],
      ['Reserva: Ventana', undefined],
      ['Ficha: Abogada', GUEST],
    ])
  })

  it('drops no-shows that the answer does not have, and names a risk that is not low', () => {
    const risk = { probability: 0.3, bookings: 4, no_shows: 2, lead_days: null, party_size: 2 }
    const of = (level: 'low' | 'high') =>
      texts(
        todoItems(
          {
            party: { ...nobody, no_shows: 1, risk: { ...risk, level, confirmed: false } },
            answer: answered({}),
          },
          words.t,
          words,
        ),
      )
    expect(of('low')).toEqual([])
    expect(of('high')).toEqual([
      'Riesgo alto de no presentarse: no se presentó en 2 de 4 reservas · no ha confirmado',
    ])
  })

  it('welcomes a first visit', () => {
    expect(
      texts(todoItems({ party: { ...regular, first_visit: true }, answer: null }, words.t, words)),
    ).toEqual(['Primera visita: dale la bienvenida'])
  })
})
