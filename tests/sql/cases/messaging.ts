import { UNBOUND, type Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

const MARKETING: Who[] = ['super_admin', 'admin', 'ceo', 'marketing']
// Works in Retiro only.
const BOUND_MARKETING: Who[] = ['boundAdmin']
const STRANGER: Who[] = ['stranger']

export const messagingTables: Record<string, TableCase> = {
  automations: {
    keys: ['organization_id', 'name'],
    reads: reads(
      [MARKETING, ['Norte / Cumpleaños', 'Norte / Retiro', 'Norte / Sol']],
      [BOUND_MARKETING, ['Norte / Retiro']],
      [STRANGER, ['Sur / Cumpleaños', 'Sur / Triana']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      name: 'Nueva',
      type: 'birthday',
      channel: 'sms',
      criteria: { days_before: 7 },
    }),
    change: () => ({ status: 'active' }),
  },
  automation_runs: {
    keys: ['organization_id', 'automation_name'],
    reads: reads(
      [MARKETING, ['Norte / Cumpleaños', 'Norte / Retiro', 'Norte / Sol']],
      [BOUND_MARKETING, ['Norte / Retiro']],
      [STRANGER, ['Sur / Cumpleaños', 'Sur / Triana']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      automation_name: 'Nueva',
      triggered_by: 'manual',
    }),
    change: () => ({ processed: 9 }),
  },
  // What goes to the staff (notifications) is not for them to read: it may be about any location.
  messages: {
    keys: ['organization_id', 'dedupe_key'],
    reads: reads(
      [MARKETING, ['Norte / birthday', 'Norte / confirmation', 'Norte / nowhere', 'Norte / sol']],
      [BOUND_MARKETING, ['Norte / birthday', 'Norte / confirmation']],
      [STRANGER, ['Sur / birthday', 'Sur / confirmation', 'Sur / nowhere']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      kind: 'marketing',
      purpose: 'birthday',
      channel: 'email',
      dedupe_key: 'nueva',
    }),
    change: () => ({ recipient: 'robada@example.com' }),
  },
  message_engagement: {
    keys: ['link'],
    reads: reads(
      [MARKETING, ['Norte / birthday', 'Norte / confirmation', 'Norte / nowhere', 'Norte / sol']],
      [BOUND_MARKETING, ['Norte / birthday', 'Norte / confirmation']],
      [STRANGER, ['Sur / birthday', 'Sur / confirmation', 'Sur / nowhere']],
    ),
    insert: ({ ids }, home) => ({
      message_id: ids[`${home} message`],
      link: 'https://nueva.example',
      kind: 'click',
      actor: 'person',
      first_at: NOON,
      times: 1,
    }),
    change: () => ({ times: 9 }),
  },
  suppressions: {
    keys: ['organization_id', 'address'],
    reads: reads(
      [[...MARKETING, ...BOUND_MARKETING], ['Norte / baja@norte.example']],
      [STRANGER, ['Sur / baja@sur.example']],
    ),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      channel: 'email',
      address: 'nueva@example.com',
      reason: 'manual',
    }),
    change: () => ({ reason: 'complaint' }),
  },
}

const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** The engine's functions are the service's alone; what they do is in tests/api/outbox.test.ts. */
const engine = (body: FunctionCase['body']): FunctionCase => ({
  body,
  shape: (answer) => answer,
  answers: serviceOnly(),
})

export const messagingFunctions: Record<string, FunctionCase> = {
  enqueue_run: engine(({ ids }) => ({
    p_organization: ids.Norte,
    p_automation: NOWHERE,
    p_triggered_by: 'manual',
    p_now: NOON,
  })),
  claim_messages: engine(({ ids }) => ({ p_organization: ids.Norte, p_channel: 'email', p_now: NOON })),
  freeze_messages: engine(() => ({ p_contents: [], p_now: NOON })),
  finish_messages: engine(() => ({ p_results: [], p_now: NOON })),
  cancel_held: engine(({ ids }) => ({ p_organization: ids.Norte, p_now: NOON })),
  run_to_approve: engine(({ ids }) => ({ p_organization: ids.Norte, p_run: NOWHERE })),
  // Runs of the cast do not wait: people who may decide get not_waiting, the others not_found.
  decide_run: {
    body: ({ ids }) => ({ p_run: ids['Retiro run'], p_approve: true, p_guests: 1 }),
    shape: (answer) => answer,
    answers: answers<unknown>('not_found', [[...MARKETING, ...BOUND_MARKETING], 'not_waiting']),
  },
  stop_run: {
    // What it does to a run is in tests/security/approval.test.ts.
    body: () => ({ p_run: NOWHERE }),
    shape: (answer) => answer,
    answers: answers<unknown>('not_found'),
  },
  stop_sending: {
    body: () => ({ p_stop: false }),
    shape: (answer) => answer,
    answers: answers<unknown>('forbidden', [[...MARKETING, ...STRANGER], 'resumed']),
  },
  sweep_leases: engine(() => ({ p_now: NOON })),
  run_report: engine(() => ({ p_run: NOWHERE })),
  tally_messages: engine(() => ({ p_ids: [NOWHERE] })),
  preview_automation: engine(({ ids }) => ({
    p_organization: ids.Norte,
    p_automation: NOWHERE,
    p_now: NOON,
  })),
  save_automation: engine(({ ids }) => ({ p_organization: ids.Norte, p_id: NOWHERE, p_fields: {} })),
  preview_draft: engine(({ ids }) => ({
    p_organization: ids.Norte,
    p_draft: { type: 'birthday', channel: 'email' },
    p_now: NOON,
  })),
  facts_of_guest: engine(({ ids }) => ({ p_organization: ids.Norte, p_customer: NOWHERE, p_now: NOON })),
  run_outcomes: engine(({ ids }) => ({ p_organization: ids.Norte, p_runs: [NOWHERE] })),
  automations_overview: engine(({ ids }) => ({
    p_organization: ids.Norte,
    p_automations: [NOWHERE],
    p_from: NOON,
    p_to: NOON,
  })),
  // A message about Sol that waits in the queue: to everyone else it is not there.
  reconcile_message: {
    body: ({ ids }) => ({ p_id: ids['Sol message'], p_status: 'sent' }),
    shape: (answer) => answer,
    answers: answers('not_found', [MARKETING, 'not_unknown']),
  },
  // It is not active: nothing is logged.
  authorize_run: {
    body: ({ ids }) => ({ p_automation: ids['Sol automation'] }),
    shape: (answer) => answer,
    answers: answers('unknown', [UNBOUND, 'allowed']),
  },
}
