import { describe, expect, it } from 'vitest'
import { maskAddress } from '@/components/unsubscribe/subscription-panel'
import { preferredLocale } from '@/lib/i18n/visitor-locale'
import { linkKey } from '@/lib/messaging/link-token'
import type { Recipient } from '@/lib/messaging/schema'
import { openUnsubscribeToken, unsubscribeToken } from '@/lib/messaging/unsubscribe-token'
import { wishOf } from '@/lib/webhooks/wish'

const key = Buffer.alloc(32, 7).toString('base64')
const ana: Recipient = {
  organizationId: '2b1f0d0e-8f0c-4a55-9a54-3f1e8f5c9a10',
  channel: 'email',
  address: 'ana@example.com',
}
const read = (token: string, secret: string) => openUnsubscribeToken(token, linkKey(secret))

describe('an unsubscribe token', () => {
  it.each<Recipient>([
    ana,
    { ...ana, channel: 'sms', address: '+34600000001' },
    { ...ana, channel: 'whatsapp', address: '+34600000001' },
    { ...ana, address: 'ñandú@correo.example' },
  ])('says again what went in: %j', (recipient) => {
    expect(read(unsubscribeToken(recipient, key), key)).toEqual(recipient)
  })

  it('is the same each time, fits an address, and reveals nothing', () => {
    const token = unsubscribeToken(ana, key)
    expect(unsubscribeToken({ ...ana, address: ' ANA@example.com' }, key)).toBe(token)
    expect(token).toMatch(/^[\w-]{40,120}$/)
    const bytes = Buffer.from(token, 'base64url')
    expect(bytes.includes('ana')).toBe(false)
    expect(bytes.includes(Buffer.from(ana.organizationId.replaceAll('-', ''), 'hex'))).toBe(false)
  })

  it('is invalid when a character differs, when cut, or made with another key', () => {
    const token = unsubscribeToken(ana, key)
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(read(changed, key), `at ${at}`).toBeNull()
    }
    for (const wrong of [
      '',
      'x',
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      '\0',
      'é'.repeat(99),
    ])
      expect(read(wrong, key)).toBeNull()
    expect(read(token, Buffer.alloc(32, 8).toString('base64'))).toBeNull()
  })
})

describe('for people who are not of the staff', () => {
  it.each([
    ['', 'es'],
    ['en-GB,en;q=0.9', 'en'],
    ['fr, en;q=0.5, es;q=0.7', 'es'],
    ['de', 'es'],
    ['en;q=0, de', 'es'],
    ['EN', 'en'],
    [';;,q=', 'es'],
  ])('Accept-Language %j is %s', (header, locale) => {
    expect(preferredLocale(header)).toBe(locale)
  })

  it('addresses are shown so that only their owner knows them', () => {
    expect(maskAddress('ana.ruiz@example.com')).toBe('an…@example.com')
    expect(maskAddress('a@example.com')).toBe('…@example.com')
    expect(maskAddress('+34600000001')).toBe('+34 … 01')
  })
})

describe('an answer of a recipient', () => {
  it.each([
    ['Stop!', undefined, 'stop'],
    ['Cancelár', undefined, null],
    ['Cancelár', 'STOP', null],
    ['«ALTA»', undefined, 'start'],
    ['no gracias', 'STOP', 'stop'],
    ['sí', 'START', null],
    ['sigue', 'START', 'start'],
    ['baja el precio', undefined, null],
    ['', 'HELP', null],
  ])('%j (%s) means %s', (body, type, wish) => {
    expect(wishOf(body, type)).toBe(wish)
  })
})
