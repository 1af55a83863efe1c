import { describe, expect, it } from 'vitest'
import replyTexts from '@/lib/feedback/reply-texts.json'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { guestTextSchema, renderGuestText } from '@/lib/messaging/guest-text'
import guestTexts from '@/lib/messaging/guest-texts.json'
import ticketWords from '@/lib/tickets/guest-ticket-words.json'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
const asPlaceholders = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'string' ? placeholders(text) : asPlaceholders(text),
    ]),
  )

describe('texts that a guest brings about', () => {
  it('exist in each language, with the same values', () => {
    for (const { es, en } of Object.values(ticketWords))
      expect(asPlaceholders(en)).toEqual(asPlaceholders(es))
    for (const { es } of [guestTexts, replyTexts])
      for (const language of GUEST_LANGUAGES) {
        const own = [guestTexts, replyTexts].find((each) => each.es === es)?.[language] ?? {}
        expect({ language, own: asPlaceholders(own) }).toEqual({ language, own: asPlaceholders(es) })
        if (language !== 'es')
          expect(
            Object.values<unknown>(own).filter((text) => Object.values<unknown>(es).includes(text)),
          ).toEqual([])
      }
  })

  it.each(GUEST_LANGUAGES)('ask in %s for the digits that mean yes and no', (language) => {
    const texts = guestTexts[language]
    expect([texts.booking_confirmed, texts.booking_cancelled, texts.table_offer]).toEqual([
      expect.stringMatching(/\b2\b/),
      expect.stringMatching(/\b1\b/),
      expect.stringMatching(/\b1\b/),
    ])
  })

  it('are worded with their values, as they are: a value is no template', () => {
    const text = guestTextSchema.parse({
      template: 'booking_confirmed',
      language: 'en',
      values: { location: 'The {time} 2026-01-02', date: '2026-11-21', time: '21:00' },
      expires_at: '2026-11-20T12:00:00Z',
    })
    expect(renderGuestText(text)).toBe(
      'Thank you! Your booking at The {time} 2026-01-02 on 21/11 at 21:00 is confirmed. Reply 2 if you want to cancel it.',
    )
  })

  it('are not sent without a value', () => {
    const values = { location: 'Retiro', time: '21:00' }
    expect(
      renderGuestText({ template: 'booking_confirmed', language: 'es', values, expires_at: '' }),
    ).toBeNull()
  })

  it('are those that there are', () => {
    expect(
      guestTextSchema.safeParse({ template: 'x', language: 'es', values: {}, expires_at: '' }).success,
    ).toBe(false)
  })
})
