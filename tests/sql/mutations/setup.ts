import { editFunction, editPolicy } from './mutation'

const FILE = 'rls-setup.test.ts'
const ANYONE_OF_THE_GROUP = 'organization_id = any(array(select private.my_organizations()))'
const SAVING = ['public.save_hours(uuid,jsonb,jsonb,date[])', 'public.save_tables(uuid,jsonb)']
const CLOSING = 'public.add_closing(uuid,jsonb)'

/** Hours and tables: functions that check a little less, and policies without the location. */
export const setupMutations: [file: string, name: string, sql: string][] = [
  ...SAVING.flatMap((signature): [string, string, string][] => [
    [
      FILE,
      `${signature}: whatever the role`,
      editFunction(signature, "my_locations('canViewSettings')", 'my_locations()'),
    ],
    [
      FILE,
      `${signature}: of any location`,
      editFunction(signature, "and id = any(array(select private.my_locations('canViewSettings')))", ''),
    ],
  ]),
  [
    FILE,
    `${CLOSING}: whatever the role`,
    editFunction(CLOSING, "my_locations('canReadReports')", 'my_locations()'),
  ],
  [
    FILE,
    `${CLOSING}: of any location`,
    editFunction(CLOSING, "and id = any(array(select private.my_locations('canReadReports')))", ''),
  ],
  ...['shifts', 'closed_days', 'dining_tables'].map((table): [string, string, string] => [
    FILE,
    `${table}: of every location`,
    editPolicy(table, ANYONE_OF_THE_GROUP),
  ]),
]
