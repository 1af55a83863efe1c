import { exampleLift } from '@/lib/automations/operations'
import { exampleCheck } from '@/lib/sending-check/example'
import type { CampaignRecipient, SentMessage } from './outcomes-schema'
import type { Campaign, CampaignPreview, CampaignResults } from './schema'

/** What the OpenAPI document shows. */
export const exampleInput = {
  name: 'Menú de otoño',
  segment_id: 'a4d0f3c2-5b6e-4f70-8a91-0b2c3d4e5f60',
  location_ids: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  starts_local: '2026-11-26T11:00',
  exclude_recent_days: 14,
  ab: { test_share: 20, winner_by: 'visits', test_hours: 48 },
  messages: [
    { step: 1, channel: 'sms', body: '{{ first_name }}, hay menú de otoño en {{ location_name }}.' },
    { step: 1, variant: 'b', channel: 'sms', body: 'Setas, caza y castañas: menú de otoño.' },
    { step: 2, after_days: 7, channel: 'sms', body: 'Aún queda sitio para el menú de otoño.' },
  ],
}

const text = { channel: 'sms', fallback_channel: null, subject: null } as const
const plain = { content_sid: null, content_variables: {}, email_design: null, versions: [] }
const first = '1d0f4a2b-6c3e-4b5d-9e8f-7a6b5c4d3e2f'
const other = '2e1a5b3c-7d4f-4c6e-8f9a-8b7c6d5e4f3a'
const later = '3f2b6c4d-8e5a-4d7f-9a8b-9c8d7e6f5a4b'
const none = { processed: 0, sent: 0, skipped: 0, failed: 0, pending: 0, simulated: 0 }

export const exampleCampaign: Campaign = {
  id: '0c9e3f1a-5b2d-4a4c-8d7e-6f5a4b3c2d1e',
  name: exampleInput.name,
  status: 'draft',
  reason: null,
  version: 1,
  segment_id: exampleInput.segment_id,
  segment_name: 'Cumplen este mes y aceptan WhatsApp',
  location_ids: exampleInput.location_ids,
  starts_local: exampleInput.starts_local,
  exclude_recent_days: 14,
  control_share: null,
  ab: { test_share: 20, winner_by: 'visits', test_hours: 48 },
  guests: null,
  mine: false,
  can_approve: false,
  created_by_name: 'Ana Ruiz',
  launched_by_name: null,
  launched_at: null,
  approved_by: null,
  approved_at: null,
  expires_at: null,
  paused_by: null,
  stopped_by: null,
  started_at: null,
  finished_at: null,
  winner: null,
  winner_reason: null,
  progress: none,
  follow_ups: 0,
  created_at: '2026-11-20T12:00:00+00:00',
  updated_at: '2026-11-20T12:00:00+00:00',
  undo_until: null,
  messages: [
    {
      ...{ id: first, step: 1, variant: 'a', after_days: null, ...text, ...plain },
      body: exampleInput.messages[0]?.body ?? '',
    },
    {
      ...{ id: other, step: 1, variant: 'b', after_days: null, ...text, ...plain },
      body: exampleInput.messages[1]?.body ?? '',
    },
    {
      ...{ id: later, step: 2, variant: 'a', after_days: 7, ...text, ...plain },
      body: exampleInput.messages[2]?.body ?? '',
    },
  ],
}

/** A campaign for 6,210 guests that a colleague has launched. */
export const exampleWaiting: Campaign = {
  ...exampleCampaign,
  status: 'waiting_approval',
  version: 2,
  guests: 6210,
  can_approve: true,
  launched_by_name: 'Ana Ruiz',
  launched_at: '2026-11-20T12:10:00+00:00',
  expires_at: '2026-11-26T10:00:00+00:00',
}

const approved = { approved_by: 'Luis Gil', approved_at: '2026-11-20T15:00:00+00:00', expires_at: null }
export const exampleScheduled: Campaign = {
  ...exampleWaiting,
  ...approved,
  status: 'scheduled',
  can_approve: false,
}

export const exampleSending: Campaign = {
  ...exampleScheduled,
  status: 'sending',
  started_at: '2026-11-26T10:00:00+00:00',
  progress: { processed: 1242, sent: 700, skipped: 210, failed: 2, pending: 330, simulated: 0 },
}

const { messages: _, ...summary } = exampleSending
export const exampleSummary = summary

export const examplePreview: CampaignPreview = {
  matched: 7400,
  to_send: 6210,
  held_by_quiet_hours: 0,
  control: 690,
  skipped: {
    no_address: 190,
    not_mobile: 20,
    suppressed: 40,
    no_consent: 90,
    needs_template: 0,
    no_provider: 0,
    no_app_url: 0,
    frequency_cap: 30,
    guest_frequency: 0,
    brand_muted: 0,
    duplicate: 10,
    control_group: 690,
    recently_written: 120,
  },
  variants: { a: 621, b: 621, rest: 4968 },
  starts_at: '2026-11-26T10:00:00+00:00',
  approve_above: 5000,
  needs_approval: true,
  asks_again: true,
  seed: null,
  guest: {
    customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
    customer_name: 'Ana Ruiz',
    reason: null,
    group: 'a',
    messages: [
      {
        step: 1,
        variant: 'a',
        gets: true,
        channel: 'sms',
        subject: null,
        body: 'Ana, hay menú de otoño en Triana.',
        html: null,
        content_sid: null,
        content_variables: {},
        goes_at: '2026-11-26T10:00:00+00:00',
      },
    ],
  },
  check: exampleCheck,
}

const exampleProgress = { processed: 740, sent: 610, skipped: 128, failed: 2, pending: 0, simulated: 0 }

export const exampleResults: CampaignResults = {
  messages: [
    {
      ...{ id: first, step: 1, variant: 'a', channel: 'sms', progress: exampleProgress, delivered: 598 },
      left_out: [{ status: 'skipped', reason: 'control_group', messages: 69 }],
    },
  ],
  versions: [
    {
      ...{ variant: 'a', sent: 610, delivered: 598, opened: 0, clicked: 0, unsubscribed: 4, complained: 0 },
      ...{ bounced: 0, failed: 2, simulated: 0, links: [] },
    },
    {
      ...{
        variant: 'b',
        sent: 612,
        delivered: 604,
        opened: 231,
        clicked: 48,
        unsubscribed: 3,
        complained: 1,
      },
      ...{ bounced: 5, failed: 0, simulated: 0 },
      links: [{ url: 'https://norte.example/carta', clicks: 61, guests: 48 }],
    },
  ],
  attributed: { reservations: 140, covers: 402, revenue: 14_070, estimated_revenue: 980 },
  ab: {
    winner_by: 'visits',
    decides_at: '2026-11-28T10:00:00+00:00',
    winner: 'b',
    winner_reason: 'unclear',
    versions: [
      { variant: 'a', guests: 610, booked: 31, clicked: null },
      { variant: 'b', guests: 612, booked: 40, clicked: null },
    ],
    known: 'unclear',
    ahead: 'b',
    difference: { per_thousand: 14.5, low: -11.8, high: 41.3 },
  },
  lift: { ...exampleLift },
}

export const exampleRecipient: CampaignRecipient = {
  id: '5b4c3d2e-1f0a-4b9c-8d7e-6f5a4b3c2d1f',
  customer_id: '0a9c1d2e-3f40-4b5a-8c6d-7e8f90a1b2c3',
  customer_name: 'Ana Ruiz',
  ...{ step: 1, variant: 'b', channel: 'email', status: 'delivered', reason: null },
  created_at: '2026-11-26T10:00:00+00:00',
  sent_at: '2026-11-26T10:00:04+00:00',
  ...{ opened: true, clicked: true, unsubscribed: false, outcome: 'clicked' },
}

export const exampleSent: SentMessage = {
  ...{ step: 1, variant: 'a', language: 'es', channel: 'sms', subject: null, html: null },
  text: 'Ana, hay menú de otoño en Triana.\nBAJA al +34900000001',
  ...{ content_sid: null, content_variables: {} },
}
