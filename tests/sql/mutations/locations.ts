import { editFunction, editPolicy } from './mutation'

const holding = (permission: string) =>
  `organization_id = any(array(select private.my_organizations('${permission}')))`
const MARKETING = holding('canAccessMarketing')
const MINE = 'location_id = any(array(select private.my_locations()))'
const ALL_MINE = `(location_ids <> '{}' and location_ids <@ array(select private.my_locations()))`
const EVERYWHERE = '(select private.works_everywhere())'
const MESSAGING = 'rls-messaging.test.ts'
const CHANGES = 'rls-changes.test.ts'
const IMPORTS = 'rls-imports.test.ts'
const LOYALTY = 'rls-loyalty.test.ts'
const ORGANIZATION = 'rls-organization.test.ts'
const CANCEL = 'public.cancel_import(uuid)'
const SETTINGS = holding('canViewSettings')
const OWN_IMPORT = '(location_id is null and profile_id = (select private.caller()))'
/** The audit log's policy with a condition for one kind of record. */
const audited = (type: string, condition: string) =>
  `(${SETTINGS}) and (${EVERYWHERE} or subject_type in ('customer', '${type}') and ${condition})`

/** What keeps people to their locations, a condition less. */
export const locationMutations: [file: string, name: string, sql: string][] = [
  [
    MESSAGING,
    'works_everywhere(): everyone',
    editFunction('private.works_everywhere()', 'not exists', 'true or not exists'),
  ],
  [
    MESSAGING,
    'messages: of every location',
    editPolicy('messages', `kind <> 'notification' and ${MARKETING}`),
  ],
  [
    MESSAGING,
    'messages: those of no location too',
    editPolicy(
      'messages',
      `kind <> 'notification' and ${MARKETING} and (${EVERYWHERE} or location_id is null or ${MINE})`,
    ),
  ],
  [
    MESSAGING,
    'messages: only of a location',
    editPolicy('messages', `kind <> 'notification' and ${MARKETING} and ${MINE}`),
  ],
  [
    'rls-feedback.test.ts',
    'feedback: of every location',
    editPolicy('feedback', holding('canAccessClientes')),
  ],
  ['rls-feedback.test.ts', 'feedback: whatever the role', editPolicy('feedback', MINE)],
  [
    MESSAGING,
    'automations: for every location',
    editPolicy('automations', `deleted_at is null and ${MARKETING}`),
  ],
  [
    MESSAGING,
    'automations: those for all locations too',
    editPolicy(
      'automations',
      `deleted_at is null and ${MARKETING} and (${EVERYWHERE} or location_ids <@ array(select private.my_locations()))`,
    ),
  ],
  [
    MESSAGING,
    'automations: only those for locations',
    editPolicy('automations', `deleted_at is null and ${MARKETING} and ${ALL_MINE}`),
  ],
  [MESSAGING, 'automation_runs: of every location', editPolicy('automation_runs', MARKETING)],
  [
    MESSAGING,
    'automation_runs: those for all locations too',
    editPolicy(
      'automation_runs',
      `${MARKETING} and (${EVERYWHERE} or location_ids <@ array(select private.my_locations()))`,
    ),
  ],
  [
    MESSAGING,
    'reconcile_message: of every location',
    editFunction('public.reconcile_message(uuid,text)', `and (${EVERYWHERE} or ${MINE})`, ''),
  ],
  [
    MESSAGING,
    'authorize_run: for every location',
    editFunction('public.authorize_run(uuid,uuid)', 'and private.covers(location_ids)', ''),
  ],
  [
    MESSAGING,
    'authorize_run: of every organization',
    editFunction(
      'public.authorize_run(uuid,uuid)',
      'and organization_id = any(array(select private.my_organizations()))',
      '',
    ),
  ],
  [
    'rls-assistant.test.ts',
    'automation_results: for every location',
    editFunction('public.automation_results(timestamptz)', 'and private.covers(a.location_ids)', ''),
  ],
  [
    LOYALTY,
    'save_loyalty_rules: of every location of the organization',
    editFunction(
      'public.save_loyalty_rules(uuid,jsonb)',
      'l.id = any(array(select private.my_locations()))',
      'l.organization_id = any(array(select private.my_organizations()))',
    ),
  ],
  [
    LOYALTY,
    'loyalty_points: of visits in every location',
    editPolicy('loyalty_points', holding('canAccessClientes')),
  ],
  [IMPORTS, 'import_runs: of every location', editPolicy('import_runs', SETTINGS)],
  [
    IMPORTS,
    'import_runs: of others without a location',
    editPolicy('import_runs', `${SETTINGS} and (${EVERYWHERE} or ${MINE} or location_id is null)`),
  ],
  [
    IMPORTS,
    'import_runs: not the own',
    editPolicy('import_runs', `${SETTINGS} and (${EVERYWHERE} or ${MINE})`),
  ],
  [IMPORTS, 'cancel_import: of every location', editFunction(CANCEL, OWN_IMPORT, 'true')],
  [
    'rls-integrations.test.ts',
    'job_results: of every location',
    editFunction('public.job_results(uuid[])', EVERYWHERE, 'true'),
  ],
  [
    'rls-integrations.test.ts',
    'job_results: of every organization',
    editFunction(
      'public.job_results(uuid[])',
      " and r.organization_id = any(array(select private.my_organizations('canViewSettings')))",
      '',
    ),
  ],
  [
    CHANGES,
    'export_customer: visits of every location',
    editFunction(
      'private.exported_reservations(uuid,uuid[])',
      'r.customer_id = p_customer and r.location_id = any(p_locations)',
      'r.customer_id = p_customer',
    ),
  ],
  [CHANGES, 'audit_log: of every location', editPolicy('audit_log', SETTINGS)],
  [
    CHANGES,
    'audit_log: of the locations that lines name',
    editPolicy(
      'audit_log',
      `(${SETTINGS}) and (${EVERYWHERE} or subject_type = 'customer' or location_id is not null)`,
    ),
  ],
  ...(
    [
      ['reservation', 'exists (select 1 from public.reservations r where r.id = subject_id)'],
      ['message', 'exists (select 1 from public.messages m where m.id = subject_id)'],
      ['automation', 'exists (select 1 from public.automations a where a.id = subject_id)'],
    ] as const
  ).map(([type, condition]): [string, string, string] => [
    CHANGES,
    `audit_log: of ${type}s alone`,
    editPolicy('audit_log', audited(type, condition)),
  ]),
  [
    ORGANIZATION,
    'delete_brand: by someone bound',
    editFunction('public.delete_brand(uuid)', 'and private.works_everywhere()', ''),
  ],
  [
    ORGANIZATION,
    'setup_progress: to someone bound',
    editFunction('public.setup_progress(boolean)', ' and private.works_everywhere()', ''),
  ],
  [
    ORGANIZATION,
    'setup_progress: to every role',
    editFunction(
      'public.setup_progress(boolean)',
      `my_organizations('canViewSettings')`,
      'my_organizations()',
    ),
  ],
  [
    ORGANIZATION,
    'skip_setup_step: by someone bound',
    editFunction('public.skip_setup_step(text,boolean)', 'or not private.works_everywhere()', ''),
  ],
  [
    ORGANIZATION,
    'change_organization: by someone bound',
    editFunction('public.change_organization(jsonb)', 'and private.works_everywhere()', ''),
  ],
]
