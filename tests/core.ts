/**
 * The tests of database and API that `npm test` runs on the embedded stack: the main job, the contract's endpoints,
 * sign-in, the rights matrix, imports, sends, and the lists with every filter. `npm run test:embedded` runs all of them.
 */
export const CORE: string[] = [
  // Reservations in, customers and tiers from them.
  'api/sync-access',
  'api/sync-ledger',
  'api/jobs',
  'api/loyalty',
  'api/visits',
  'sql/sync-matching',
  // Endpoints of the contract.
  'api/ai-chat',
  'api/automations-run',
  'api/debug-reservations',
  'api/notification-jobs',
  'api/organization',
  'api/seed-locations',
  // Who may do what.
  'api/auth',
  'security/cross-site',
  'security/location-bound',
  'sql/permissions',
  'sql/rls-customers',
  'sql/rls-service',
  // Imports and sends.
  'api/consent',
  'api/delivery-rules',
  'api/drain',
  'api/import-csv',
  'api/import-csv-files',
  'api/unsubscribe',
  // Lists with every filter.
  'api/automation-lists',
  'api/customers-list',
  'api/reservations',
  'api/segments',
  'sql/lists',
].map((name) => `tests/${name}.test.ts`)
