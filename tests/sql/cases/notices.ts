import type { Who } from '../cast'
import { answers, type FunctionCase } from '../expectations'

const MARKETING: Who[] = ['super_admin', 'admin', 'ceo', 'marketing']

interface Notices {
  sync: { status: string } | null
  paused_runs: number
  waiting_runs: number
  tickets: { near: number; late: number }
  unknown_messages: number
}

/** Of rows that rls-notices.test.ts puts in trouble; the tickets of Norte are boundOperaciones'. */
export const noticeFunctions: Record<string, FunctionCase> = {
  my_notices: {
    body: () => ({}),
    shape: (answer) => {
      const { sync, paused_runs, tickets, unknown_messages } = answer as Notices
      return `${sync?.status ?? 'ok'}, ${paused_runs} paused, ${tickets.near}+${tickets.late}, ${unknown_messages} unknown`
    },
    answers: answers(
      'failed, 0 paused, 0+0, 0 unknown',
      // Not the notification, which is the staff's own.
      [MARKETING, 'failed, 3 paused, 0+0, 4 unknown'],
      [['boundAdmin'], 'failed, 1 paused, 0+0, 2 unknown'],
      [['stranger'], 'failed, 2 paused, 0+0, 3 unknown'],
      [['boundOperaciones'], 'failed, 0 paused, 0+2, 0 unknown'],
      [['rrhh', 'pr_comunicacion', 'fired'], 'ok, 0 paused, 0+0, 0 unknown'],
    ),
  },
  missing_bookings: {
    body: () => ({}),
    shape: (answer) =>
      (answer as { location: string; bookings: object[] }[])
        .map(({ location, bookings }) => `${location} ${bookings.length}`)
        .join(', '),
    answers: answers(
      'Retiro 1, Sol 2',
      [['boundAdmin', 'boundOperaciones', 'sala'], 'Retiro 1'],
      [['stranger'], 'Triana 1'],
      [['rrhh', 'pr_comunicacion', 'fired'], ''],
    ),
  },
}
