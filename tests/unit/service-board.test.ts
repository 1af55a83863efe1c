import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type BoardParty,
  formerState,
  GROUPS,
  type Group,
  type Groups,
  groupParties,
  shiftAt,
  withTaps,
} from '@/components/service/board-model'
import { isForgotten } from '@/components/service/table-model'
import { tableStates } from '@/components/service/table-states'
import { sweepTaps, TapQueue, type Waiting, withYes } from '@/components/service/tap-queue'
import { inPlaces } from '@/components/service/use-places'
import { serviceMinute } from '@/components/ui/service-day'
import { NOT_PLACED } from '@/lib/locations/plan'
import { tableNames } from '@/lib/reservations/table-names'
import type { Party, Service, Tap } from '@/lib/service/schema'

const NOTHING: Party = {
  ...{ id: '', time: '21:00', shift_id: 'dinner', name: null, party_size: 2, status: 'confirmed' },
  phone: null,
  readable_phone: null,
  ...{
    table_name: null,
    tables: [],
    joined_to: null,
    zone_name: null,
    arrived_at: null,
    seated_at: null,
    finished_at: null,
    walk_in: false,
    late_minutes: null,
    from_pms: false,
  },
  ...{ notes: null, customer_id: null, customer_notes: null, tags: [], tier: null, vip: false },
  ...{
    birthday_in: null,
    first_visit: false,
    allergies: [],
    facts: [],
    suggested: [],
    no_shows: 0,
    usual_table: null,
    risk: null,
  },
}
const party = (id: string, changes: Partial<Party> = {}): Party => ({
  ...NOTHING,
  ...{ id, name: id, tables: tableNames(changes.table_name) },
  ...changes,
})
const SHIFTS = [
  { id: 'lunch', name: 'Comida', opens: '13:00', closes: '16:00', capacity: 40 },
  { id: 'dinner', name: 'Cena', opens: '20:00', closes: '00:30', capacity: 40 },
]
const service = (parties: Party[], changes: Partial<Service> = {}): Service => ({
  ...{
    location: { id: 'l', name: 'Norte', timezone: 'Europe/Madrid', stay_minutes: null },
    day: '2026-11-20',
  },
  ...{
    at: '2026-11-20T20:00:00.000Z',
    closed: null,
    closings: [],
    shifts: SHIFTS,
    tables: [],
    waiting: [],
    parties,
    ...changes,
  },
})
const ids = (parties: BoardParty[]) => parties.map(({ id }) => id)
const AT = '2026-11-20T20:01:00.000Z'

describe('the groups of the board', () => {
  const all = service([
    party('late', { time: '20:30' }),
    party('waits', { time: '20:50', arrived_at: AT }),
    party('soon'),
    party('sits', { status: 'seated' }),
    party('gone', { status: 'completed' }),
    party('never', { status: 'no_show' }),
    party('lunch', { shift_id: 'lunch', time: '14:00' }),
  ])

  it('puts who is 15 minutes late on its own, and who waits at the door before who is to come', () => {
    const groups = groupParties(all, { shift: 'dinner', clock: '20:45', found: null })
    expect(ids(groups.late)).toEqual(['late'])
    expect(ids(groups.expected)).toEqual(['waits', 'soon'])
    expect(ids(groups.seated)).toEqual(['sits'])
    expect(ids(groups.over)).toEqual(['gone'])
    expect(ids(groups.lost)).toEqual(['never'])
  })

  it('counts after midnight as the same evening', () => {
    expect(serviceMinute('00:20')).toBeGreaterThan(serviceMinute('23:30'))
    const groups = groupParties(service([party('late', { time: '23:50' })]), {
      ...{ shift: null, clock: '00:10', found: null },
    })
    expect(ids(groups.late)).toEqual(['late'])
  })

  it('shows what a search has found in every shift, and nothing else', () => {
    const parties = [
      party('a', { name: 'María García' }),
      party('b', { shift_id: 'lunch', status: 'seated' }),
      party('c'),
    ]
    const shown = (found: Party[]) =>
      ids(Object.values(groupParties(service(parties), { shift: 'dinner', clock: '20:00', found })).flat())
    expect(shown(parties.slice(0, 2))).toEqual(['a', 'b'])
    expect(shown([])).toEqual([])
  })

  describe('at a change of shifts', () => {
    const change = service([
      party('forgotten', { shift_id: 'lunch', time: '16:30' }),
      party('seated', { shift_id: 'lunch', time: '15:30', status: 'seated' }),
      party('door', { shift_id: 'lunch', time: '16:45', arrived_at: AT }),
      party('unfinished', { shift_id: 'lunch', time: '14:30', status: 'seated' }),
      party('paid', { shift_id: 'lunch', time: '17:30', status: 'completed' }),
      party('stays', { shift_id: 'lunch', time: '17:15', status: 'seated' }),
      party('delayed', { shift_id: 'lunch', time: '18:30' }),
      party('first', { time: '19:00' }),
      party('evening', { time: '21:00' }),
    ])
    const shown = (shift: string | null, clock: string) => {
      const groups = groupParties(change, { shift, clock, found: null })
      return Object.fromEntries(Object.entries(groups).map(([group, each]) => [group, ids(each)]))
    }

    it('keeps who is late, and first of all who sits since the shift before, however long', () => {
      const groups = {
        ...{ earlier: ['seated', 'unfinished', 'stays'], late: ['delayed'] },
        ...{ expected: ['door', 'first', 'evening'], seated: [], over: [], lost: [] },
      }
      expect(shown('dinner', '19:00')).toEqual(groups)
      expect(shown('dinner', '19:15').late).toEqual(['delayed', 'first'])
    })

    it('shows who comes within the hour before the board changes', () => {
      expect(shiftAt(change, '18:58')).toBe('lunch')
      expect(shown('lunch', '18:58').expected).toEqual(['door', 'first'])
      expect(shown('lunch', '17:59').expected).toEqual(['door', 'delayed'])
    })

    it('leaves a shift that is not under way as it is', () => {
      expect(shown('lunch', '19:00')).toEqual({
        ...{ earlier: [], late: ['forgotten', 'delayed'], expected: ['door'] },
        ...{ seated: ['seated', 'unfinished', 'stays'], over: ['paid'], lost: [] },
      })
    })

    it('has who sits since lunch on top of dinner also before it is under way, and in the whole day', () => {
      expect(shown('dinner', '18:58')).toEqual({
        ...{ earlier: ['seated', 'unfinished', 'stays'], late: [], expected: ['first', 'evening'] },
        ...{ seated: [], over: [], lost: [] },
      })
      expect(shown(null, '21:00').earlier).toEqual(['seated', 'unfinished', 'stays'])
      expect(shown(null, '15:00').earlier).toEqual([])
    })
  })

  it('opens on the shift that is under way or opens within the hour', () => {
    expect(shiftAt(all, '11:00')).toBe('lunch')
    expect(shiftAt(all, '18:00')).toBe('lunch')
    expect(shiftAt(all, '19:05')).toBe('dinner')
    expect(shiftAt(all, '00:10')).toBe('dinner')
    expect(shiftAt(service([], { shifts: [] }), '20:00')).toBeNull()
  })
})

describe('who is proposed as finished', () => {
  const place = service([]).location
  const sits = (changes: Partial<Party>) => party('a', { status: 'seated', time: '14:00', ...changes })
  // In Madrid: 14:00 is 13:00Z.
  const at = (clock: string) => new Date(`2026-11-20T${clock}:00Z`)

  it('sits two hours longer than usual: since it sat, else since its time', () => {
    expect(isForgotten(sits({}), place, at('16:29'))).toBe(false)
    expect(isForgotten(sits({}), place, at('16:30'))).toBe(true)
    const later = sits({ seated_at: '2026-11-20T14:00:00Z' })
    expect(isForgotten(later, place, at('17:29'))).toBe(false)
    expect(isForgotten(later, place, at('17:30'))).toBe(true)
  })

  it('stays as long as its location says, by its size', () => {
    expect(isForgotten(sits({ party_size: 4 }), place, at('16:30'))).toBe(false)
    expect(isForgotten(sits({ party_size: 4 }), place, at('17:00'))).toBe(true)
    const slow = { ...place, stay_minutes: { 2: 200, 99: 300 } }
    expect(isForgotten(sits({}), slow, at('18:19'))).toBe(false)
    expect(isForgotten(sits({}), slow, at('18:20'))).toBe(true)
  })

  it('sits: nobody who is expected, has left or did not come', () => {
    for (const status of ['pending', 'confirmed', 'completed', 'no_show', 'cancelled'] as const)
      expect(isForgotten(sits({ status }), place, at('22:00')), status).toBe(false)
  })
})

describe('the places of rows', () => {
  const clock = '20:45'
  const grouped = (parties: Party[]) =>
    groupParties(service(parties), { shift: 'dinner', clock, found: null })
  const placesOf = (groups: Groups) =>
    Object.fromEntries(GROUPS.map((group) => [group, ids(groups[group])])) as Record<Group, string[]>
  const before = [
    party('late', { time: '20:15' }),
    party('a'),
    party('b'),
    party('sits', { status: 'seated' }),
  ]

  it('stay, whatever the parties do meanwhile', () => {
    const places = placesOf(grouped(before))
    const after = [
      party('late', { time: '20:15', status: 'no_show' }),
      party('a', { status: 'seated' }),
      party('b', { arrived_at: AT }),
      party('sits', { status: 'completed' }),
    ]
    const shown = inPlaces(grouped(after), places, after)
    expect(placesOf(shown)).toEqual(places)
    // With their new state.
    expect(shown.expected.map(({ status }) => status)).toEqual(['seated', 'confirmed'])
  })

  it('stay for who is no longer of the shift shown', () => {
    const lunch = party('lunch', { shift_id: 'lunch', time: '14:00', status: 'seated' })
    const places = placesOf(grouped([lunch]))
    expect(places.earlier).toEqual(['lunch'])
    const after = [{ ...lunch, status: 'completed' as const }]
    expect(placesOf(inPlaces(grouped(after), places, after))).toEqual(places)
  })

  it('are at the end of their group for who is new, and gone with who is gone', () => {
    const places = placesOf(grouped(before))
    const after = [party('early', { time: '20:40' }), ...before.slice(1)]
    const shown = inPlaces(grouped(after), places, after)
    expect(placesOf(shown)).toEqual({ ...places, late: [], expected: ['a', 'b', 'early'] })
  })
})

describe('the tables', () => {
  const tables = [
    { name: '4', zone: 'Sala', capacity: 2 },
    { name: '5', zone: 'Sala', capacity: 4 },
    { name: '6', zone: 'Sala', capacity: 4 },
    { name: '7', zone: 'Sala', capacity: null },
  ].map((table) => ({ ...NOT_PLACED, ...table }))
  const states = (parties: Party[], size: number) => tableStates(service(parties, { tables }), '21:00', size)

  it('come with the free ones that fit first, then the small, then the taken', () => {
    const sits = party('x', { status: 'seated', table_name: '5' })
    expect(states([sits], 4).map(({ name }) => name)).toEqual(['6', '7', '4', '5'])
    expect(states([sits], 2).map(({ name }) => name)).toEqual(['4', '6', '7', '5'])
  })

  it('know that a party may sit at two joined tables, and who is expected within two hours', () => {
    const joined = party('x', { status: 'seated', table_name: '4 + 5' })
    const next = party('y', { time: '22:30', table_name: '6' })
    const far = party('z', { time: '23:30', table_name: '7' })
    const byName = Object.fromEntries(states([joined, next, far], 2).map((state) => [state.name, state]))
    expect([byName['4']?.party?.id, byName['5']?.party?.id, byName['6']?.party]).toEqual(['x', 'x', null])
    expect([byName['6']?.next?.id, byName['7']?.next]).toEqual(['y', null])
  })
})

describe('taps that wait', () => {
  const tap = (key: string, action: Omit<Tap, 'key' | 'at'>): Tap => ({ key, at: AT, ...action }) as Tap

  it('show at once, in order', () => {
    const shown = withTaps(service([party('a')]), [
      { tap: tap('1', { action: 'arrive', reservation_id: 'a' } as never) },
      { tap: tap('2', { action: 'seat', reservation_id: 'a', table_name: '9' } as never) },
    ])
    expect(shown.parties[0]).toMatchObject({
      status: 'seated',
      table_name: '9',
      arrived_at: AT,
      seated_at: AT,
    })
  })

  it('set back every state, step by step', () => {
    const done = party('a', { status: 'completed', arrived_at: AT, seated_at: AT, finished_at: AT })
    const back = (from: Party) => {
      const to = formerState(from)
      const set = tap('1', { action: 'set_back', reservation_id: 'a', to } as never)
      return withTaps(service([from]), [{ tap: set }]).parties[0] as Party
    }
    const sits = back(done)
    expect(sits).toEqual({ ...done, status: 'seated', finished_at: null })
    const waits = back(sits)
    expect(waits).toEqual(party('a', { arrived_at: AT }))
    expect(back(waits)).toEqual(party('a'))
    expect(formerState(party('a'))).toBeNull()
    for (const status of ['no_show', 'cancelled'] as const)
      expect(back(party('a', { status })), status).toEqual(party('a'))
    // The PMS says nothing of an arrival.
    expect(back(party('a', { status: 'seated' }))).toEqual(party('a'))
  })

  it('cancel', () => {
    const cancel = tap('1', { action: 'cancel', reservation_id: 'a' } as never)
    const [shown] = withTaps(service([party('a', { arrived_at: AT })]), [{ tap: cancel }]).parties
    expect(shown).toEqual(party('a', { status: 'cancelled' }))
  })

  it('give another table to who sits, and keep since when', () => {
    const sits = party('a', { status: 'seated', seated_at: AT, table_name: '4' })
    const assign = (place: object) =>
      withTaps(service([sits]), [
        { tap: tap('1', { action: 'assign', reservation_id: 'a', ...place } as never) },
      ]).parties[0]
    expect(assign({ tables: ['5', '6'] })).toEqual({ ...sits, table_name: '5+6', tables: ['5', '6'] })
    expect(assign({ tables: [] })).toEqual({ ...sits, table_name: null, tables: [] })
    expect(assign({ table_name: '5' })).toEqual({ ...sits, table_name: '5', tables: ['5'] })
    expect(assign({ table_name: null })).toEqual({ ...sits, table_name: null, tables: [] })
  })

  it('show what was undone as it was before', () => {
    const before = {
      status: 'confirmed' as const,
      table_name: '3',
      tables: ['3'],
      joined_to: null,
      arrived_at: null,
      seated_at: null,
      finished_at: null,
      party_size: 2,
      time: '21:00',
      late_minutes: null,
      notes: 'Trona',
    }
    const undo = tap('2', { action: 'undo', reservation_id: 'a', undoes: '1' } as never)
    const [shown] = withTaps(service([party('a', { status: 'seated', table_name: '9' })]), [
      { tap: undo, before: { a: before } },
    ]).parties
    expect(shown).toMatchObject(before)
  })

  it('make a walk-in of which later taps know only the key', () => {
    const made = { tap: tap('w', { action: 'walk_in', party_size: 3, table_name: '7' } as never) }
    const left = { tap: tap('2', { action: 'finish', of: 'w' } as never) }
    expect(withTaps(service([]), [made]).parties).toMatchObject([
      { id: 'w', unsaved: true, time: '21:01', shift_id: 'dinner', status: 'seated', party_size: 3 },
    ])
    expect(withTaps(service([]), [made, left]).parties[0]?.status).toBe('completed')
    const undone = { tap: tap('3', { action: 'undo', of: 'w', undoes: 'w' } as never) }
    expect(withTaps(service([]), [made, undone]).parties).toEqual([])
  })

  it('make a party wait, sit or leave, whom only this device knows', () => {
    const joined = {
      tap: tap('w', { action: 'wait_join', name: 'Ana', phone: '600 11 12 22', party_size: 3 } as never),
    }
    const now = withTaps(service([]), [joined, joined])
    expect(now.waiting).toMatchObject([
      { id: 'w', unsaved: true, name: 'Ana', readable_phone: '600 11 12 22', joined_at: expect.any(String) },
    ])
    const seat = { tap: tap('s', { action: 'wait_seat', waiting_id: 'w', table_name: '7' } as never) }
    const finish = { tap: tap('f', { action: 'finish', of: 's' } as never) }
    expect(withTaps(service([]), [joined, seat, finish])).toMatchObject({
      waiting: [],
      parties: [{ id: 's', unsaved: true, name: 'Ana', party_size: 3, table_name: '7', status: 'completed' }],
    })
    const leave = { tap: tap('l', { action: 'wait_leave', waiting_id: 'w' } as never) }
    expect(withTaps(service([]), [joined, leave])).toMatchObject({ waiting: [], parties: [] })
    // Who has gone meanwhile is not seated.
    expect(withTaps(service([]), [seat]).parties).toEqual([])
    // The answer to its joining was lost: the list has it, and knows that it was called.
    const [known] = withTaps(service([]), [joined]).waiting
    const called = {
      ...service([]),
      waiting: [{ ...known, called_at: '2026-11-29T20:05:00.000Z' } as Service['waiting'][number]],
    }
    expect(withTaps(called, [joined]).waiting).toMatchObject([
      { id: 'w', called_at: '2026-11-29T20:05:00.000Z' },
    ])
  })

  it('bring back at once who was let go by mistake, also when the list has let them go', () => {
    const party = { id: 'w', name: 'Ana' } as Service['waiting'][number]
    const leave = { tap: tap('l', { action: 'wait_leave', waiting_id: 'w' } as never) }
    const back = { tap: tap('r', { action: 'wait_return', waiting_id: 'w' } as never), party }
    for (const waiting of [[party], []])
      expect(withTaps({ ...service([]), waiting }, [leave, back]).waiting).toEqual([party])
    expect(withTaps({ ...service([]), waiting: [party] }, [back]).waiting).toEqual([party])
  })
})

describe('the queue of taps', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
  })
  const tap = (key: string) => ({ tap: { key, action: 'finish', reservation_id: 'a' } as Tap })

  it('outlives the page, keeps its order, and is each person’s own', () => {
    const queue = new TapQueue('ana')
    for (const key of ['1', '2', '3']) queue.add(tap(key))
    expect(new TapQueue('ana').take(2).map(({ key }) => key)).toEqual(['1', '2'])
    expect(new TapQueue('luis').read()).toEqual([])
  })

  it('keeps what was saved until a list is read, what was added meanwhile, and gives what was not taken', () => {
    const queue = new TapQueue('ana')
    for (const key of ['1', '2', '3']) queue.add(tap(key))
    queue.take(3)
    queue.add(tap('4'))
    const answers = [
      { key: '1', outcome: 'saved' },
      { key: '2', outcome: 'repeated' },
      { key: '3', outcome: 'conflict' },
    ]
    queue.settle(answers, [{ id: 'a', name: 'Ana Ruiz' }])
    const [refused] = queue.refused()
    expect(refused).toMatchObject({ tap: { key: '3' }, outcome: 'conflict', name: 'Ana Ruiz' })
    // The list is the one of before: it shows them still.
    expect(queue.read().map((each) => [each.tap.key, each.saved])).toEqual([
      ['1', true],
      ['2', true],
      ['4', undefined],
    ])
    expect([queue.unsent(), queue.take(3).map(({ key }) => key)]).toEqual([1, ['4']])
    expect(queue.saved()).toEqual(['1', '2'])
    queue.seen(['1', '2'])
    expect(queue.read()).toMatchObject([{ tap: { key: '4' } }])
    queue.forget('3')
    queue.settle([{ key: '4', outcome: 'saved' }], [])
    // The list that is read now was asked for before.
    queue.seen([])
    expect([queue.unsent(), queue.read().length]).toEqual([0, 1])
    queue.seen(queue.saved())
    expect(stored.size).toBe(0)
  })

  it('says yes to what a tap is asked now, and to what it was asked before', () => {
    const refused = (questions?: ['TABLE_TAKEN'], confirm?: ['table_too_small' | 'table_taken']) =>
      withYes({ tap: { ...tap('1').tap, confirm }, outcome: 'x', questions }).tap.confirm
    expect(refused(['TABLE_TAKEN'])).toEqual(['table_taken'])
    expect(refused(['TABLE_TAKEN'], ['table_too_small'])).toEqual(['table_too_small', 'table_taken'])
    expect(refused(['TABLE_TAKEN'], ['table_taken'])).toEqual(['table_taken'])
  })

  it('keeps what is asked for the next page, until somebody answers', () => {
    const before: Waiting['before'] = { a: { status: 'confirmed' } }
    const queue = new TapQueue('ana')
    queue.add({ ...tap('1'), before })
    queue.add(tap('2'))
    queue.take(2)
    const answers = [
      { key: '1', outcome: 'table_taken', questions: ['TABLE_TAKEN' as const] },
      { key: '2', outcome: 'conflict' },
    ]
    queue.settle(answers, [])
    const again = new TapQueue('ana')
    expect(again.refused()).toMatchObject([
      { tap: { key: '1' }, before, questions: ['TABLE_TAKEN'] },
      { tap: { key: '2' }, outcome: 'conflict' },
    ])
    expect(new TapQueue('luis').refused()).toEqual([])
    stored.set('eva:refused', JSON.stringify([{ tap: { ...tap('1').tap, at: '2026-11-20T20:00:00Z' } }]))
    expect(new TapQueue('eva').refused()).toEqual([])
    stored.delete('eva:refused')
    again.forget()
    expect(queue.refused()).toMatchObject([{ tap: { key: '1' } }])
    queue.forget('1')
    expect(stored.size).toBe(0)
  })

  it('takes back a refused tap, and forgets one whose undo was on its way', () => {
    const queue = new TapQueue('ana')
    const undo = { tap: { key: 'u', action: 'undo', reservation_id: 'a', undoes: '2' } as Tap }
    for (const each of [tap('1'), tap('2'), undo, tap('3')]) queue.add(each)
    queue.take(4)
    const asked = (key: string) => ({ key, outcome: 'table_taken', questions: ['TABLE_TAKEN' as const] })
    queue.settle([asked('1'), asked('2')], [])
    expect(queue.takeBack('1')).toBe(true)
    expect(queue.takeBack('1')).toBe(false)
    expect(queue.refused()).toMatchObject([{ tap: { key: '2' } }])
    queue.settle([{ key: 'u', outcome: 'conflict' }, asked('3')], [])
    expect(queue.refused()).toMatchObject([{ tap: { key: '3' } }])
    expect(queue.read()).toEqual([])
  })

  it('has nothing to undo of a refused tap that was dismissed; of one that was taken again it has', () => {
    const queue = new TapQueue('ana')
    for (const key of ['1', '2', '3']) queue.add(tap(key))
    queue.take(3)
    const asked = (key: string) => ({ key, outcome: 'table_taken', questions: ['TABLE_TAKEN' as const] })
    queue.settle([asked('1'), asked('2'), { key: '3', outcome: 'conflict' }], [])
    queue.forget('1')
    queue.forget()
    const [second] = queue.refused()
    if (second) queue.again(second)
    expect(queue.refused()).toEqual([])
    expect(queue.take(9)).toMatchObject([{ key: '2', confirm: ['table_taken'] }])
    queue.settle([{ key: '2', outcome: 'saved' }], [])
    queue.seen(['2'])
    expect(['1', '2', '3'].map((key) => queue.takeBack(key))).toEqual([true, false, true])
    expect(stored.size).toBe(0)
  })

  it('takes back a tap only before it was sent', () => {
    const queue = new TapQueue('ana')
    queue.add(tap('1'))
    queue.take(1)
    queue.add(tap('2'))
    expect(queue.takeBack('1')).toBe(false)
    expect(queue.takeBack('2')).toBe(true)
    expect(queue.read()).toMatchObject([{ tap: { key: '1' } }])
  })

  it('goes when its person has not come back for three days', () => {
    const now = Date.parse('2026-11-29T20:00:00Z')
    const tapped = (key: string, at: string) => ({ tap: { ...tap(key).tap, at } })
    const before = [tapped('1', '2026-11-26T19:59:00Z'), tapped('2', '2026-11-26T20:01:00Z')]
    stored.set('service:ana:norte', JSON.stringify(before))
    stored.set('service:luis:norte:refused', JSON.stringify(before.slice(0, 1)))
    stored.set('sobremesa-draft:ana', JSON.stringify(before))
    const known = Object.fromEntries(stored)
    vi.stubGlobal('localStorage', Object.assign(Object.create(localStorage), known))
    sweepTaps(now)
    expect(Object.fromEntries(stored)).toEqual({
      ...{ 'service:ana:norte': JSON.stringify(before.slice(1)) },
      ...{ 'sobremesa-draft:ana': JSON.stringify(before) },
    })
  })

  it('begins anew when what is stored is no queue', () => {
    stored.set('ana', '{broken')
    expect(new TapQueue('ana').read()).toEqual([])
  })
})
