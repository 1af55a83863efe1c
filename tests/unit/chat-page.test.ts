import { describe, expect, it } from 'vitest'
import { readEvents } from '@/components/assistant/ask'
import { historyOf, type Reply, sendable } from '@/components/assistant/conversation'
import { sourceLink } from '@/components/assistant/sources'
import { suggestionsFor } from '@/components/assistant/suggested-questions'
import type { AssistantContext } from '@/lib/assistant/context'

const reply = (text: string, state: Reply['state'] = 'done'): Reply => ({ text, sources: [], state })

describe('the history that is sent', () => {
  it('leaves out what failed, was never answered or is being answered', () => {
    const turns = [
      { id: '1', question: 'a', reply: reply('A') },
      { id: '2', question: 'b', reply: reply('a medias', 'failed') },
      { id: '3', question: 'c', reply: reply('', 'stopped') },
      { id: '4', question: 'd', reply: reply('D…', 'stopped') },
      { id: '5', question: 'e' },
    ]
    expect(historyOf(turns).map(({ role, content }) => `${role} ${content}`)).toEqual([
      'user a',
      'assistant A',
      'user d',
      'assistant D…',
    ])
  })

  it('is the last ten messages, none longer than the API takes or cut within a character', () => {
    const turns = Array.from({ length: 9 }, (_, id) => ({
      id: `${id}`,
      question: `q${id}`,
      reply: reply(`${'x'.repeat(7999)}😀`),
    }))
    const history = historyOf(turns)
    expect(history).toHaveLength(10)
    expect(history[0]?.content).toBe('q4')
    expect(history[1]?.content).toHaveLength(8000)
    expect(history[1]?.content.isWellFormed()).toBe(true)
    expect(sendable('a\0b')).toBe('ab')
  })
})

describe('a source', () => {
  it.each([
    ['customer', 'Ana', '/customers/id-1'],
    ['reservation', 'Ana · 2026-11-20 21:30 · Norte', '/reservations?date=2026-11-20'],
    // After midnight it belongs to the service of the evening before.
    ['reservation', '2026-03-01 01:15 · Norte', '/reservations?date=2026-02-28'],
    ['reservation', 'Ana · 2026-11-21 06:00', '/reservations?date=2026-11-21'],
    ['reservation', 'Ana', null],
    ['reservation', 'Ana · 2026-99-99 21:00', null],
    ['location', 'Norte', null],
    ['automation', 'Cumpleaños', null],
    ['campaign', 'Otoño', '/campaigns/id-1'],
    ['segment', 'Todos', '/customers/segments/id-1'],
  ] as const)('%s «%s» leads to %s', (type, label, href) => {
    expect(sourceLink({ type, id: 'id-1', label }).href).toBe(href)
  })

  it('cannot leave its place by its id', () => {
    expect(sourceLink({ type: 'customer', id: '../x?y', label: '' }).href).toBe('/customers/..%2Fx%3Fy')
  })
})

describe('events', () => {
  const read = async (bytes: Uint8Array[]) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of bytes) controller.enqueue(piece)
        controller.close()
      },
    })
    const events: unknown[] = []
    for await (const event of readEvents(body)) events.push(event)
    return events
  }

  it('are whole wherever the bytes are cut', async () => {
    const text = 'event: delta\ndata: {"content":"ñ: €"}\n\nevent: done\ndata: {"success":true}\n\n'
    const bytes = new TextEncoder().encode(text)
    const expected = [
      { event: 'delta', data: { content: 'ñ: €' } },
      { event: 'done', data: { success: true } },
    ]
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(expected)
  })

  it('that are not finished are none', async () => {
    expect(await read([new TextEncoder().encode('event: delta\ndata: {"con')])).toEqual([])
  })
})

describe('suggested questions', () => {
  const busy: AssistantContext = {
    now: '2026-11-20 19:00',
    timezone: 'Europe/Madrid',
    locations: ['Norte', 'Sur'].map((name) => ({
      name,
      timezone: 'Europe/Madrid',
      local_time: '2026-11-20 19:00',
      service_date: '2026-11-20',
      reservations_today: 2,
      covers_today: 5,
      known_until: '2027-01-19',
    })),
    today: {
      total: 4,
      confirmed: 4,
      pending: 0,
      vip: 1,
      seated: 0,
      completed: 0,
      cancelled: 0,
      no_show: 0,
      covers: 10,
    },
    upcoming: [
      { date: '2026-11-20', time: '20:00', location: 'Norte', party_size: 2, status: 'confirmed' },
      {
        date: '2026-11-20',
        time: '21:00',
        location: 'Sur',
        party_size: 3,
        status: 'confirmed',
        customer_name: 'Ana',
      },
    ],
    customers: { total: 10, without_tier: 5, by_tier: [] },
    week: { reservations: 20, covers: 50, estimated_revenue_eur: 1000 },
    inactive_vips: { count: 3, since: '2026-08-20', biggest_spenders: [] },
  }
  const t = ((key: string, values: object = {}) => `${key} ${Object.values(values)}`.trim()) as never
  const keys = (context: AssistantContext, allowed: boolean) =>
    suggestionsFor(context, () => allowed, t).map(({ question }) => question.replace('.question', ''))

  it('follow the figures: who comes next is the first with a name', () => {
    expect(keys(busy, true)).toEqual(['service', 'arrival Ana,21:00', 'vip', 'inactive'])
  })

  it('leave out customers for those who may not see them', () => {
    expect(keys(busy, false)).toEqual(['service', 'week'])
  })

  it('do not announce tomorrow’s guests as today’s', () => {
    const upcoming = busy.upcoming.map((party) => ({ ...party, date: '2026-11-21' }))
    expect(keys({ ...busy, upcoming }, true)).not.toContain('arrival Ana,21:00')
  })

  it('are never none', () => {
    const quiet = {
      ...busy,
      today: { ...busy.today, total: 0, covers: 0, vip: 0 },
      upcoming: [],
      week: { ...busy.week, reservations: 0 },
      inactive_vips: { ...busy.inactive_vips, count: 0 },
    }
    expect(keys(quiet, true)).toEqual(['quiet'])
  })
})
