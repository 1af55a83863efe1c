import type { Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'

const UNBOUND: Who[] = ['super_admin', 'admin']
const STRANGER: Who[] = ['stranger']

export const importTables: Record<string, TableCase> = {
  import_runs: {
    keys: ['organization_id', 'file_name'],
    reads: reads(
      [UNBOUND, ['clientes', 'retiro', 'sol', 'suyo'].map((name) => `Norte / ${name}.csv`)],
      // Works in Retiro only: its imports, and without a location the own ones.
      [['boundAdmin'], ['Norte / retiro.csv', 'Norte / suyo.csv']],
      [STRANGER, ['Sur / clientes.csv']],
    ),
    insert: ({ ids }, home) => ({ organization_id: ids[home], file_name: 'nueva.csv' }),
    change: () => ({ status: 'cancelled' }),
  },
}

export const importFunctions: Record<string, FunctionCase> = {
  // Ids are random, so no other import can be named here. The outcome of an ended one shows who may see it.
  cancel_import: {
    body: ({ ids }) => ({ p_import: ids['Sol import'] }),
    shape: (answer) => answer,
    answers: answers('unknown', [UNBOUND, 'over']),
  },
  import_customers: {
    body: ({ ids }) => ({
      p_import: ids['Norte import'],
      p_rows: [{ line: 1, email: 'robada@example.com' }],
    }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  import_links: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_emails: ['ana@norte.example'], p_phones: [] }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
