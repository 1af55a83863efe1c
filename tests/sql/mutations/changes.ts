import { editFunction, editPolicy } from './mutation'

const FILE = 'rls-changes.test.ts'
const REACH = '../security/erasure-reach.test.ts'
const SAVE = 'public.save_customer(jsonb,uuid)'
const ERASE = 'public.erase_customer(uuid)'
const MERGE = 'public.merge_customers(uuid,uuid,text[])'
const UNDO = 'public.undo_merge(uuid)'
const MERGES = 'public.list_merges(uuid)'
const EXPORT = 'public.export_customer(uuid)'
const DUPLICATES = 'public.customer_duplicates(integer,real,uuid,uuid,real,boolean)'
const JUDGE = 'public.judge_duplicates(uuid,uuid[],boolean)'
const PAIRS = 'public.list_pairs(timestamptz,uuid,integer)'
const BELONGINGS = 'public.customer_belongings(uuid[])'
const TAGS = 'public.customer_tags(integer)'
const CITIES = 'public.customer_cities(text,integer)'
const COUNT = 'public.count_customers(jsonb,integer,timestamptz)'
const TAG = 'public.tag_customers(boolean,text,jsonb,timestamptz)'
const LOG_EXPORT = 'public.log_customers_export(jsonb)'
const BOOK = 'public.save_reservation(jsonb,uuid,timestamptz)'
const CLIENTES = "my_organizations('canAccessClientes')"
const holding = (permission: string) =>
  `organization_id = any(array(select private.my_organizations('${permission}')))`

/** Rights of the functions that change customers and reservations, a little wrong. */
export const changeMutations: [file: string, name: string, sql: string][] = [
  ...[
    SAVE,
    ERASE,
    MERGE,
    UNDO,
    MERGES,
    DUPLICATES,
    JUDGE,
    PAIRS,
    BELONGINGS,
    TAGS,
    CITIES,
    COUNT,
    TAG,
    LOG_EXPORT,
  ].map((signature): [string, string, string] => [
    FILE,
    `${signature}: whatever the role`,
    editFunction(signature, CLIENTES, 'my_organizations()'),
  ]),
  [
    FILE,
    'export_customer: whatever the role',
    editFunction(EXPORT, "p.role in ('super_admin', 'admin', 'ceo')", 'true'),
  ],
  [
    FILE,
    'save_customer: of every organization',
    editFunction(SAVE, 'id = p_id and organization_id = v_organization for update', 'id = p_id for update'),
  ],
  [
    FILE,
    'erase_customer: of every organization',
    editFunction(ERASE, 'id = p_id and organization_id = v_organization', 'id = p_id'),
  ],
  [
    REACH,
    'save_customer: the usual location of a guest of other locations',
    editFunction(SAVE, 'v_old.location_id <> all(array(select private.my_locations()))', 'false'),
  ],
  [
    REACH,
    'erase_customer: a guest of other locations',
    editFunction(ERASE, 'v_reach is not null and private.lives_elsewhere(p_id, v_reach)', 'false'),
  ],
  [
    REACH,
    'erase_customer: in every location',
    editFunction(ERASE, 'private.traces_of(p_id, v_reach)', 'private.traces_of(p_id, null)'),
  ],
  [
    FILE,
    'merge_customers: of every organization',
    editFunction(MERGE, 'p_duplicate_id and organization_id = v_organization', 'p_duplicate_id') +
      ';' +
      editFunction(MERGE, 'id = p_id and organization_id = v_organization', 'id = p_id'),
  ],
  [
    FILE,
    'undo_merge: of every organization',
    editFunction(UNDO, 'id = p_id and organization_id = v_organization', 'id = p_id'),
  ],
  [
    FILE,
    'list_merges: of every organization',
    editFunction(
      MERGES,
      `h.organization_id = any(array(select private.${CLIENTES}))`,
      `exists (select 1 from private.${CLIENTES})`,
    ),
  ],
  [
    FILE,
    'export_customer: of every organization',
    editFunction(
      EXPORT,
      `id = p_id and organization_id = any(array(select private.${CLIENTES}))`,
      `id = p_id and exists (select 1 from private.${CLIENTES})`,
    ),
  ],
  [
    FILE,
    'customer_duplicates: of every organization',
    editFunction(
      'private.pairs_after(uuid,real,boolean,integer,real,uuid,uuid)',
      'p.organization_id = p_organization',
      'p_organization is not null',
    ),
  ],
  [
    FILE,
    'list_pairs: of every organization',
    editFunction(PAIRS, 'k.organization_id = (select o', 'exists (select o'),
  ],
  [
    FILE,
    'count_customers: of every organization',
    editFunction(COUNT, 'c.organization_id = $1', '$1 is not null'),
  ],
  [
    FILE,
    'customer_belongings: of every organization',
    editFunction(
      BELONGINGS,
      `and c.organization_id = any(array(select private.${CLIENTES}))`,
      `and exists (select 1 from private.${CLIENTES})`,
    ),
  ],
  [
    FILE,
    'customer_belongings: of every location',
    editFunction(BELONGINGS, 'b.locations is null or r.location_id', 'true or r.location_id'),
  ],
  [
    FILE,
    'customer_timeline: with its owner’s rights',
    'alter function public.customer_timeline(uuid,text[],timestamptz,uuid,integer) security definer',
  ],
  [
    FILE,
    'save_reservation: of every location',
    editFunction(BOOK, 'id = p_id and location_id = any(v_locations)', 'id = p_id'),
  ],
  [
    FILE,
    'save_reservation: whatever the role',
    editFunction(BOOK, "my_organizations('canAccessOperaciones')", 'my_organizations()') +
      ';' +
      editFunction(BOOK, "my_locations('canAccessOperaciones')", 'my_locations()'),
  ],
  [
    FILE,
    'save_reservation: links customers one may not read',
    editFunction(BOOK, `and c.organization_id = any(array(select private.${CLIENTES}))`, ''),
  ],
  [FILE, 'audit_log: by canAccessClientes', editPolicy('audit_log', holding('canAccessClientes'))],
  [FILE, 'customer_merges: by canViewSettings', editPolicy('customer_merges', holding('canViewSettings'))],
  [FILE, 'customer_pairs: by canViewSettings', editPolicy('customer_pairs', holding('canViewSettings'))],
  [FILE, 'customer_aliases: by canViewSettings', editPolicy('customer_aliases', holding('canViewSettings'))],
]
