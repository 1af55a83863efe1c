import { editFunction } from './mutation'

const FILE = 'rls-assistant.test.ts'
const CONTEXT = 'public.assistant_context(timestamptz)'
const UPCOMING = 'private.assistant_upcoming(uuid[],timestamptz,boolean,boolean)'
const REVENUE = 'public.revenue_by_location(date,date)'
const AUTOMATIONS = 'public.automation_results(timestamptz)'

/** The assistant's functions read with their owner's rights: each condition of theirs stands for a policy. */
export const assistantMutations: [file: string, name: string, sql: string][] = [
  [
    FILE,
    'assistant_context: of every location',
    editFunction(CONTEXT, 'array(select private.my_locations())', 'array(select id from public.locations)'),
  ],
  [
    FILE,
    'assistant_context: customers of every organization counted',
    editFunction(
      'private.assistant_customers(uuid)',
      'array[p_organization]',
      'array(select o.id from public.organizations o)',
    ),
  ],
  [
    FILE,
    'assistant_context: names of reservations whatever the role',
    editFunction(CONTEXT, `exists (select 1 from private.my_organizations('canAccessOperaciones'))`, 'true'),
  ],
  [
    FILE,
    'assistant_context: names of customers whatever the role',
    editFunction(CONTEXT, `exists (select 1 from private.my_organizations('canAccessClientes'))`, 'true'),
  ],
  [
    FILE,
    'assistant_context: names of customers to those who may read reservations',
    editFunction(
      CONTEXT,
      "my_organizations('canAccessClientes')",
      "my_organizations('canAccessOperaciones')",
    ),
  ],
  [
    FILE,
    'assistant_context: the tier of who booked to those who may not read customers',
    editFunction(UPCOMING, 'p_reservations and p_customers', 'p_reservations'),
  ],
  [FILE, 'assistant_context: under the own rights', `alter function ${CONTEXT} security invoker`],
  [
    FILE,
    'revenue_by_location: whatever the role',
    editFunction(REVENUE, "my_locations('canAccessOperaciones')", 'my_locations()'),
  ],
  [
    FILE,
    'revenue_by_location: of every location',
    editFunction(REVENUE, "l.id = any(array(select private.my_locations('canAccessOperaciones')))", 'true'),
  ],
  [
    FILE,
    'automation_results: whatever the role',
    editFunction(AUTOMATIONS, "my_organizations('canAccessMarketing')", 'my_organizations()'),
  ],
  [
    FILE,
    'automation_results: of every organization',
    editFunction(
      AUTOMATIONS,
      "a.organization_id = any(array(select private.my_organizations('canAccessMarketing')))",
      'true',
    ),
  ],
]
