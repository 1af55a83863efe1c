import { editFunction, editPolicy } from './mutation'

const FILE = 'rls-imports.test.ts'
const CANCEL = 'public.cancel_import(uuid)'
const MINE = `organization_id = any(array(select private.my_organizations('canViewSettings')))`

/** The import log, and who may cancel. */
export const importMutations: [file: string, name: string, sql: string][] = [
  [
    FILE,
    'import_runs: every member reads them',
    editPolicy('import_runs', MINE.replace(`'canViewSettings'`, '')),
  ],
  [
    FILE,
    'import_runs: by canAccessClientes',
    editPolicy('import_runs', MINE.replace('canViewSettings', 'canAccessClientes')),
  ],
  [FILE, 'cancel_import: of every organization', editFunction(CANCEL, `and ${MINE}`, '')],
  [
    FILE,
    'cancel_import: whatever the role',
    editFunction(CANCEL, `my_organizations('canViewSettings')`, 'my_organizations()'),
  ],
  [FILE, 'cancel_import: under the own rights', `alter function ${CANCEL} security invoker`],
  [
    FILE,
    'import_customers: the service may not execute',
    'revoke execute on function public.import_customers(uuid, jsonb) from service_role',
  ],
]
