import { planCampaign } from '@/lib/campaigns/plan'
import { db, drainAt, fakeProvider, group, NOON, sql } from './outbox'

/** Everybody. */
const EVERYONE = { field: 'visits', min: 0 }

/** A shared segment; returns its id. */
export async function segment(definition: object = EVERYONE, name = 'Todos'): Promise<string> {
  const [made] = await sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, definition) values ($1, $2, true, $3) returning id::text`,
    [group.id, name, JSON.stringify(definition)],
  )
  return made?.id ?? ''
}

export const first = {
  step: 1,
  variant: 'a',
  channel: 'email',
  subject: 'Hola {{ first_name }}',
  body: 'Uno',
}
export const second = { ...first, variant: 'b', body: 'Dos' }
export const followUp = (step: number, after_days: number) => ({
  ...first,
  step,
  after_days,
  body: `Paso ${step}`,
})

/** A draft made behind the API, without a control group; returns its id. */
export async function draft(fields: Record<string, unknown> = {}): Promise<string> {
  const row = {
    name: 'Otoño',
    segment_id: fields.segment_id ?? (await segment()),
    control_share: 0,
    messages: [first],
    ...fields,
  }
  const { data } = await db
    .rpc('save_campaign', { p_organization: group.id, p_id: null as never, p_fields: row as never })
    .throwOnError()
  return (data as { id: string }).id
}

export async function launch(id: string, now = NOON, guests = 1_000_000, person?: string): Promise<string> {
  const { version } = await stored(id)
  const { data } = await db
    .rpc('launch_campaign', {
      p_organization: group.id,
      p_campaign: id,
      p_person: (person ?? null) as never,
      p_guests: guests,
      p_version: version,
      p_now: now.toISOString(),
    })
    .throwOnError()
  return data as string
}

export async function move(id: string, action: string, now = NOON, more: object = {}): Promise<string> {
  const { data } = await db
    .rpc('move_campaign', {
      p_organization: group.id,
      p_campaign: id,
      p_action: action,
      p_person: null as never,
      p_now: now.toISOString(),
      ...more,
    })
    .throwOnError()
  return data as string
}

export interface Stored {
  status: string
  reason: string | null
  winner: string | null
  winner_reason: string | null
  guests: number | null
  version: number
}
export async function stored(id: string): Promise<Stored> {
  const [row] = await sql<Stored>(
    'select status, reason, winner, winner_reason, guests, version from public.campaigns where id = $1',
    [id],
  )
  if (!row) throw new Error('no such campaign')
  return row
}

/** What the job does at `now`, for one campaign: plans, sends, plans again. Returns whom it wrote to. */
export async function tick(id: string, now: Date, fake = fakeProvider(), limit = 10_000): Promise<string[]> {
  const planning = { db, organizationId: group.id, now: () => now, signal: new AbortController().signal }
  const before = fake.sent.length
  await planCampaign(planning, id, fake.providers, limit)
  await drainAt(now, fake.providers)
  await planCampaign(planning, id, fake.providers, limit)
  return fake.sent.slice(before).map(({ recipient, content }) => {
    const [text] = (content.body ?? '').split('\nBaja: ')
    return `${recipient} ${text}`
  })
}

/** The messages of a campaign: guest, step with version, and how it ended. */
export const ends = async (id: string) =>
  (
    await sql<{ line: string }>(
      `select format('%s %s%s %s', c.first_name, a.step, a.variant, coalesce(m.reason, m.status)) as line
       from public.messages m join public.automations a on a.id = m.automation_id
       join public.customers c on c.id = m.customer_id where a.campaign_id = $1 order by a.step, a.variant, c.first_name`,
      [id],
    )
  ).map(({ line }) => line)
