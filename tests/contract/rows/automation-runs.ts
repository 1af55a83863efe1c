import { ISO, type Row, TEXT } from '../row'
import type { World } from '../world'
import { all, limited, unlimited } from './arrange'
import { awake, existing, guest, ID, RUN, vip } from './automations'

const ASYNC = { prefer: 'respond-async' }

/** What goes on after the answer is over before the row is; what does not end fails the row by the test's own limit. */
const settled =
  async ({ stack }: World) =>
  async () => {
    const open = () =>
      stack.sql(`select 1 from public.automation_runs where automation_id = '${ID}' and status <> 'finished'`)
    while ((await open()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }

/** Running an automation. */
export const automationRunRows: Row[] = [
  {
    name: 'sends to the one customer who matches',
    section: 'POST /api/automations/{id}/run',
    as: 'rrhh',
    request: { operation: RUN, id: ID },
    arrange: all(guest, existing(), awake),
    answers: {
      status: 200,
      body: {
        success: true,
        processed: 1,
        sent: 1,
        skipped: 0,
        failed: 0,
        pending: 0,
        errors: [],
        timestamp: ISO,
      },
    },
  },
  {
    name: 'sends nothing when no customer matches',
    section: 'POST /api/automations/{id}/run',
    as: 'rrhh',
    request: { operation: RUN, id: ID },
    arrange: existing(),
    answers: {
      status: 200,
      body: {
        success: true,
        processed: 0,
        sent: 0,
        skipped: 0,
        failed: 0,
        pending: 0,
        errors: [],
        timestamp: ISO,
      },
    },
  },
  {
    name: 'sends nothing when it is not active',
    section: 'POST /api/automations/{id}/run',
    as: 'rrhh',
    request: { operation: RUN, id: ID },
    arrange: existing({ status: 'inactive' }),
    answers: {
      status: 200,
      body: {
        success: true,
        message: 'Automation is not active',
        processed: 0,
        sent: 0,
        skipped: 0,
        failed: 0,
        timestamp: ISO,
      },
    },
  },
  ...['', '%20'].map(
    (id): Row => ({
      name: `refuses a run without an id ("${id}")`,
      section: 'Errors: 400 automation id missing',
      as: 'rrhh',
      request: { operation: RUN, id },
      arrange: unlimited,
      answers: { status: 400, body: { error: 'Automation ID is required', timestamp: ISO } },
    }),
  ),
  ...['d0000000-0000-4000-8000-00000000dead', 'no-id', '%00'].map(
    (id): Row => ({
      name: `fails for an unknown automation (${id})`,
      section: 'Errors: 500 run error',
      as: 'rrhh',
      request: { operation: RUN, id },
      arrange: unlimited,
      answers: { status: 500, body: { success: false, error: 'Automation not found', timestamp: ISO } },
    }),
  ),
  {
    name: 'fails for an automation of another organization',
    section: 'Errors: 500 run error',
    as: 'stranger',
    request: { operation: RUN, id: ID },
    arrange: existing(),
    answers: {
      status: 500,
      body: {
        success: false,
        error: 'Automation not found',
        timestamp: ISO,
      },
    },
  },
  {
    name: 'fails for an automation that reaches locations where the person does not work',
    section: 'our own: location-bound staff',
    as: 'bound',
    request: { operation: RUN, id: ID },
    arrange: existing(),
    answers: { status: 500, body: { success: false, error: 'Automation not found', timestamp: ISO } },
  },
  {
    name: 'refuses other roles when the organization limits it to marketing',
    section: 'our own: limit_marketing_to_roles',
    as: 'rrhh',
    request: { operation: RUN, id: ID },
    arrange: all(existing(), limited),
    answers: { status: 403, body: { error: 'Forbidden' } },
  },
  {
    name: 'fails when the database does not answer',
    section: 'Errors: 500 database failure',
    as: 'rrhh',
    request: { operation: RUN, id: ID },
    databaseDown: true,
    answers: { status: 500, body: { success: false, error: TEXT, timestamp: ISO } },
  },
  {
    name: 'starts the run and answers at once',
    section: 'POST /api/automations/{id}/run (variant)',
    as: 'rrhh',
    request: { operation: RUN, id: ID, headers: ASYNC },
    arrange: all(guest, existing(), awake, settled),
    answers: {
      status: 200,
      headers: { 'preference-applied': 'respond-async' },
      body: { success: true, automation_id: ID },
    },
  },
  {
    name: 'finds no unknown automation',
    section: 'Errors: 404 automation unknown (variant)',
    as: 'rrhh',
    request: { operation: RUN, headers: ASYNC },
    arrange: unlimited,
    answers: { status: 404, body: { error: 'Automation not found' } },
  },
  {
    name: 'finds nothing of another organization',
    section: 'Errors: 404 automation unknown (variant)',
    as: 'stranger',
    request: { operation: RUN, id: ID, headers: ASYNC },
    arrange: existing(),
    answers: { status: 404, body: { error: 'Automation not found' } },
  },
  {
    name: 'gives the details of the one automation that ran',
    section: 'GET /api/cron/automations',
    as: 'cron',
    request: { operation: 'GET /api/cron/automations' },
    arrange: all(guest, existing(), awake),
    answers: {
      status: 200,
      body: {
        success: true,
        timestamp: ISO,
        total: 1,
        executed: 1,
        failed: 0,
        statistics: { totalProcessed: 1, totalSent: 1, totalSkipped: 0, totalFailed: 0 },
        details: [
          {
            automationId: ID,
            automationName: vip.name,
            success: true,
            processed: 1,
            sent: 1,
            skipped: 0,
            failed: 0,
          },
        ],
      },
    },
  },
]
