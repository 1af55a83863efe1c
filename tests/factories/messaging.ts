import { completeCriteria } from '@/lib/automations/check'
import type { AutomationType } from '@/lib/automations/types'
import type { Stack } from '../support/stack'

export interface NewAutomation {
  type: AutomationType
  name?: string
  channel?: 'whatsapp' | 'sms' | 'email'
  fallback_channel?: string | null
  status?: 'active' | 'inactive'
  subject?: string | null
  body?: string
  content_sid?: string
  content_variables?: Record<string, string>
  email_design?: object
  criteria?: object
  location_ids?: string[]
  tags?: string[]
  tier_ids?: string[]
  control_share?: number | null
}

let count = 0

/** As the API stores them; what it would refuse stays as it is. */
export const complete = ({ type, criteria = {} }: NewAutomation): object =>
  completeCriteria(type, criteria).data ?? criteria

/** An active automation by e-mail, made behind the API; returns its id. */
export async function createAutomation(
  stack: Stack,
  groupId: string,
  automation: NewAutomation,
): Promise<string> {
  const row = {
    name: `Automatización ${++count}`,
    channel: 'email',
    fallback_channel: null,
    status: 'active',
    subject: 'Hola {{ first_name }}',
    body: 'Te esperamos en {{ location_name }}.',
    location_ids: [],
    tags: [],
    tier_ids: [],
    ...automation,
    criteria: complete(automation),
  }
  return insert(stack, 'automations', { organization_id: groupId, ...row })
}

const declared = { basis: 'existing_customer', source: 'import', at: '2026-01-01T12:00:00Z' }
/** A basis on record for every channel: `customers.consents` of a customer who may get marketing. */
export const DECLARED = { whatsapp: declared, sms: declared, email: declared }

/** Inserts a customer without the API, with consent for marketing unless `consents` is given; returns its id. */
export function createCustomer(
  stack: Stack,
  groupId: string,
  customer: Record<string, unknown>,
): Promise<string> {
  return insert(stack, 'customers', { organization_id: groupId, consents: DECLARED, ...customer })
}

/** A reservation of two at 21:00 from the PMS, made behind the API; returns its id. */
export function createReservation(
  stack: Stack,
  groupId: string,
  row: Record<string, unknown>,
): Promise<string> {
  const usual = { party_size: 2, reservation_time: '21:00', status: 'confirmed', source: 'pms' }
  return insert(stack, 'reservations', { organization_id: groupId, ...usual, ...row })
}

async function insert(stack: Stack, table: string, row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row).join(', ')
  const [made] = await stack.sql<{ id: string }>(
    `insert into public.${table} (${columns})
     select ${columns} from jsonb_populate_record(null::public.${table}, $1::jsonb) returning id::text`,
    [JSON.stringify(row)],
  )
  return made?.id ?? ''
}

/** Nobody's marketing message waits for the morning. */
export async function noQuietHours(stack: Stack): Promise<void> {
  await stack.sql(`update public.organizations set quiet_from = '00:00', quiet_until = '00:00'`)
}
