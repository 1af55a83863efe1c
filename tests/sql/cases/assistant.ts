import { BOUND, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { DAY, NOON } from '../fill'

const MARKETING: Who[] = ['super_admin', 'admin', 'ceo', 'marketing', 'boundAdmin']
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion']
const STRANGER: Who[] = ['stranger']

interface Context {
  locations: { name: string; reservations_today: number }[]
  today: { total: number; vip: number }
  upcoming: { location: string; customer_name?: string; notes?: string; tier?: string }[]
  customers: { total: number }
  week: { reservations: number }
  inactive_vips: { count: number; biggest_spenders: { name?: string }[] }
}

/** Every figure and every name of a context, in one line each. */
function contextLines(answer: unknown): string[] | null {
  if (answer === null) return null
  const { locations, today, upcoming, customers, week, inactive_vips } = answer as Context
  return [
    ...locations.map(({ name, reservations_today }) => `${name}: ${reservations_today}`).sort(),
    `today ${today.total}, VIP ${today.vip}, week ${week.reservations}, customers ${customers.total}`,
    ...upcoming
      .map(({ location, customer_name, notes, tier }) =>
        [location, customer_name, notes, tier].filter(Boolean).join(' '),
      )
      .sort(),
    `inactive ${[inactive_vips.count, ...inactive_vips.biggest_spenders.map(({ name }) => name)].join(' ')}`,
  ]
}

const SETTINGS: Who[] = ['super_admin', 'admin', 'boundAdmin']

export const assistantTables: Record<string, TableCase> = {
  ai_usage: {
    keys: ['person', 'organization_id'],
    reads: reads([[...SETTINGS, 'marketing'], ['marketing / Norte']], [STRANGER, ['stranger / Sur']]),
    insert: ({ ids }, home) => ({ organization_id: ids[home], day: DAY, person: ids.ceo }),
    change: () => ({ calls: 0 }),
  },
}

/** The names and notes are those that rls-assistant.test.ts adds to the cast's rows. */
export const assistantFunctions: Record<string, FunctionCase> = {
  reserve_ai: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_person: ids.ceo, p_calls: 1, p_tokens: 1 }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  settle_ai: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_person: ids.marketing,
      p_day: DAY,
      p_reserved: 20,
      p_used: 0,
    }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  ai_use_today: {
    body: () => ({ p_now: NOON }),
    shape: (answer) => (answer as { calls: number } | null)?.calls,
    answers: answers<unknown>(0, [[...SETTINGS, 'marketing'], 2], [STRANGER, 3]),
  },
  // Figures for everyone within their locations; customers are the organization's; names by permission.
  assistant_context: {
    body: () => ({ p_now: NOON }),
    shape: contextLines,
    answers: answers<unknown>(
      null,
      [
        UNBOUND,
        [
          'Retiro: 1',
          'Sol: 2',
          'today 3, VIP 2, week 3, customers 2',
          'Retiro booked-retiro-ana note-retiro-ana Oro',
          'Sol booked-sol-ana note-sol-ana Oro',
          'Sol booked-sol-luis note-sol-luis',
          'inactive 1 name-ana@norte.example',
        ],
      ],
      [
        IN_THE_DARK,
        ['Retiro: 1', 'Sol: 2', 'today 3, VIP 2, week 3, customers 2', 'Retiro', 'Sol', 'Sol', 'inactive 1'],
      ],
      [
        BOUND,
        [
          'Retiro: 1',
          'today 1, VIP 1, week 1, customers 2',
          'Retiro booked-retiro-ana note-retiro-ana Oro',
          'inactive 1 name-ana@norte.example',
        ],
      ],
      [['sala'], null],
      [
        STRANGER,
        [
          'Triana: 1',
          'today 1, VIP 1, week 1, customers 1',
          'Triana booked-triana-rocio note-triana-rocio Oro',
          'inactive 1 name-rocio@sur.example',
        ],
      ],
    ),
  },
  revenue_by_location: {
    body: () => ({ p_from: DAY, p_to: DAY }),
    shape: (answer) =>
      (answer as { location: string; covers: number; revenue: number }[])
        .map(({ location, covers, revenue }) => `${location}: ${covers} ${Number(revenue)}`)
        .sort(),
    answers: answers<unknown>(
      [],
      [NORTE, ['Retiro: 2 60', 'Sol: 7 210']],
      [IN_THE_DARK, []],
      [BOUND, ['Retiro: 2 60']],
      [['sala'], []],
      [STRANGER, ['Triana: 5 150']],
    ),
  },
  automation_results: {
    body: () => ({ p_since: '2020-01-01T00:00:00Z' }),
    shape: (answer, { nameOf }) =>
      (answer as { automation_id: string; name: string; runs: number }[]).map(
        ({ automation_id, name, runs }) => `${nameOf(automation_id)}: ${name}, ${runs}`,
      ),
    answers: answers<unknown>(
      [],
      [MARKETING, ['Norte run: Cumpleaños, 1', 'Norte run: Retiro, 1', 'Norte run: Sol, 1']],
      [['boundAdmin'], ['Norte run: Retiro, 1']],
      [STRANGER, ['Sur run: Cumpleaños, 1', 'Sur run: Triana, 1']],
    ),
  },
}
