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
    shape: (answer) => (answer as { email: string }[]).map((row) => row.email).sort(),
    answers: guestTables.customers?.reads ?? serviceOnly(),
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
