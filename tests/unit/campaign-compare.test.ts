import { describe, expect, it } from 'vitest'
import { compareVersions } from '@/lib/campaigns/compare'
import { newCampaignSchema } from '@/lib/campaigns/schema'

const score = (a: [number, number], b: [number, number], winner_by: 'visits' | 'clicks' = 'visits') => ({
  winner_by,
  versions: [
    { variant: 'a' as const, guests: a[0], booked: a[1], clicked: null },
    { variant: 'b' as const, guests: b[0], booked: b[1], clicked: null },
  ],
})

describe('two versions of a message', () => {
  it('differ only when the interval excludes 0', () => {
    expect(compareVersions(score([1000, 30], [1000, 80]))).toMatchObject({ known: 'better', ahead: 'b' })
    expect(compareVersions(score([1000, 80], [1000, 30]))).toMatchObject({ known: 'better', ahead: 'a' })
    const close = compareVersions(score([1000, 30], [1000, 36]))
    expect(close).toMatchObject({ known: 'unclear', ahead: 'b' })
    expect(close.difference?.per_thousand).toBeCloseTo(6)
    expect(close.difference?.low).toBeLessThan(0)
  })

  it('are not compared with few guests or bookings, nor without clicks', () => {
    expect(compareVersions(score([19, 10], [500, 10]))).toMatchObject({ known: 'too_few', difference: null })
    expect(compareVersions(score([500, 4], [500, 5]))).toMatchObject({ known: 'too_few', ahead: 'b' })
    expect(compareVersions(score([500, 40], [500, 90], 'clicks'))).toMatchObject({
      known: 'too_few',
      ahead: null,
    })
    expect(compareVersions(score([500, 0], [500, 0]))).toMatchObject({ known: 'too_few', ahead: null })
  })

  it('compare shares, not numbers', () => {
    expect(compareVersions(score([100, 20], [1000, 100]))).toMatchObject({ ahead: 'a' })
  })
})

describe('a campaign', () => {
  const message = { step: 1, channel: 'sms', body: 'Hola' }
  const paths = (fields: object) =>
    newCampaignSchema
      .safeParse({ name: 'x', messages: [message], ...fields })
      .error?.issues.map(({ path }) => path.join('.'))

  it('needs its steps in order and a version b with a test alone', () => {
    const ab = { test_share: 20, winner_by: 'visits', test_hours: 24 }
    expect(paths({})).toBeUndefined()
    expect(paths({ ab, messages: [message, { ...message, variant: 'b' }] })).toBeUndefined()
    expect(paths({ ab })).toEqual(['messages'])
    expect(paths({ messages: [message, { ...message, variant: 'b' }] })).toEqual(['messages'])
    expect(paths({ messages: [message, message] })).toEqual(['messages'])
    expect(paths({ messages: [{ ...message, after_days: 2 }] })).toEqual(['messages.0.after_days'])
    expect(paths({ messages: [message, { ...message, step: 2, after_days: 3, variant: 'b' }] })).toEqual([
      'messages',
      'messages.1.variant',
    ])
  })

  it('takes a wall-clock time to the minute, with seconds left out', () => {
    const local = (starts_local: string) =>
      newCampaignSchema.safeParse({ name: 'x', messages: [message], starts_local }).data?.starts_local
    expect(local('2026-11-20T18:00')).toBe('2026-11-20T18:00')
    expect(local('2026-11-20T18:00:00')).toBe('2026-11-20T18:00')
    for (const bad of [
      '2026-02-30T10:00',
      '2026-11-20 18:00',
      '2026-11-20T25:00',
      '1999-11-20T18:00',
      '2026-11-20T18:00Z',
    ])
      expect(local(bad)).toBeUndefined()
  })
})
