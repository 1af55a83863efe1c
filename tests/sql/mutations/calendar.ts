import { editFunction, editPolicy } from './mutation'

const CALENDAR = 'rls-calendar.test.ts'
const LIST_EVENTS = 'public.list_calendar_events(jsonb,uuid,timestamptz,uuid,integer)'
const CHANGE_SERIES =
  'private.change_series(private.calendar_series,public.calendar_events,public.calendar_events,text[],boolean,uuid[])'
const LIST_TICKETS = 'public.list_tickets(jsonb,uuid,integer,integer)'
const HERE = 'organization_id = any(array(select private.my_organizations()))'
const PLACED = '(location_id is null or location_id = any(array(select private.my_locations())))'

const ofTable = (table: string, letter: string, list: string, save: string, remove: string) => {
  const visible = `(${letter}.location_id is null or ${letter}.location_id = any(`
  return [
    [CALENDAR, `${table}: of every location of the organization`, editPolicy(table, HERE)],
    [
      CALENDAR,
      `${table}: none without a location`,
      editPolicy(table, 'location_id = any(array(select private.my_locations()))'),
    ],
    [CALENDAR, `${table}: of every organization`, editPolicy(table, PLACED)],
    [
      CALENDAR,
      `${table}: a list of every organization`,
      editFunction(list, `${letter}.organization_id = $1`, '$1 is not null'),
    ],
    [
      CALENDAR,
      `${table}: a list of every location`,
      editFunction(list, visible, `(true or ${letter}.location_id = any(`),
    ],
    [
      CALENDAR,
      `${table}: saving in every organization`,
      editFunction(
        save,
        `${letter}.organization_id = v_organization\n      and (${letter}.`,
        `true and (true or ${letter}.`,
      ),
    ],
    [
      CALENDAR,
      `${table}: saving in every location`,
      editFunction(save, visible, `(true or ${letter}.location_id = any(`),
    ],
    [
      CALENDAR,
      `${table}: deleting in every location`,
      editFunction(remove, visible, `(true or ${letter}.location_id = any(`),
    ],
  ] as [file: string, name: string, sql: string][]
}

/** Calendar and tickets a little wrong: a condition less. */
export const calendarMutations: [file: string, name: string, sql: string][] = [
  ...ofTable(
    'calendar_events',
    'e',
    LIST_EVENTS,
    'public.save_calendar_event(uuid,jsonb,text)',
    'public.delete_calendar_event(uuid,text)',
  ),
  ...ofTable('tickets', 't', LIST_TICKETS, 'public.save_ticket(uuid,jsonb)', 'public.delete_ticket(uuid)'),
  [
    CALENDAR,
    'delete_calendar_event: in every organization',
    editFunction(
      'public.delete_calendar_event(uuid,text)',
      'e.organization_id = any(array(select private.person_organizations()))',
      'true',
    ),
  ],
  [
    CALENDAR,
    'cut_series: in every location',
    editFunction('private.cut_series(uuid,date,uuid,uuid[])', '(e.location_id is null or', '(true or'),
  ],
  [
    CALENDAR,
    'change_series: in every location',
    editFunction(CHANGE_SERIES, '(e.location_id is null or', '(true or'),
  ],
  [
    CALENDAR,
    'delete_ticket: whatever the role',
    editFunction(
      'public.delete_ticket(uuid)',
      `private.my_organizations('canViewSettings')`,
      'private.my_organizations()',
    ),
  ],
  [
    CALENDAR,
    'add_ticket_comment: in every location',
    editFunction('public.add_ticket_comment(uuid,text)', '(t.location_id is null or', '(true or'),
  ],
  [
    CALENDAR,
    'save_calendar_event: any field',
    editFunction(
      'public.save_calendar_event(uuid,jsonb,text)',
      `where key in ('title'`,
      `where true or key in ('title'`,
    ),
  ],
  [
    CALENDAR,
    'ticket_comments: of every ticket of anyone',
    editPolicy('ticket_comments', 'ticket_id is not null'),
  ],
]
