import { NextIntlClientProvider } from 'next-intl'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { LeftPmsNote } from '@/components/home/left-pms'
import { NoticeList, noticeLines } from '@/components/notices/notice-bell'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'
import type { Notices } from '@/lib/notices/operations'
import type { MissingAt } from '@/lib/pms/missing-bookings'

type Language = 'es' | 'en'

/** A component as HTML. */
function html<Props extends object>(part: FunctionComponent<Props>, props: Props, locale: Language): string {
  const children = createElement(part, props)
  const messages = { es, en }[locale]
  const intl = { locale, messages, formats, timeZone: 'Europe/Madrid', children } as const
  return renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
}
const words = (markup: string) => markup.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|')

const booking = (customer_name: string | null, reservation_time: string) => ({
  ...{ id: '0197b0a1-7d2e-7c3f-8a4b-5c6d7e8f9a0b', customer_name, reservation_time },
  ...{ service_date: '2026-11-20', reservation_date: '2026-11-21' },
})
const left = (change: Partial<MissingAt>): MissingAt => ({
  ...{ location_id: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10', location: 'Norte' },
  ...{ cancelled: 0, not_applied: 0, bookings: [], ...change },
})

describe('in its location’s row on home', () => {
  const note = (change: Partial<MissingAt>, locale: Language = 'es') =>
    words(html(LeftPmsNote, { left: left(change) }, locale))

  it('one booking that left the PMS is named, and opens in the list of its service', () => {
    const one = { cancelled: 1, bookings: [booking('ANA GIL', '00:30')] }
    expect(note(one)).toBe(
      '|1 reserva ya no está en el PMS y se ha cancelado: |Ana Gil (sáb, 21 nov, 00:30)|',
    )
    expect(note(one, 'en')).toBe(
      '|1 reservation is no longer in the PMS and was cancelled: |Ana Gil (Sat, Nov 21, 00:30)|',
    )
    const markup = html(LeftPmsNote, { left: left(one) }, 'es')
    expect(markup).toContain('date=2026-11-20')
    expect(markup).toContain('reservation=0197b0a1-7d2e-7c3f-8a4b-5c6d7e8f9a0b')
  })

  it('of many the first are named, and how many more there are', () => {
    const many = { cancelled: 7, bookings: [booking(null, '21:00'), booking('Eva', '21:30')] }
    expect(note(many)).toBe(
      '|7 reservas ya no están en el PMS y se han cancelado: |Sin nombre (sáb, 21 nov, 21:00)|Eva (sáb, 21 nov, 21:30)|y 5 más|',
    )
    expect(note(many, 'en')).toContain('|and 5 more|')
  })

  it('too many at once are only counted', () => {
    expect(note({ not_applied: 41 })).toBe(
      '|41 reservas ya no están en el PMS. Son demasiadas a la vez y siguen como estaban: compruébalo en el PMS.|',
    )
    expect(note({ not_applied: 41 }, 'en')).toContain(
      '41 reservations are no longer in the PMS. These are too many',
    )
  })

  it('nothing is said when nothing left', () => {
    expect(html(LeftPmsNote, { left: undefined }, 'es')).toBe('')
    expect(note({})).toBe('')
  })
})

describe('in the bell', () => {
  const bell = (left_pms: Notices['left_pms'], locale: Language) => {
    const none = { sync: null, paused_runs: 0, waiting_runs: 0, waiting_campaigns: 0, unknown_messages: 0 }
    const links = { sync: '/', home: '/', automations: null, campaigns: null, tickets: null }
    const lines = noticeLines({ ...none, tickets: { near: 0, late: 0 }, left_pms }, links)
    return words(html(NoticeList, { lines, onLeave: () => {} }, locale))
  }

  it('both are said, with the bookings or the number of each location', () => {
    const both = {
      ...{ count: 4, not_applied: 41 },
      locations: [
        left({ cancelled: 3, bookings: [booking('Ana', '21:00'), booking('Eva', '21:30')] }),
        left({ location_id: '2', location: 'Oeste', cancelled: 1, bookings: [booking(null, '22:00')] }),
        left({ location_id: '3', location: 'Sur', not_applied: 41 }),
      ],
    }
    expect(bell(both, 'es')).toBe(
      '|41 reservas ya no están en el PMS y siguen como estaban: son demasiadas a la vez|Sur: 41|' +
        '4 reservas ya no están en el PMS y se han cancelado|' +
        'Norte: Ana (sáb, 21 nov, 21:00); Eva (sáb, 21 nov, 21:30) y 1 más|Oeste: Sin nombre (sáb, 21 nov, 22:00)|',
    )
    expect(bell({ ...both, count: 1, not_applied: 0, locations: both.locations.slice(1, 2) }, 'en')).toBe(
      '|One reservation is no longer in the PMS and was cancelled|Oeste: No name (Sat, Nov 21, 22:00)|',
    )
    expect(bell({ count: 0, not_applied: 0, locations: [] }, 'es')).toBe('|')
  })
})
