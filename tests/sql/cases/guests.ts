import { BOUND, type Cast, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { DAY, NOON } from '../fill'

const STRANGER: Who[] = ['stranger']
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion']
/** They see guests by their cards only. */
const NO_CUSTOMERS: Who[] = [...IN_THE_DARK, 'sala']
const NORTE_CUSTOMERS = ['ana@norte.example', 'luis@norte.example']
const NORTE_BOOKINGS = ['retiro-ana', 'sol-ana', 'sol-luis']

export const guestTables: Record<string, TableCase> = {
  customers: {
    keys: ['email'],
    reads: reads([NORTE, NORTE_CUSTOMERS], [NO_CUSTOMERS, []], [STRANGER, ['rocio@sur.example']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], email: 'nueva@example.com' }),
    change: () => ({ notes: 'robada' }),
  },
  reservations: {
    keys: ['external_id'],
    reads: reads(
      [NORTE, NORTE_BOOKINGS],
      [IN_THE_DARK, []],
      [BOUND, ['retiro-ana']],
      [STRANGER, ['triana-rocio']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
      external_id: 'nueva',
      reservation_date: DAY,
      reservation_time: '21:30',
      party_size: 2,
    }),
    change: () => ({ notes: 'robada' }),
  },
  // Norte has none yet.
  rhythm_models: {
    keys: ['organization_id'],
    reads: reads([STRANGER, ['Sur']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      ...{ r: 1, alpha: 1, a: 1, b: 1, guests: 0 },
      ...{ recency_cuts: [1, 2], visit_cuts: [1, 2, 3, 4], spend_cuts: [1, 2, 3, 4] },
    }),
    change: () => ({ alpha: 1000 }),
  },
  customer_rhythms: {
    keys: ['organization_id', 'visit_days'],
    reads: reads([NORTE, ['Norte / 1']], [NO_CUSTOMERS, []], [STRANGER, ['Sur / 1']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      customer_id: ids[`${home} regular`],
      ...{ visit_days: 9, first_day: DAY, last_day: DAY, usual_days: 7 },
    }),
    change: () => ({ visit_days: 99 }),
  },
  customer_facts: {
    keys: ['code'],
    reads: reads([NORTE, ['nuts']], [NO_CUSTOMERS, []], [STRANGER, ['vegan']]),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      customer_id: ids[`${home} regular`],
      code: 'egg',
      kind: 'allergy',
      recorded_by: 'Nadie',
    }),
    change: () => ({ note: 'robada' }),
  },
}

/** `Retiro: 2` is a location and its covers. */
function figures(answer: unknown, { nameOf }: Cast): string[] {
  const rows = answer as { location_id: string; covers: number }[]
  return rows.map((row) => `${nameOf(row.location_id)}: ${row.covers}`).sort()
}

/** `2026-11-01: 2` is a month and its new guests. */
function newGuests(answer: unknown): string[] {
  const { groups } = answer as { groups: { cohorts: { month: string; guests: number }[] }[] }
  return groups.flatMap(({ cohorts }) => cohorts.map(({ month, guests }) => `${month}: ${guests}`))
}

/** `3 of 9` are the visits of guests without a tier and their covers. */
function tierVisits(answer: unknown): string[] {
  const { tiers } = answer as { tiers: { visits: number; covers: number }[] }
  return tiers.filter(({ visits }) => visits > 0).map(({ visits, covers }) => `${visits} of ${covers}`)
}

/** `Retiro: 2` is a location and the covers of all its hours. */
function hourCovers(answer: unknown): string[] {
  const { locations, cells } = answer as {
    locations: { id: string; name: string }[]
    cells: { location_id: string; covers: number }[]
  }
  return locations.map(({ id, name }) => {
    const own = cells.filter(({ location_id }) => location_id === id)
    return `${name}: ${own.reduce((sum, { covers }) => sum + covers, 0)}`
  })
}

export const guestFunctions: Record<string, FunctionCase> = {
  // Figures without names: the whole staff may know them, each in their locations.
  service_summary: {
    body: () => ({ p_date: DAY }),
    shape: figures,
    answers: answers<unknown>(
      [],
      [UNBOUND, ['Retiro: 2', 'Sol: 7']],
      [BOUND, ['Retiro: 2']],
      [STRANGER, ['Triana: 5']],
    ),
  },
  next_arrivals: {
    body: () => ({ p_now: NOON }),
    shape: (answer) => (answer as { external_id: string }[]).map((row) => row.external_id).sort(),
    answers: guestTables.reservations?.reads ?? serviceOnly(),
  },
  daily_summary: {
    body: () => ({ p_from: DAY, p_to: DAY }),
    shape: figures,
    answers: answers<unknown>(
      [],
      [UNBOUND, ['Retiro: 2', 'Sol: 7']],
      [BOUND, ['Retiro: 2']],
      [STRANGER, ['Triana: 5']],
    ),
  },
  // Only for those who may read reports, each in their locations.
  report_cohorts: {
    body: () => ({ p_now: '2026-12-05T11:00:00Z' }),
    shape: newGuests,
    answers: answers<unknown>(
      [],
      [NORTE, ['2026-11-01: 2']],
      [BOUND, ['2026-11-01: 1']],
      [NO_CUSTOMERS, []],
      [STRANGER, ['2026-11-01: 1']],
    ),
  },
  report_tiers: {
    body: () => ({ p_now: '2026-12-05T11:00:00Z' }),
    shape: tierVisits,
    answers: answers<unknown>(
      [],
      [NORTE, ['3 of 9']],
      [BOUND, ['1 of 2']],
      [NO_CUSTOMERS, []],
      [STRANGER, ['1 of 5']],
    ),
  },
  report_weeks: {
    body: () => ({ p_now: '2026-12-05T11:00:00Z' }),
    shape: (answer) => (answer as { locations: { name: string }[] }).locations.map(({ name }) => name),
    answers: answers<unknown>(
      [],
      [NORTE, ['Retiro', 'Sol']],
      [BOUND, ['Retiro']],
      [NO_CUSTOMERS, []],
      [STRANGER, ['Triana']],
    ),
  },
  report_hours: {
    body: () => ({ p_now: '2026-12-05T11:00:00Z' }),
    shape: hourCovers,
    answers: answers<unknown>(
      [],
      [NORTE, ['Retiro: 2', 'Sol: 7']],
      [BOUND, ['Retiro: 2']],
      [NO_CUSTOMERS, []],
      [STRANGER, ['Triana: 5']],
    ),
  },
  // Everyone comes for the first time, hence all of them.
  customers_to_know: {
    body: () => ({ p_now: NOON }),
    shape: (answer) =>
      (answer as { location_name: string; party_size: number }[])
        .map((row) => `${row.location_name}: ${row.party_size}`)
        .sort(),
    answers: answers<unknown>(
      [],
      [NORTE, ['Retiro: 2', 'Sol: 3', 'Sol: 4']],
      [BOUND, ['Retiro: 2']],
      [NO_CUSTOMERS, []],
      [STRANGER, ['Triana: 5']],
    ),
  },
  // Of a guest who has been in Retiro and in Sol: floor staff of Retiro, too.
  guest_card: {
    body: ({ ids }) => ({ p_customer: ids['Norte regular'] }),
    shape: (answer) =>
      (answer as { facts: { code: string }[] } | null)?.facts.map(({ code }) => code) ?? null,
    answers: answers<unknown>(null, [NORTE, ['nuts']], [IN_THE_DARK, null]),
  },
  // Of the same guest.
  guest_allergies: {
    body: ({ ids }) => ({ p_customers: [ids['Norte regular'], ids['Norte luis']] }),
    shape: (answer) => (answer as { code: string }[]).map(({ code }) => code),
    answers: answers<unknown>([], [NORTE, ['nuts']], [IN_THE_DARK, []]),
  },
  // Of one who has only been in Sol, and the notes as they are.
  save_guest_notes: {
    body: ({ ids }) => ({ p_customer: ids['Norte luis'], p_notes: '' }),
    shape: (answer) => answer,
    answers: answers<unknown>('not_found', [NORTE, 'saved'], [NO_CUSTOMERS, 'not_found']),
  },
  // What is recorded already, so that the other tests find the same facts.
  save_customer_facts: {
    body: ({ ids }) => ({
      p_customer: ids['Norte regular'],
      p_facts: [{ code: 'nuts', kind: 'allergy', note: 'Desde siempre' }],
    }),
    shape: (answer) => answer,
    answers: answers<unknown>('not_found', [NORTE, 'saved'], [IN_THE_DARK, 'not_found']),
  },
  // Past bookings in the caller's locations.
  customer_habits: {
    body: ({ ids }) => ({ p_customer: ids['Norte regular'], p_now: `${DAY}T23:30:00Z` }),
    shape: (answer) => (answer as { past: number }[])[0]?.past,
    answers: answers<unknown>(0, [NORTE, 2], [IN_THE_DARK, 0], [BOUND, 1]),
  },
  // It reads with its owner's rights: the function itself keeps to the caller's organization.
  list_customers: {
    body: () => ({ p_sort: 'name' }),
    shape: (answer) =>
      (answer as { customer: { email: string } }[]).map(({ customer }) => customer.email).sort(),
    answers: guestTables.customers?.reads ?? serviceOnly(),
  },
  // Of a download that was started: rls-customers.test.ts.
  export_customers: {
    body: ({ ids }) => ({ p_export: ids.Norte }),
    shape: (answer) => answer,
    answers: answers<unknown>('no export of these rows is under way'),
  },
  rhythm_histories: {
    body: ({ ids }) => ({ p_organization: ids.Norte }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  save_rhythm_model: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_parameters: {}, p_guests: 0 }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  apply_rhythm_model: {
    body: ({ ids }) => ({ p_organization: ids.Norte }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  close_services: {
    body: ({ ids }) => ({ p_organization: ids.Norte }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  recount_unmarked: {
    body: ({ ids }) => ({ p_location: ids.Retiro, p_days: 7 }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  sync_reservations: {
    body: ({ ids }) => ({
      p_location: ids.Retiro,
      p_rows: [
        {
          external_id: 'retiro-ana',
          customer_name: 'Robada',
          email: 'robada@example.com',
          reservation_date: DAY,
          reservation_time: '22:00',
          party_size: 9,
        },
      ],
    }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
