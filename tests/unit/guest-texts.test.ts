import { describe, expect, it } from 'vitest'
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
  it('exist in both languages, with the same values in each', () => {
    for (const { es, en } of [guestTexts, ...Object.values(ticketWords)])
      expect(asPlaceholders(en)).toEqual(asPlaceholders(es))
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
