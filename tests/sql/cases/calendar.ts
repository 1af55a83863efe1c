import { BOUND, NORTE, UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

const STRANGER: Who[] = ['stranger']
const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** Whatever the role: those of the own locations, and those without a location. */
const everywhere = (what: string) =>
  reads(
    [NORTE, [`${what} Norte`, `${what} Retiro`, `${what} Sol`]],
    [BOUND, [`${what} Norte`, `${what} Retiro`]],
    [STRANGER, [`${what} Triana`]],
  )

export const calendarTables: Record<string, TableCase> = {
  calendar_events: {
    keys: ['title'],
    reads: everywhere('event'),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      title: 'nuevo',
      event_datetime: '2026-11-22T12:00:00Z',
    }),
    change: () => ({ description: 'robado' }),
  },
  tickets: {
    keys: ['subject'],
    reads: everywhere('ticket'),
    insert: ({ ids }, home) => ({ organization_id: ids[home], subject: 'nuevo' }),
    change: () => ({ status: 'closed' }),
  },
  ticket_comments: {
    keys: ['body'],
    reads: everywhere('comment'),
    insert: ({ ids }, home) => ({
      ticket_id: ids[`ticket ${home === 'Norte' ? 'Norte' : 'Triana'}`],
      author_name: 'Otra persona',
      body: 'nuevo',
    }),
    change: () => ({ author_name: 'Otra persona' }),
  },
  ticket_changes: {
    keys: ['before'],
    reads: everywhere('change'),
    insert: ({ ids }, home) => ({
      ticket_id: ids[`ticket ${home === 'Norte' ? 'Norte' : 'Triana'}`],
      field: 'subject',
      before: 'nuevo',
    }),
    change: () => ({ author_name: 'Otra persona' }),
  },
}

const fieldOf = (field: string) => (answer: unknown) =>
  (answer as Record<string, unknown>[]).map((row) => String(row[field])).sort()
const outcome = (answer: unknown) => (answer as { outcome: string }).outcome
const savedBy = (...people: (readonly Who[])[]) =>
  answers<unknown>('not_found', ...people.map((who): [readonly Who[], string] => [who, 'saved']))
const queue = ({ ids }: { ids: Record<string, string> }) => ({
  p_organization: ids.Norte,
  p_now: '2026-11-21T11:00:00Z',
  p_limit: 10,
})
const queueing: FunctionCase = { body: queue, shape: (answer) => answer, answers: serviceOnly() }

/** They read and write with their owner's rights: the functions themselves keep to what is the caller's. */
export const calendarFunctions: Record<string, FunctionCase> = {
  list_calendar_events: {
    body: () => ({}),
    shape: fieldOf('title'),
    answers: everywhere('event'),
  },
  list_tickets: {
    body: () => ({}),
    shape: fieldOf('subject'),
    answers: everywhere('ticket'),
  },
  save_calendar_event: {
    body: ({ ids }) => ({ p_id: ids['event Sol'], p_fields: { description: 'Cambiado' } }),
    shape: outcome,
    answers: savedBy(UNBOUND),
  },
  save_ticket: {
    body: ({ ids }) => ({ p_id: ids['ticket Sol'], p_fields: { description: 'Cambiado' } }),
    shape: outcome,
    answers: savedBy(UNBOUND),
  },
  add_ticket_comment: {
    body: ({ ids }) => ({ p_ticket: ids['ticket Sol'], p_body: 'Hola' }),
    // The author of a comment is the caller.
    shape: (answer, { nameOf }) => answer && nameOf((answer as { author_id: string }).author_id),
    answers: answers<unknown>(null, ...UNBOUND.map((who): [readonly Who[], string] => [[who], who])),
  },
  // With the caller's rights: of a ticket that one may not read it has nothing to tell.
  ticket_activity: {
    body: ({ ids }) => ({ p_ticket: ids['ticket Sol'] }),
    shape: (answer) => (answer as { kind: string }[]).some(({ kind }) => kind === 'change'),
    answers: answers<unknown>(false, [UNBOUND, true]),
  },
  // Who may not delete what is there: rls-calendar.test.ts.
  delete_calendar_event: {
    body: () => ({ p_id: NOWHERE }),
    shape: (answer) => answer,
    answers: answers<unknown>(false),
  },
  delete_ticket: {
    body: () => ({ p_id: NOWHERE }),
    shape: (answer) => answer,
    answers: answers<unknown>(false),
  },
  queue_event_notifications: queueing,
  queue_event_reminders: queueing,
  queue_ticket_notifications: queueing,
  queue_ticket_reminders: queueing,
}
