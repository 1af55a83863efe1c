import { NextIntlClientProvider } from 'next-intl'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { PmsUnderstood } from '@/components/integrations/pms-understood'
import { en } from '@/lib/i18n/en'
import { es } from '@/lib/i18n/es'
import { formats } from '@/lib/i18n/formats'
import type { PmsDetails } from '@/lib/pms/details'

const EMPTY: PmsDetails = {
  venue: 'casa-lumbre',
  day: '2026-11-26',
  shape: null,
  pages: 2,
  bookings: 0,
  by_status: { pending: 0, confirmed: 0, seated: 0, completed: 0, cancelled: 0, no_show: 0, unknown: 0 },
  unknown_statuses: [],
  covers: 0,
  without_contact: 0,
  first: null,
  last: null,
  unreadable: [],
  other_days: 0,
  repeated: 0,
}

/** The lines about an answer, and which of them are warnings. */
function lines(locale: 'es' | 'en', details: PmsDetails): { text: string; warns: boolean }[] {
  const children = createElement(PmsUnderstood, { details })
  const messages = locale === 'es' ? es : en
  const intl = { locale, messages, formats, timeZone: 'Europe/Madrid', children } as const
  const html = renderToStaticMarkup(createElement(NextIntlClientProvider, intl))
  return [...html.matchAll(/<li([^>]*)>([^<]*)/g)].map(([, attributes, text]) => ({
    text: text ?? '',
    warns: attributes?.includes('data-warning') ?? false,
  }))
}

describe('what a PMS answered', () => {
  it.each([
    ['es', /no ha enviado ninguna reserva de «casa-lumbre».*Comprueba que es el identificador de tu local/],
    ['en', /sent no bookings for “casa-lumbre”.*Check that it is the identifier of your location/],
  ] as const)('warns when it was an empty list, and says what to check, in %s', (locale, text) => {
    expect(lines(locale, EMPTY)).toEqual([{ text: expect.stringMatching(text), warns: true }])
  })

  it('does not warn when it can be read', () => {
    const details: PmsDetails = {
      ...EMPTY,
      shape: 'booking_fields',
      bookings: 1,
      first: '21:00',
      last: '21:00',
    }
    expect(lines('es', details).filter(({ warns }) => warns)).toEqual([])
  })
})
