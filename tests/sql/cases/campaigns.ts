import type { Who } from '../cast'
import { answers, type FunctionCase, reads, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

const MARKETING: Who[] = ['super_admin', 'admin', 'ceo', 'marketing']
// Works in Retiro only.
const BOUND_MARKETING: Who[] = ['boundAdmin']
const STRANGER: Who[] = ['stranger']

export const campaignTables: Record<string, TableCase> = {
  campaigns: {
    keys: ['name'],
    reads: reads(
      [MARKETING, ['De Retiro', 'De Sol', 'De todos']],
      [BOUND_MARKETING, ['De Retiro']],
      [STRANGER, ['De Sur']],
    ),
    insert: ({ ids }, home) => ({ organization_id: ids[home], name: 'Nueva' }),
    // Not the status: its trigger refuses people by itself.
    change: () => ({ name: 'Robada' }),
  },
}

const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** What they do is in tests/api/campaigns-sending.test.ts. */
const engine = (more: object = {}): FunctionCase => ({
  body: ({ ids }) => ({ p_organization: ids.Norte, p_campaign: NOWHERE, ...more }),
  shape: (answer) => answer,
  answers: serviceOnly(),
})

export const campaignFunctions: Record<string, FunctionCase> = {
  list_campaigns: {
    body: () => ({}),
    shape: (answer) => (answer as { name: string }[]).map(({ name }) => name).sort(),
    answers: answers<unknown>(
      [],
      [MARKETING, ['De Retiro', 'De Sol', 'De todos']],
      [BOUND_MARKETING, ['De Retiro']],
      [STRANGER, ['De Sur']],
    ),
  },
  save_campaign: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_id: NOWHERE, p_fields: {} }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  delete_campaign: engine(),
  launch_campaign: engine({ p_person: NOWHERE, p_guests: 1, p_version: 1, p_now: NOON }),
  move_campaign: engine({ p_action: 'stop', p_person: NOWHERE, p_now: NOON }),
  due_campaigns: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_now: NOON }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  plan_campaign: engine({ p_now: NOON }),
  campaign_score: engine(),
  campaign_versions: engine(),
  campaign_recipients: engine(),
  campaign_template: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_automation: NOWHERE }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
  log_recipients_export: {
    body: ({ ids }) => ({ p_campaign: ids['De Sol campaign'], p_filters: {} }),
    shape: (answer) => answer !== null,
    answers: answers<unknown>(false, [MARKETING, true]),
  },
  choose_winner: engine({ p_winner: 'a', p_reason: 'unclear', p_now: NOON }),
  preview_campaign: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_fields: { messages: [] }, p_now: NOON }),
    shape: (answer) => answer,
    answers: serviceOnly(),
  },
}
