/**
 * The tests of database and API that `npm test` runs on the embedded stack: the main job, the contract's endpoints,
 * sign-in, the rights matrix, imports, sends, and the lists with every filter. `npm run test:embedded` runs all of them.
 */
export const CORE: string[] = [
  // Reservations in, customers and tiers from them.
  'api/sync-access',
  'api/jobs',
  'api/loyalty',
  // Endpoints of the contract.
  'api/ai-chat',
  'api/automations-run',
  'api/debug-reservations',
  'api/organization',
  'api/seed-locations',
  // Who may do what.
  'api/auth',
  'sql/permissions',
  // Imports and sends.
  'api/drain',
  'api/import-csv-files',
  'api/unsubscribe',
  // Lists with every filter.
  'api/automation-lists',
  'api/customers-list',
  'api/reservations',
  'sql/lists',
].map((name) => `tests/${name}.test.ts`)
