import { expect } from 'vitest'
import { BOUND, type Cast, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { DAY, NOON } from '../fill'

const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion']
/** A day on which the shifts are served. */
const MONDAY = '2026-11-16'
const UNKNOWN = '00000000-0000-4000-8000-00000000dead'

/** `Retiro: 2` is the location and its parties' sizes. */
function parties(answer: unknown, { nameOf }: Cast): unknown {
  const service = answer as { location: { id: string }; parties: { party_size: number }[] } | null
  return service && `${nameOf(service.location.id)}: ${service.parties.map((each) => each.party_size).sort()}`
}

/** Bound staff who may read reports: not the floor. */
const BOUND_READERS: Who[] = BOUND.filter((who) => who !== 'sala')
const HOSTS: Who[] = UNBOUND.filter((who) => !IN_THE_DARK.includes(who))

export const serviceTables: Record<string, TableCase> = {
  shift_notes: {
    keys: ['body'],
    reads: reads(
      [HOSTS, ['Nota Retiro', 'Nota Sol']],
      [BOUND, ['Nota Retiro']],
      [['stranger'], ['Nota Triana']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
      day: DAY,
      body: 'Nueva',
      author_name: 'Sala',
    }),
    change: () => ({ body: 'robada' }),
  },
  waitlist: {
    keys: ['name'],
    reads: reads(
      [HOSTS, ['Espera Retiro', 'Espera Sol']],
      [BOUND, ['Espera Retiro']],
      [['stranger'], ['Espera Triana']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
      name: 'Nueva',
      party_size: 2,
    }),
    change: () => ({ notes: 'robada' }),
  },
}

export const serviceFunctions: Record<string, FunctionCase> = {
  service_list: {
    body: ({ ids }) => ({ p_location: ids.Retiro, p_day: DAY }),
    shape: parties,
    answers: answers<unknown>(null, [NORTE, 'Retiro: 2'], [IN_THE_DARK, null]),
  },
  services: {
    body: () => ({ p_day: DAY }),
    shape: (answer, cast) => (answer as unknown[]).map((service) => parties(service, cast)),
    answers: answers<unknown>(
      [],
      [HOSTS, ['Retiro: 2', 'Sol: 3,4']],
      [BOUND, ['Retiro: 2']],
      [['stranger'], ['Triana: 5']],
    ),
  },
  // What it finds is in tests/api/find-reservations.test.ts.
  find_reservations: {
    body: () => ({ p_search: { names: [''] }, p_now: NOON }),
    shape: (answer) => (answer as { party_size: number }[]).map(({ party_size }) => party_size).sort(),
    answers: answers<unknown>([], [HOSTS, [2, 3, 4]], [BOUND, [2]], [['stranger'], [5]]),
  },
  // What it says is in tests/api/party-lines.test.ts: who may ask, and who gets what guests said of a visit.
  party_lines: {
    body: ({ ids }) => ({ p_reservation: ids['Norte unanswered'], p_now: NOON }),
    shape: (answer) => {
      const lines = answer as { guest: object | null; tickets: { subject: string }[] } | null
      return lines && [lines.guest !== null, ...lines.tickets.map(({ subject }) => subject)]
    },
    answers: answers<unknown>(null, [HOSTS, [true]]),
  },
  // What it counts is in tests/api/no-show-risk.test.ts.
  no_show_features: {
    body: ({ ids }) => ({
      p_reservations: [ids['Norte unanswered'], UNKNOWN],
      p_now: '2026-01-01T00:00:00Z',
    }),
    shape: (answer) => (answer as { reservations: unknown[] }).reservations.length,
    answers: answers<unknown>(0, [HOSTS, 1]),
  },
  keep_no_show_rates: {
    body: () => ({ p_now: '2026-01-01T00:00:00Z' }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  // Figures without names: the whole staff may know them, each in their locations.
  shift_occupancy: {
    body: () => ({ p_date: MONDAY }),
    shape: (answer, { nameOf }) =>
      (answer as { location_id: string; name: string }[])
        .map((row) => `${nameOf(row.location_id)}: ${row.name}`)
        .sort(),
    answers: answers<unknown>(
      [],
      [UNBOUND, ['Retiro: Cena', 'Sol: Cena']],
      [BOUND, ['Retiro: Cena']],
      [['stranger'], ['Triana: Cena']],
    ),
  },
  // A tap of a reservation that is not there: who may tap at all is what counts here.
  take_taps: {
    body: ({ ids }) => ({
      p_location: ids.Sol,
      p_taps: [{ key: UNKNOWN, action: 'seat', reservation_id: UNKNOWN }],
    }),
    shape: (answer) => (answer as { outcome: string }[] | null)?.map(({ outcome }) => outcome) ?? null,
    answers: answers<unknown>(null, [UNBOUND, ['not_found']], [IN_THE_DARK, null], [BOUND, null]),
  },
  // No one may see it in another location; the answer for an unknown location is the same.
  join_waitlist: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_entry: { name: 'Nueva', party_size: 2 } }),
    shape: (answer) => (answer === null ? null : 'joined'),
    answers: answers<unknown>(null, [HOSTS, 'joined'], [BOUND, null]),
  },
  list_waiting: {
    body: ({ ids }) => ({ p_location: ids.Sol }),
    shape: (answer) => (answer as { name: string }[] | null)?.map(({ name }) => name)[0] ?? null,
    answers: answers<unknown>(null, [HOSTS, 'Espera Sol'], [BOUND, null]),
  },
  call_waiting: {
    body: ({ ids }) => ({ p_id: ids['Sol waits'], p_channels: [] }),
    shape: (answer) => (answer as { outcome: string }).outcome !== 'not_found',
    answers: answers<unknown>(false, [HOSTS, true], [BOUND, false]),
  },
  end_waiting: {
    body: ({ ids }) => ({ p_id: ids['Sol waits'], p_outcome: 'left' }),
    shape: (answer) => (answer as { outcome: string }).outcome !== 'not_found',
    answers: answers<unknown>(false, [HOSTS, true], [BOUND, false]),
  },
  // Written by nobody of the cast: who may see it at all is what counts.
  add_shift_note: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_body: 'Nueva', p_day: '2030-01-01', p_now: NOON }),
    shape: (answer) => (answer as { outcome: string }).outcome,
    answers: answers<unknown>('not_found', [HOSTS, 'bad_day']),
  },
  change_shift_note: {
    body: ({ ids }) => ({ p_id: ids['Sol note'], p_body: 'robada' }),
    shape: (answer) => (answer as { outcome: string }).outcome,
    answers: answers<unknown>('not_found', [HOSTS, 'not_author']),
  },
  list_shift_notes: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_day: DAY }),
    shape: (answer) => (answer as { body: string }[] | null)?.map(({ body }) => body) ?? null,
    answers: answers<unknown>(null, [HOSTS, ['Nota Sol']]),
  },
  // Places with their notes and guests to know.
  morning: {
    body: () => ({ p_date: DAY, p_now: NOON }),
    shape: (answer) => {
      const morning = answer as {
        locations: { name: string }[]
        notes: { body: string }[]
        guests: { party_size: number }[]
        figures: unknown[]
        ahead: unknown[]
      }
      const places = morning.locations.map(({ name }) => name)
      expect([morning.figures.length, morning.ahead.length]).toEqual([places.length * 5, places.length * 8])
      return [
        ...places,
        ...morning.notes.map(({ body }) => body),
        ...morning.guests.map(({ party_size }) => party_size).sort(),
      ]
    },
    answers: answers<unknown>(
      [],
      [HOSTS, ['Retiro', 'Sol', 'Nota Retiro', 'Nota Sol', 2, 3, 4]],
      [BOUND_READERS, ['Retiro', 'Nota Retiro', 2]],
      [['stranger'], ['Triana', 'Nota Triana', 5]],
    ),
  },
  my_morning_mail: {
    body: () => ({}),
    shape: (answer) => answer,
    answers: answers<unknown>(null, [
      [...HOSTS, ...BOUND_READERS, 'stranger'],
      { hour: null, timezone: 'Europe/Madrid' },
    ]),
  },
  set_morning_mail: {
    body: () => ({ p_hour: null }),
    shape: (answer) => answer,
    answers: answers<unknown>(null, [
      [...HOSTS, ...BOUND_READERS, 'stranger'],
      { hour: null, timezone: 'Europe/Madrid' },
    ]),
  },
  morning_mails_due: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_now: NOON }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  queue_morning_mails: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_now: NOON, p_limit: 1 }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
