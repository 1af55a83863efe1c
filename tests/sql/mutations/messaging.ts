import { editPolicy } from './mutation'

const MESSAGING = 'rls-messaging.test.ts'
const HERE = 'organization_id = any(array(select private.my_organizations()))'
const holding = (permission: string) =>
  `organization_id = any(array(select private.my_organizations('${permission}')))`

/** Who reads automations, their log and messages: a condition less, or another one. */
export const messagingMutations: [file: string, name: string, sql: string][] = [
  ...['automations', 'automation_runs', 'messages', 'suppressions'].flatMap(
    (table): [string, string, string][] => [
      [MESSAGING, `${table}: every member reads them`, editPolicy(table, HERE)],
      [MESSAGING, `${table}: by canAccessClientes`, editPolicy(table, holding('canAccessClientes'))],
    ],
  ),
  [MESSAGING, 'messages: notifications too', editPolicy('messages', holding('canAccessMarketing'))],
  [MESSAGING, 'automations: deleted ones too', editPolicy('automations', holding('canAccessMarketing'))],
]
