import fc from 'fast-check'
import { FACT_CODES } from '@/lib/customers/fact-codes'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import { currentServiceDay } from '@/lib/reservations/service-day'
import { RHYTHM_STATES } from '@/lib/rhythm/states'
import { RFM_CLASSES } from '@/lib/segments/limits'
import { type SegmentNode, segmentDefinition } from '@/lib/segments/schema'
import type { OracleGuest, OracleMessage, OracleVisit } from './segment-oracle'

const ZONES = ['Atlantic/Canary', 'Asia/Tokyo']

const TAGS = ['vip', 'prensa', 'Año nuevo', `o'Brien; drop table "x"--`, '{a,b}', 'a\\b']
const SOURCES = ['Manual', 'PMS', `'`, 'csv']
const CODES = FACT_CODES.slice(0, 6)
const CHANNELS = ['whatsapp', 'sms', 'email'] as const
const STATES = ['reachable', 'opted_out', 'opt_in', 'existing_customer', 'none'] as const
const NAMES = ['Ana Ruiz', 'José Núñez', '100% Real', 'Eva_María', "D'Angelo", 'Li']

/** Days around which the drawn world has its edges. */
const DAYS = [0, 1, 7, 30, 90, 365]
const EDGES = ['2026-12-31', '2027-01-01', '2026-11-27', '2027-02-25', '2027-02-26', '2026-03-29']

const some = <T>(values: readonly T[], most = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most })

/** Definitions over the tiers, locations, campaigns and automations of a group; each is one that the API takes. */
export function drawnSegments(
  tiers: string[],
  locations: string[],
  campaigns: string[],
  automations: string[],
): fc.Arbitrary<SegmentNode> {
  const day = fc.constantFrom(...EDGES)
  const days = fc.constantFrom(...DAYS)
  const between = fc.oneof(
    fc.tuple(day, day).map((both) => {
      const [from = '', to = ''] = both.sort()
      return { from, to }
    }),
    fc.record({ from: day }),
    fc.record({ to: day }),
  )
  const range = (values: number[]) =>
    fc.oneof(
      fc.record({ min: fc.constantFrom(...values) }),
      fc.record({ max: fc.constantFrom(...values) }),
      fc.tuple(fc.constantFrom(...values), fc.constantFrom(...values)).map(([one, other]) => ({
        min: Math.min(one, other),
        max: Math.max(one, other),
      })),
    )
  const visiting = fc.record(
    {
      period: fc.oneof(
        days.map((n) => ({ days: n })),
        between,
      ),
      locations: some(locations),
    },
    { requiredKeys: [] },
  )
  const of = <T extends object>(field: string, ...parts: fc.Arbitrary<object>[]) =>
    fc.tuple(...parts).map((given) => Object.assign({ field }, ...given) as T)
  const is = fc.constantFrom('any', 'all', 'none').map((how) => ({ is: how }))
  const instants = (field: string) =>
    fc.oneof(
      of(
        field,
        fc.constantFrom('within', 'before').map((how) => ({ is: how })),
        fc.constantFrom(...DAYS.slice(1)).map((n) => ({ days: n })),
      ),
      of(field, fc.constant({ is: 'between' }), between),
      field === 'last_visit'
        ? of(field, fc.constant({ is: 'never' }))
        : of(field, fc.constant({ is: 'within', days: 30 })),
    )
  const leaf = fc.oneof(
    of(
      'search',
      fc
        .constantFrom('ana', 'RUIZ ana', '100%', 'eva_', "d'a", '612', '612 00', '\\', 'jose nunez')
        .map((text) => ({
          text,
        })),
    ),
    of(
      'tags',
      is,
      some(TAGS).map((tags) => ({ tags })),
    ),
    of(
      'tier',
      some(tiers).map((chosen) => ({ tiers: chosen })),
    ),
    of(
      'location',
      some(locations).map((chosen) => ({ locations: chosen })),
    ),
    of(
      'source',
      some(SOURCES).map((sources) => ({ sources })),
    ),
    of('consent', fc.record({ channel: fc.constantFrom(...CHANNELS), state: fc.constantFrom(...STATES) })),
    of('visits', visiting, range([0, 1, 2, 3, 5])),
    of('spend', visiting, range([0, 0.5, 20, 40.5, 100, 250])),
    of('points', range([0, 10, 100])),
    of('no_shows', range([0, 1, 2])),
    of('no_show_rate', range([0, 20, 25, 50, 100])),
    of(
      'rhythm',
      fc.constantFrom(...RHYTHM_STATES).map((state) => ({ is: state })),
    ),
    of(
      'rfm',
      some(RFM_CLASSES).map((classes) => ({ classes })),
    ),
    instants('last_visit'),
    instants('created'),
    fc.oneof(
      of(
        'birthday',
        fc.constant({ is: 'next_days' }),
        fc.constantFrom(0, 1, 7, 31, 366).map((n) => ({ days: n })),
      ),
      of(
        'birthday',
        fc.constant({ is: 'month' }),
        fc.integer({ min: 1, max: 12 }).map((month) => ({ month })),
      ),
      of('birthday', fc.constant({ is: 'this_month' })),
    ),
    of(
      'facts',
      is,
      some(CODES).map((codes) => ({ codes })),
    ),
    of(
      'booking',
      days.filter((n) => n <= 365).map((n) => ({ days: n })),
      fc.record({ locations: some(locations) }, { requiredKeys: [] }),
    ),
    ...['received', 'opened', 'clicked'].map((field) =>
      of(
        field,
        fc.record(
          {
            campaign_id: fc.constantFrom(...campaigns),
            automation_id: fc.constantFrom(...automations),
            days: fc.constantFrom(...DAYS.slice(1)),
          },
          { requiredKeys: [] },
        ),
      ),
    ),
    of('not_written', fc.record({ days: fc.constantFrom(...DAYS.slice(1)) })),
    of(
      'survey_score',
      range([1, 2, 3, 4, 5]),
      fc.record({ days: fc.constantFrom(...DAYS.slice(1)) }, { requiredKeys: [] }),
    ),
    of(
      'visited_on',
      some([1, 2, 3, 4, 5, 6, 7]).map((weekdays) => ({ weekdays })),
      fc.record({ shift: fc.constantFrom('lunch', 'dinner'), days }, { requiredKeys: [] }),
    ),
    of('birthday_within', fc.record({ days: fc.constantFrom(0, 1, 7, 31, 366) })),
    of(
      'birthday_month',
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant('next')).map((month) => ({ month })),
    ),
    of(
      'postal_code',
      some(['28', '28001', 'sw1a 1', 'SW', '2%', '_8', '08']).map((prefixes) => ({ prefixes })),
    ),
    of(
      'city',
      some(['Madrid', 'ALCALA DE HENARES', 'getafe', 'Sevilla']).map((any) => ({ any })),
    ),
    of(
      'language',
      some(['es', 'ca', 'en', 'nl'] as const).map((any) => ({ any })),
    ),
    of('party_size', range([1, 2, 3, 4])),
    of(
      'first_visit',
      fc
        .oneof(
          days.map((n) => ({ days: n })),
          between,
        )
        .map((period) => ({ period })),
    ),
  ) as fc.Arbitrary<SegmentNode>
  const at = (depth: number): fc.Arbitrary<SegmentNode> => {
    if (depth > 5) return leaf
    const parts = fc.array(at(depth + 1), { minLength: 1, maxLength: 3 })
    return fc.oneof(
      { arbitrary: leaf, weight: 3 },
      { arbitrary: parts.map((and) => ({ and })), weight: 2 },
      { arbitrary: parts.map((or) => ({ or })), weight: 2 },
      { arbitrary: at(depth + 1).map((not) => ({ not })), weight: 1 },
    )
  }
  return at(1).filter((node) => segmentDefinition.safeParse(node).success)
}

/** Guests whose values lie on and beside the edges that drawnSegments asks about. */
export function drawnGuests(
  tiers: string[],
  locations: string[],
  automations: string[],
  now: Date,
): fc.Arbitrary<Omit<OracleGuest, 'email' | 'phone'> & { number: number }> {
  const near = fc
    .tuple(fc.constantFrom(...DAYS), fc.constantFrom(-1, 0, 1))
    .map(([days, seconds]) => new Date(now.getTime() - days * 86_400_000 + seconds * 1000).toISOString())
  const midnight = fc
    .tuple(fc.constantFrom(...EDGES), fc.constantFrom('22:59:59', '23:00:00', '22:00:00', '21:59:59'))
    .map(([day, time]) => `${day}T${time}.000Z`)
  const instant = fc.oneof(near, midnight)
  const day = fc.oneof(
    fc.constantFrom(...EDGES),
    fc
      .constantFrom(-365, -90, -30, -7, -1, 0, 1, 7, 30, 90)
      .map((days) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)),
  )
  const visit: fc.Arbitrary<OracleVisit> = fc.record({
    location: fc.constantFrom(...locations),
    day,
    time: fc.constantFrom('21:00', '21:00', '17:00', '16:59', '14:00', '00:30'),
    status: fc.constantFrom(
      'pending',
      'confirmed',
      'seated',
      'completed',
      'completed',
      'cancelled',
      'no_show',
    ),
    source: fc.constantFrom('pms', 'pms', 'manual', 'import'),
    service_over: fc.boolean(),
    counts_unmarked: fc.boolean(),
    party_size: fc.integer({ min: 1, max: 4 }),
    amount: fc.option(fc.constantFrom(0, 20, 40.5, 100)),
    answer: fc.option(fc.record({ score: fc.integer({ min: 1, max: 5 }), at: near })),
  })
  const event = fc.record({
    kind: fc.constantFrom('open', 'click'),
    link: fc.constantFrom('unsubscribe', 'https://grupo.example/carta'),
    actor: fc.constantFrom('person', 'person', 'machine', 'unknown'),
    hours: fc.integer({ min: 0, max: 29 * 24 }),
  })
  const message: fc.Arbitrary<OracleMessage> = fc
    .record({
      kind: fc.constantFrom('marketing', 'marketing', 'transactional'),
      status: fc.constantFrom('sent', 'delivered', 'delivered', 'failed', 'queued', 'skipped'),
      automation: fc.option(fc.constantFrom(...automations), { freq: 5 }),
      sent_at: near,
      // One of each kind, link and actor.
      events: fc.uniqueArray(event, {
        maxLength: 3,
        selector: ({ kind, link, actor }) => `${kind === 'click' ? link : ''}:${actor}`,
      }),
    })
    .map(({ events, ...drawn }) => ({
      ...drawn,
      events: events.map(({ kind, link, actor, hours }) => ({
        ...{ kind, actor, link: kind === 'click' ? link : '' },
        at: new Date(Date.parse(drawn.sent_at) + hours * 3_600_000).toISOString(),
      })),
    }))
  const recorded = fc.record(
    {
      basis: fc.constantFrom('opt_in', 'existing_customer', 'none'),
      source: fc.constantFrom('staff', 'import'),
    },
    { requiredKeys: ['basis'] },
  )
  const guest = fc.record({
    number: fc.integer({ min: 0, max: 999 }),
    name: fc.constantFrom(...NAMES),
    whatsapp_id: fc.option(fc.constantFrom('ES.1', 'ES.2')),
    birth_date: fc.option(
      fc.constantFrom(
        // They stand for none: nobody is older than 110.
        '1900-01-01',
        '1900-03-01',
        '1916-02-26',
        '1916-02-27',
        '1984-02-29',
        '1990-02-28',
        '1990-03-01',
        '1990-12-31',
        '1990-01-01',
        '1990-02-26',
        '1990-06-15',
      ),
    ),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
    source: fc.option(fc.constantFrom(...SOURCES)),
    location: fc.option(fc.constantFrom(...locations)),
    tier: fc.option(fc.constantFrom(...tiers)),
    points: fc.constantFrom(0, 9, 10, 100, -5),
    total_visits: fc.constantFrom(0, 0, 1, 2, 3, 5),
    total_spend: fc.constantFrom(0, 20, 40.5, 100, 250.25),
    last_visit_at: fc.option(instant),
    created_at: instant,
    consents: fc.record({ whatsapp: recorded, sms: recorded, email: recorded }, { requiredKeys: [] }),
    facts: fc.uniqueArray(fc.constantFrom<string>(...CODES), { maxLength: 3 }),
    visits: fc.array(visit, { maxLength: 5 }),
    postal_code: fc.option(fc.constantFrom('28001', '28 013', 'SW1A 1AA', 'sw1a2', '08002', '2%', 'X8')),
    city: fc.option(
      fc.constantFrom('Madrid', 'MADRID', 'Alcalá de Henares', 'alcala  de henares', 'Getafe', 'León'),
    ),
    language: fc.option(fc.constantFrom<GuestLanguage>('es', 'ca', 'en', 'fr')),
    messages: fc.array(message, { maxLength: 3 }),
  })
  // Last visits are elsewhere than the group: their service day is their location's.
  return guest.map(({ last_visit_at, ...drawn }) => ({
    ...drawn,
    last_visit_at,
    last_visit_on: last_visit_at && currentServiceDay(ZONES[drawn.number % 2] ?? '', new Date(last_visit_at)),
  }))
}
