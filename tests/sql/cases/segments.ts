import { BOUND, NORTE, type Who } from '../cast'
import { answers, type FunctionCase, reads, type TableCase } from '../expectations'

const STRANGER: Who[] = ['stranger']
const IN_THE_DARK: Who[] = ['rrhh', 'pr_comunicacion', 'sala', 'fired']
const outcome = (answer: unknown) => (answer as { outcome: string }).outcome
/** What fill.ts has: `De Norte` is shared, `De marketing` is the marketing person's own. */
const SHARED = ['De Norte']

export const segmentTables: Record<string, TableCase> = {
  segments: {
    keys: ['name'],
    reads: reads(
      [NORTE, SHARED],
      [['marketing'], ['De Norte', 'De marketing']],
      [IN_THE_DARK, []],
      [STRANGER, ['De Sur']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      name: 'Nuevo',
      definition: { field: 'tags', is: 'any', tags: ['x'] },
    }),
    change: () => ({ name: 'Robado' }),
  },
}

const EVERYBODY = { field: 'visits', min: 0 }

export const segmentFunctions: Record<string, FunctionCase> = {
  list_segments: {
    body: () => ({}),
    shape: (answer) => (answer as { name: string }[]).map(({ name }) => name),
    answers: answers<unknown>(
      SHARED,
      [['marketing'], ['De marketing', 'De Norte']],
      [IN_THE_DARK, []],
      [STRANGER, ['De Sur']],
    ),
  },
  // Someone bound to Retiro finds the guest of Retiro.
  preview_segment: {
    body: () => ({ p_definition: EVERYBODY }),
    shape: (answer) => {
      const { customers, outcome: word } = answer as { customers?: number; outcome: string }
      return customers ?? word
    },
    answers: answers<unknown>(2, [BOUND, 1], [STRANGER, 1], [IN_THE_DARK, 'forbidden']),
  },
  // As it is, so that nothing changes.
  save_segment: {
    body: ({ ids }) => ({ p_id: ids['Norte segment'], p_fields: { name: 'De Norte' } }),
    shape: outcome,
    answers: answers<unknown>(
      'forbidden',
      [['super_admin', 'admin', 'ceo', 'marketing'], 'saved'],
      [IN_THE_DARK, 'forbidden'],
      [STRANGER, 'not_found'],
    ),
  },
  // rls-segments.test.ts lets an automation use it.
  delete_segment: {
    body: ({ ids }) => ({ p_id: ids['Norte segment'] }),
    shape: outcome,
    answers: answers<unknown>(
      'forbidden',
      [['super_admin', 'admin', 'ceo', 'marketing'], 'in_use'],
      [[...IN_THE_DARK, ...STRANGER], 'not_found'],
    ),
  },
}
