import { describe, expect, it } from 'vitest'
import { type ClaimedNotice, payloadOf } from '@/lib/push/text'

const notice = (changes: Partial<ClaimedNotice>): ClaimedNotice => ({
  ...{ id: '1', kind: 'vip_arrived', tag: 'vip_arrived:1', seconds: 60, language: 'es', content: {} },
  ...{ endpoint: 'https://push.example', p256dh: '', auth: '' },
  ...changes,
})
const party = { name: 'ANA R.', party_size: 8, date: '2026-11-20', time: '21:00', location: 'Norte' }
const words = (changes: Partial<ClaimedNotice>) => {
  const { title, body } = payloadOf(notice(changes))
  return `${title} | ${body}`
}

describe('a push notice', () => {
  it('says who has come, how many and where', () => {
    expect(words({ content: party })).toBe(
      'Ha llegado Ana R., VIP · 8 personas | Norte, reserva de las 21:00',
    )
    expect(words({ content: { ...party, table: '12' }, language: 'en' })).toBe(
      'Ana R. has arrived, VIP · 8 guests | Norte, booked for 21:00, table 12',
    )
  })

  it('says which party cancelled, also one without a name', () => {
    const kind = 'large_cancellation'
    expect(words({ kind, content: party })).toMatch(
      /^Se ha cancelado una mesa de 8 personas \| Ana R\., vie, 20 nov a las 21:00, Norte$/,
    )
    const { name: _, ...nameless } = party
    expect(words({ kind, content: nameless, language: 'en' })).toMatch(
      /\| Somebody, Fri, Nov 20 at 21:00, Norte$/,
    )
  })

  it('leads to the page it is about, and replaces the one before', () => {
    const paths = (['vip_arrived', 'large_cancellation', 'failed_sync', 'test'] as const).map(
      (kind) => payloadOf(notice({ kind })).path,
    )
    expect(paths).toEqual(['/service', '/reservations', '/', '/account'])
    expect(payloadOf(notice({ tag: 'x' })).tag).toBe('x')
  })

  it('fits into what every push service takes', () => {
    const long = 'x'.repeat(120)
    const content = { ...party, name: 'x'.repeat(43), table: long, location: long }
    expect(JSON.stringify(payloadOf(notice({ content }))).length).toBeLessThan(2000)
  })
})
