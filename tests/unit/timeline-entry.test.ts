import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { TimelineEntry } from '@/components/customers/timeline-entry'
import type { TimelineEvent } from '@/lib/customers/timeline-schema'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'

const at = '2026-11-27T14:46:00Z'
const message = {
  kind: 'message',
  id: 'm1',
  at,
  details: {
    ...{ channel: 'sms', status: 'skipped', reason: 'frequency_cap', kind: 'marketing', simulated: false },
    ...{ automation: '¿Qué tal fue la visita?', subject: null, opened_at: null, clicked_at: null },
    ...{ suppression: null, waits_until: null, filled_by: { name: 'Feliz cumpleaños', at } },
  },
} as TimelineEvent

it.each([
  ['Atlantic/Canary', '14:46'],
  ['Europe/Madrid', '15:46'],
])('a message and the one that fills its cap have their times by one clock: %s', (timeZone, time) => {
  const entry = createElement(TimelineEntry, { event: message, timeZone })
  const intl = { locale: 'es', messages: es, formats, timeZone: 'Europe/Madrid', children: entry } as const
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  expect(html).toContain('«Feliz cumpleaños»')
  expect(html.replace(/dateTime="[^"]*"/gi, '').match(/\d\d:\d\d/g)).toEqual([time, time])
})
