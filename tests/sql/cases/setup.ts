import { BOUND, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, type TableCase } from '../expectations'
import { DAY } from '../fill'

const UNBOUND_MANAGERS: Who[] = ['super_admin', 'admin']
const UNBOUND_REPORTERS: Who[] = ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones']
const UNKNOWN = '00000000-0000-4000-8000-00000000dead'
const STRANGER: Who[] = ['stranger']

/** Whoever works at a location may know when it serves and which tables it has. */
const ofTheirs = (row: string) =>
  reads(
    [UNBOUND, [`Retiro / ${row}`, `Sol / ${row}`]],
    [BOUND, [`Retiro / ${row}`]],
    [STRANGER, [`Triana / ${row}`]],
  )
const at = ({ ids }: { ids: Record<string, string> }, home: 'Norte' | 'Sur') => ({
  organization_id: ids[home],
  location_id: home === 'Norte' ? ids.Retiro : ids.Triana,
})
const HOURS = { weekdays: [1, 2], opens: '20:00', closes: '23:30', capacity: 40 }

export const setupTables: Record<string, TableCase> = {
  shifts: {
    keys: ['location_id', 'name'],
    reads: ofTheirs('Cena'),
    insert: (cast, home) => ({ ...at(cast, home), ...HOURS, name: 'Nueva' }),
    change: () => ({ capacity: 1 }),
  },
  closed_days: {
    keys: ['location_id', 'day'],
    reads: ofTheirs(DAY),
    insert: (cast, home) => ({ ...at(cast, home), day: '2026-12-25' }),
    change: () => ({ name: 'robada' }),
  },
  dining_tables: {
    keys: ['location_id', 'name'],
    reads: ofTheirs('12'),
    insert: (cast, home) => ({ ...at(cast, home), name: 'Nueva' }),
    change: () => ({ is_active: false }),
  },
}

const shape = (answer: unknown) => answer
const outcome = (answer: unknown) => (answer as { outcome: string }).outcome

/** Calls that save what is there already, so that everyone can make the same one. */
export const setupFunctions: Record<string, FunctionCase> = {
  save_hours: {
    body: ({ ids }) => ({
      p_location: ids.Sol,
      p_shifts: [{ ...HOURS, name: 'Cena' }],
      p_closed_days: [{ day: DAY }],
    }),
    shape,
    answers: answers<unknown>('not_found', [UNBOUND_MANAGERS, 'saved']),
  },
  list_closings: {
    body: ({ ids }) => ({ p_location: ids.Sol }),
    shape: (answer) => (answer as { day: string }[] | null)?.map(({ day }) => day) ?? null,
    answers: answers<unknown>(null, [UNBOUND, [DAY]]),
  },
  add_closing: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_closing: { day: DAY, reason: 'Otra vez' } }),
    shape: outcome,
    answers: answers<unknown>('not_found', [UNBOUND_REPORTERS, 'repeated']),
  },
  remove_closing: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_closing: UNKNOWN }),
    shape,
    answers: answers<unknown>('not_found'),
  },
  save_tables: {
    body: ({ ids }) => ({ p_location: ids.Sol, p_tables: [{ name: '12' }] }),
    shape,
    answers: answers<unknown>('not_found', [UNBOUND_MANAGERS, 'saved']),
  },
}
