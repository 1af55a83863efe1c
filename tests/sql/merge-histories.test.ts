import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group, type Person, setRules, stackClient } from '../factories/group'
import { emptyTables } from '../support/empty-tables'
import { type Stack, startStack } from '../support/stack'
import { FIELDS, MERGE_RULES, MergeModel } from './merge-model'

const SEED = Number(process.env.MERGE_SEED ?? 17)
const HISTORIES = Number(process.env.MERGE_HISTORIES ?? 4)
const STEPS = Number(process.env.MERGE_STEPS ?? 40)
const GUESTS = 6
const AVERAGE = 20
const FACTS = ['nuts', 'egg', 'fish'] as const

let stack: Stack
let group: Group
let staff: Person
let seen: Record<string, number>

beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Grupo Fusiones', [
    { name: 'Norte', slug: 'norte', averageSpend: AVERAGE },
  ])
  await setRules(stack, place(), MERGE_RULES)
  await stack.sql('update public.loyalty_tiers set points_multiplier = 1')
  staff = await group.person('admin')
})
afterAll(() => stack?.close())

const place = () => group.locations[0]?.id ?? ''
type Outcome = { outcome: string; [field: string]: unknown }
const call = async (name: string, parameters: object): Promise<Outcome> =>
  (await staff.db.rpc(name as 'merge_customers', parameters as never).throwOnError()).data as Outcome

const text = fc.constantFrom('Olmo', 'Haya', 'Tilo', null)
const guest = fc.nat({ max: GUESTS - 1 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('merge'),
      guest,
      other: guest,
      fields: fc.subarray([...FIELDS, 'email']),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('undo'), back: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('sync'),
      mailbox: guest,
      pax: fc.integer({ min: 1, max: 9 }),
      came: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('book'), guest, amount: fc.integer({ min: 1, max: 150 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reassign'), guest, booking: fc.nat({ max: 9 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('edit'), guest, field: fc.constantFrom(...FIELDS), value: text }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('tag'), guest, tags: fc.subarray(['a', 'b', 'c', 'd']) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('record'), guest, codes: fc.subarray([...FACTS]), value: text }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust'), guest, points: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('optOut'), guest }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One group's history: what is done to the database, and to the model. */
class History {
  private readonly model = new MergeModel()
  private readonly emails: string[] = []
  /** Bookings by their place in the model: those made by staff can be given to another customer. */
  private readonly ids: { id: string; manual: boolean }[] = []

  async begin(): Promise<void> {
    await stack.sql(emptyTables('customers', 'reservations', 'suppressions'))
    for (let n = 0; n < GUESTS; n++) {
      const email = `guest${n}@correo.example`
      const saved = await call('save_customer', { p_fields: { email, tags: [] } })
      this.model.add((saved.customer as { id: string }).id, email)
      this.emails.push(email)
    }
  }

  async take(step: Step): Promise<void> {
    const { model } = this
    const alive = [...model.guests.keys()]
    const one = (n: number) => alive[n % alive.length] ?? ''
    seen[step.do] = (seen[step.do] ?? 0) + 1
    if ('other' in step) {
      const [kept, gone] = [one(step.guest), one(step.other)]
      const done = await call('merge_customers', { p_id: kept, p_duplicate_id: gone, p_fields: step.fields })
      expect(done.outcome).toBe(kept === gone ? 'same' : 'merged')
      if (kept !== gone) model.merge(String(done.merge_id), kept, gone, step.fields)
    } else if ('back' in step) await this.undo(step.back)
    else if ('mailbox' in step) await this.sync(step)
    else if ('amount' in step) await this.book(one(step.guest), step.amount)
    else if ('booking' in step) await this.reassign(one(step.guest), step.booking)
    else if ('field' in step) {
      await call('save_customer', { p_id: one(step.guest), p_fields: { [step.field]: step.value } })
      model.edit(one(step.guest), step.field, step.value)
    } else if ('tags' in step) {
      await call('save_customer', { p_id: one(step.guest), p_fields: { tags: step.tags } })
      model.tag(one(step.guest), step.tags)
    } else if ('codes' in step) {
      const facts = step.codes.map((code) => ({ code, kind: 'allergy', note: step.value }))
      await call('save_customer_facts', { p_customer: one(step.guest), p_facts: facts })
      model.record(one(step.guest), facts)
    } else if ('points' in step) {
      const adjusted = { p_kind: 'adjusted', p_points: step.points, p_reason: 'Detalle' }
      await call('save_points', { p_customer: one(step.guest), ...adjusted })
      model.adjust(one(step.guest), step.points)
    } else {
      const { email } = model.guest(one(step.guest))
      const stop = { p_organization: group.id, p_channel: 'email', p_addresses: [email ?? ''] }
      await stackClient(stack, 'service')
        .rpc('suppress_addresses', { ...stop, p_reason: 'unsubscribe' })
        .throwOnError()
      model.optOut(one(step.guest))
    }
  }

  private async undo(back: number): Promise<void> {
    const merge = this.model.merges.at(-1 - back)
    if (!merge) return
    const answer = await call('undo_merge', { p_id: merge.id })
    const expected = this.model.obstacle(merge)
    expect(answer.outcome).toBe(expected ?? 'undone')
    seen[answer.outcome] = (seen[answer.outcome] ?? 0) + 1
    if (expected) return
    expect(answer.not_restored).toEqual({ kept: this.model.undo(merge), restored: [] })
    // Never suggested again, while both are there.
    const pair = [merge.kept, merge.gone].sort()
    const told = 'select 1 from public.customer_pairs where first_id = $1 and second_id = $2'
    expect(await stack.sql(told, pair)).toHaveLength(1)
  }

  /** The PMS sends a booking with an address that a customer has, or had before a merge. */
  private async sync({ mailbox, pax, came }: { mailbox: number; pax: number; came: boolean }): Promise<void> {
    const email = this.emails[mailbox] ?? ''
    const n = this.ids.length
    const row = { external_id: `b${n}`, email, phone: null, first_name: null, last_name: null }
    const p_rows = [
      {
        ...{ ...row, customer_name: null, reservation_date: '2026-05-01', reservation_time: '21:00' },
        ...{ party_size: pax, status: came ? 'completed' : 'cancelled', pms_status: null, notes: null },
        ...{ zone_name: null, table_name: null },
      },
    ]
    await stackClient(stack, 'service')
      .rpc('sync_reservations', { p_location: place(), p_rows })
      .throwOnError()
    this.ids.push({ id: `b${n}`, manual: false })
    const owner = this.model.mailboxes.get(email) ?? ''
    this.model.book(n, { owner, amount: pax * AVERAGE, visited: came })
  }

  private async book(owner: string, amount: number): Promise<void> {
    const p_fields = {
      ...{ location_id: place(), customer_id: owner, customer_name: 'Mesa', party_size: 2 },
      ...{
        reservation_date: '2026-05-01',
        reservation_time: '21:00',
        status: 'completed',
        total_amount: amount,
        confirm: ['service_over', 'unusual_amount'],
      },
    }
    const saved = await call('save_reservation', { p_fields })
    expect(saved.outcome).toBe('saved')
    this.model.book(this.ids.length, { owner, amount, visited: true })
    this.ids.push({ id: (saved.reservation as { id: string }).id, manual: true })
  }

  private async reassign(owner: string, booking: number): Promise<void> {
    const places = this.ids.flatMap(({ manual }, n) => (manual ? [n] : []))
    const n = places[booking % places.length]
    const held = n === undefined ? undefined : this.model.bookings[n]
    if (n === undefined || !held) return
    const saved = await call('save_reservation', { p_id: this.ids[n]?.id, p_fields: { customer_id: owner } })
    expect(saved.outcome).toBe('saved')
    this.model.book(n, { ...held, owner })
  }

  /** Everything that a merge touches, stored and expected. */
  async compare(): Promise<void> {
    const { model } = this
    const stored = await stack.sql<Record<string, unknown>>(
      `select c.id::text, c.email, c.company, c.notes, c.address,
         array(select t from unnest(c.tags) as t order by t) as tags, t.name as tier, c.total_visits as visits,
         c.total_spend::float as spend, c.points::int,
         (select coalesce(sum(p.points), 0)::int from public.loyalty_points p where p.customer_id = c.id) as ledger,
         array(select f.code || ':' || coalesce(f.note, '') from public.customer_facts f
           where f.customer_id = c.id order by 1) as facts,
         array(select coalesce(r.external_id, r.id::text) from public.reservations r where r.customer_id = c.id
           order by 1) as bookings,
         array(select a.email from public.customer_aliases a where a.customer_id = c.id and a.email is not null
           order by 1) as aliases
       from public.customers c left join public.loyalty_tiers t on t.id = c.loyalty_tier_id order by c.id`,
    )
    const expected = [...model.guests].map(([id, { email, company, notes, address, tags, facts }]) => {
      const { visits, spend, points } = model.count(id)
      const owned = [...model.mailboxes].flatMap(([box, owner]) => (owner === id ? [box] : []))
      return {
        ...{ id, email, company, notes, address, tags: [...tags].sort(), tier: model.tierOf(id) },
        ...{ visits, spend, points, ledger: points },
        facts: [...facts].map(([code, { note }]) => `${code}:${note ?? ''}`).sort(),
        bookings: this.ids
          .flatMap((booking, n) => (model.bookings[n]?.owner === id ? [booking.id] : []))
          .sort(),
        aliases: owned.filter((box) => box !== email).sort(),
      }
    })
    expect(stored).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)))
    const stopped = await stack.sql<{ address: string }>('select address from public.suppressions order by 1')
    expect(stopped.map(({ address }) => address)).toEqual([...model.optedOut.keys()].sort())
  }
}

it(`random merges and undos leave what a plain model says (seed ${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  seen = {}
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const history = new History()
      await history.begin()
      for (const step of steps) {
        await history.take(step)
        if (step.do === 'merge' || step.do === 'undo') await history.compare()
      }
      await history.compare()
    }),
    { seed: SEED, numRuns: HISTORIES, endOnFailure: process.env.MERGE_SHRINK === undefined },
  )
  // Histories in which nothing was undone, or nothing refused, would show nothing.
  for (const kind of ['merge', 'undone', 'merged_since', 'already_undone', 'reassign', 'sync'])
    expect(seen[kind], kind).toBeGreaterThan(1)
})
