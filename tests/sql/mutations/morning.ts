import { editFunction, editPolicy } from './mutation'

const FILE = 'rls-service.test.ts'
const OPERATIONS = "my_locations('canAccessOperaciones')"
const ADD = 'public.add_shift_note(uuid,text,date,timestamptz)'
const CHANGE = 'public.change_shift_note(uuid,text,timestamptz)'
const LIST = 'public.list_shift_notes(uuid,date,timestamptz)'
const SERVICES = 'public.services(date,uuid,timestamptz)'
const MORNING = 'public.morning(date,uuid,integer,timestamptz)'

/** The morning report and its notes: functions that check a little less, and a policy without the location. */
export const morningMutations: [file: string, name: string, sql: string][] = [
  ...[ADD, CHANGE, LIST, SERVICES].map((signature): [string, string, string] => [
    FILE,
    `${signature}: whatever the role`,
    editFunction(signature, OPERATIONS, 'my_locations()'),
  ]),
  [FILE, 'morning: to the floor', editFunction(MORNING, "my_locations('canReadReports')", OPERATIONS)],
  [
    FILE,
    'change_shift_note: of anyone',
    editFunction(CHANGE, 'is distinct from private.caller()', 'is distinct from v_note.author_id'),
  ],
  [
    FILE,
    'shift_notes: of every location',
    editPolicy('shift_notes', 'organization_id = any(array(select private.my_organizations()))'),
  ],
  [
    'rls-changes.test.ts',
    'log_reservations_export: whatever the role',
    editFunction(
      'public.log_reservations_export(jsonb)',
      "my_organizations('canReadReports')",
      'my_organizations()',
    ),
  ],
]
