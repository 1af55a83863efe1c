import { type FunctionCase, serviceOnly, type TableCase } from '../expectations'
import { NOON } from '../fill'

export const deliveryTables: Record<string, TableCase> = {
  whatsapp_windows: {
    keys: ['organization_id', 'address'],
    reads: serviceOnly(),
    insert: ({ ids }, home) => ({
      organization_id: ids[home],
      // The embedded stack reads a plus sign in a filter as a space.
      address: '34600000009',
      last_inbound_at: NOON,
    }),
    change: () => ({ last_inbound_at: '2031-01-01T00:00:00Z' }),
  },
  webhook_receipts: {
    keys: ['organization_id', 'receipt'],
    reads: serviceOnly(),
    insert: ({ ids }, home) => ({ organization_id: ids[home], receipt: 'nuevo', received_at: NOON }),
    change: () => ({ received_at: '2031-01-01T00:00:00Z' }),
  },
  channel_pace: {
    keys: ['organization_id', 'channel'],
    reads: serviceOnly(),
    insert: ({ ids }, home) => ({ organization_id: ids[home], channel: 'sms', next_at: NOON }),
    change: () => ({ next_at: '2031-01-01T00:00:00Z' }),
  },
}

const NOWHERE = '00000000-0000-4000-8000-000000000000'
const shape = (answer: unknown) => answer
const linkOf = ({ ids }: Parameters<FunctionCase['body']>[0]) => ({
  ...{ p_organization: ids.Norte, p_channel: 'email', p_addresses: ['nadie@norte.example'] },
})
const address = { p_channel: 'email', p_address: 'baja@norte.example' }

export const deliveryFunctions: Record<string, FunctionCase> = {
  suppress_addresses: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_channel: 'email',
      p_addresses: ['ana@norte.example'],
      p_reason: 'bounce',
    }),
    shape,
    answers: serviceOnly(),
  },
  unsuppress_address: {
    body: ({ ids }) => ({ p_organization: ids.Norte, ...address, p_reasons: ['unsubscribe'] }),
    shape,
    answers: serviceOnly(),
  },
  change_subscription: {
    body: ({ ids }) => ({
      ...{ p_organization: ids.Norte, p_channel: 'email', p_addresses: ['ana@norte.example'] },
      ...{ p_undo: false, p_message: NOWHERE },
    }),
    shape,
    answers: serviceOnly(),
  },
  record_complaint: {
    body: ({ ids }) => ({
      ...{ p_organization: ids.Norte, p_provider: 'resend', p_provider_id: 'none', p_message: NOWHERE },
      p_at: NOON,
    }),
    shape,
    answers: serviceOnly(),
  },
  subscription_of: {
    body: ({ ids }) => ({ p_organization: ids.Norte, ...address }),
    shape,
    answers: serviceOnly(),
  },
  guest_preferences: { body: (cast) => linkOf(cast), shape, answers: serviceOnly() },
  save_guest_preferences: {
    body: (cast) => ({ ...linkOf(cast), p_wishes: { frequency: 'none' }, p_message: NOWHERE }),
    shape,
    answers: serviceOnly(),
  },
  guest_look: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_message: NOWHERE, p_visit: false }),
    shape,
    answers: serviceOnly(),
  },
  record_inbound: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_channel: 'whatsapp', p_phone: '+34600000009' }),
    shape,
    answers: serviceOnly(),
  },
  take_reply: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_reply: {
        id: `SM${'0'.repeat(32)}`,
        channel: 'sms',
        phone: '+34600000009',
        intent: 'cancel',
        text: '2',
      },
      p_words: {},
    }),
    shape,
    answers: serviceOnly(),
  },
  link_whatsapp: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_phone: '+34600000009', p_whatsapp_id: 'ES.9' }),
    shape,
    answers: serviceOnly(),
  },
  record_delivery: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_provider: 'twilio',
      p_provider_id: 'SM1',
      p_message: null,
      p_status: 'sent',
    }),
    shape,
    answers: serviceOnly(),
  },
  take_engagement: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_provider_id: 'x', p_message: ids['Norte message'] }),
    shape,
    answers: serviceOnly(),
  },
  save_engagement: {
    body: () => ({ p_message: NOWHERE, p_seen: [], p_delivered: null, p_rows: [] }),
    shape,
    answers: serviceOnly(),
  },
  offer_freed_tables: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_channels: ['sms'], p_now: NOON }),
    shape,
    answers: serviceOnly(),
  },
  take_offer_reply: {
    body: ({ ids }) => ({
      p_organization: ids.Norte,
      p_reply: { id: `SM${'1'.repeat(32)}`, channel: 'sms', phone: '+34600000009', intent: 'confirm' },
      p_words: {},
    }),
    shape,
    answers: serviceOnly(),
  },
  whatsapp_open: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_address: '+34600000001', p_now: NOON }),
    shape,
    answers: serviceOnly(),
  },
  resume_run: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_automation: NOWHERE, p_run: NOWHERE, p_now: NOON }),
    shape,
    answers: serviceOnly(),
  },
  queue_notices: {
    body: ({ ids }) => ({
      p_queue: 'queue_event_reminders',
      p_organization: ids.Norte,
      p_now: NOON,
      p_limit: 1,
    }),
    shape,
    answers: serviceOnly(),
  },
  notices_report: { body: () => ({ p_ids: [NOWHERE] }), shape, answers: serviceOnly() },
  lifts_of_automations: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_automations: [NOWHERE], p_now: NOON }),
    shape,
    answers: serviceOnly(),
  },
  results_of_automation: {
    body: ({ ids }) => ({ p_organization: ids.Norte, p_automation: NOWHERE, p_from: NOON, p_to: NOON }),
    shape,
    answers: serviceOnly(),
  },
}
