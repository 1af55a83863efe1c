import { compareVersions, scoreSchema } from '@/lib/campaigns/compare'
import { addDays } from '@/lib/dates'
import { engage } from './campaign-engagement'
import { share, whole } from './chance'
import { daysAgoAt, deliver } from './control-groups'
import type { Service } from './service-client'

const HOUR_MS = 3_600_000
/** Long enough ago that the 30 days of its guests are over. */
const SENT_DAYS_AGO = 44
const FOLLOW_UP_DAYS = 9
/** Of the guests written to, the share that comes once more because of it. */
const BROUGHT_BACK = 0.2
/** As many rows as the API gives at once. */
const PAGE_ROWS = 1000
const SCHEDULED_IN_DAYS = 9
const FAREWELL = '\n\nUn saludo,\n{{ organization_name }}'

const email = (subject: string, body: string) => ({
  ...{ channel: 'email', subject, body: `Hola, {{ first_name }}:\n\n${body}${FAREWELL}` },
})

/** A draft, a campaign that was sent in two versions and has its results, and one that waits for its time. */
export async function seedCampaigns(db: Service, organization_id: string): Promise<void> {
  const personOf = (email: string) =>
    db.from('profiles').select('id').match({ organization_id, email }).single().throwOnError()
  const person = await personOf('marketing@demo.example')
  const approver = await personOf('ceo@demo.example')
  const segments = await db
    .from('segments')
    .select('id, name')
    .eq('organization_id', organization_id)
    .throwOnError()
  const segment = (name: string) => segments.data.find((one) => one.name === name)?.id ?? null
  const common = { p_organization: organization_id, p_person: person.data.id }
  const save = async (fields: object): Promise<string> => {
    const saved = await db
      .rpc('save_campaign', { ...common, p_id: null as never, p_fields: fields as never })
      .throwOnError()
    return (saved.data as { id: string }).id
  }
  // A large demo has more guests than one person may write to alone.
  const launch = async (p_campaign: string, at: Date): Promise<void> => {
    const p_now = at.toISOString()
    await db
      .rpc('launch_campaign', { ...common, p_campaign, p_guests: 1_000_000, p_version: 1, p_now })
      .throwOnError()
    const found = await db
      .from('campaigns')
      .select('status, guests')
      .eq('id', p_campaign)
      .single()
      .throwOnError()
    if (found.data.status !== 'waiting_approval') return
    const p_guests = found.data.guests ?? 0
    const approved = { p_organization: organization_id, p_campaign, p_action: 'approve', p_version: 1, p_now }
    await db.rpc('move_campaign', { ...approved, p_person: approver.data.id, p_guests }).throwOnError()
  }

  await seedSent(db, organization_id, { save, launch, segment_id: segment(REGULARS) })
  const christmas = await save({
    name: 'Mesas para las comidas de empresa',
    segment_id: segment(REGULARS),
    starts_local: `${addDays(new Date().toISOString().slice(0, 10), SCHEDULED_IN_DAYS)}T11:00`,
    exclude_recent_days: 7,
    messages: [
      {
        ...{ step: 1, variant: 'a' },
        ...email(
          '¿Ya tenéis mesa para la comida de empresa?',
          'quedan pocas fechas para grupos en {{ location_name }}. Dinos cuántos sois y te proponemos un menú.',
        ),
      },
    ],
  })
  await launch(christmas, new Date())
  await save({
    name: 'Vuelven los arroces de los jueves',
    segment_id: segment('Venían mucho y llevan dos meses sin venir'),
    exclude_recent_days: 14,
    messages: [
      {
        ...{ step: 1, variant: 'a' },
        ...email('Los jueves, arroz', 'te guardamos mesa y ración este jueves. Hace tiempo que no te vemos.'),
      },
    ],
  })
}

/** The segment of those who come now and then, and have an e-mail. */
export const REGULARS = 'Vienen de vez en cuando y tienen correo'

interface Sent {
  save: (fields: object) => Promise<string>
  launch: (id: string, at: Date) => Promise<void>
  segment_id: string | null
}

/** A campaign of last month: planned as on those days, delivered, opened, decided and finished. */
async function seedSent(
  db: Service,
  p_organization: string,
  { save, launch, segment_id }: Sent,
): Promise<void> {
  const at = daysAgoAt(SENT_DAYS_AGO, '12:00')
  const after = (hours: number) => new Date(at.getTime() + hours * HOUR_MS)
  const p_campaign = await save({
    name: 'Jornadas de la trufa',
    segment_id,
    control_share: 15,
    ...{ test_share: 100, winner_by: 'visits', test_hours: 72 },
    messages: [
      {
        ...{ step: 1, variant: 'a' },
        ...email(
          'Jornadas de la trufa en {{ location_name }}',
          'tres semanas de trufa negra, plato a plato.',
        ),
      },
      {
        ...{ step: 1, variant: 'b' },
        ...email(
          '{{ first_name }}, ¿la pruebas rallada o laminada?',
          'tres semanas de trufa negra, plato a plato.',
        ),
      },
      {
        ...{ step: 2, variant: 'a', after_days: FOLLOW_UP_DAYS },
        ...email('Última semana de trufa', 'el domingo se acaba. ¿Te guardamos mesa?'),
      },
    ],
  })
  const created_at = after(-48).toISOString()
  await db.from('campaigns').update({ created_at }).eq('id', p_campaign).throwOnError()
  await launch(p_campaign, at)
  const plan = async (moment: Date): Promise<{ decide: boolean }> => {
    const planned = await db
      .rpc('plan_campaign', { p_organization, p_campaign, p_now: moment.toISOString() })
      .throwOnError()
    const { more, decide } = planned.data as { more: boolean; decide: boolean }
    if (more) return plan(moment)
    const messages = await db.from('automations').select('id').eq('campaign_id', p_campaign).throwOnError()
    const ids = messages.data.map(({ id }) => id)
    const runs = await db.from('automation_runs').select('id').in('automation_id', ids).throwOnError()
    for (const { id } of runs.data) await deliver(db, id, moment, 'Jornadas de la trufa', 'resend')
    return { decide }
  }
  // A large demo's waits a minute, to be undone.
  await plan(new Date(at.getTime() + 60_000))
  await bringBack(db, p_campaign, SENT_DAYS_AGO)
  await engage(db, p_organization, p_campaign, at)
  if ((await plan(after(73))).decide) {
    const score = await db.rpc('campaign_score', { p_organization, p_campaign }).throwOnError()
    const { known, ahead } = compareVersions(scoreSchema.parse(score.data))
    const decided = { p_winner: ahead ?? 'a', p_reason: known, p_now: after(73).toISOString() }
    await db.rpc('choose_winner', { p_organization, p_campaign, ...decided }).throwOnError()
  }
  await plan(after(24 * FOLLOW_UP_DAYS + 1))
  await plan(after(24 * (FOLLOW_UP_DAYS + 3)))
}

/** Lets some of those who were written to dine once more: without an effect, the comparison would show chance alone. */
async function bringBack(db: Service, campaign_id: string, daysAgo: number): Promise<void> {
  const pageFrom = async (from: number) =>
    (
      await db
        .from('messages')
        .select('customers!inner(id, email, phone, first_name, last_name, location_id), automations!inner()')
        .eq('automations.campaign_id', campaign_id)
        // Not the control group, nor who had another message of late.
        .eq('status', 'delivered')
        .order('id')
        .range(from, from + PAGE_ROWS - 1)
        .throwOnError()
    ).data
  const written = await pageFrom(0)
  for (let read = written.length; read === PAGE_ROWS; ) {
    const page = await pageFrom(written.length)
    written.push(...page)
    read = page.length
  }
  const guests = written
    .map(({ customers }) => customers)
    .filter(({ email, location_id }) => email && location_id && share(email, 'truffle') < BROUGHT_BACK)
  const places = Map.groupBy(guests, ({ location_id }) => location_id ?? '')
  for (const [p_location, came] of places) {
    const rows = came.map(({ id, email, phone, first_name, last_name }) => ({
      ...{ external_id: `truffle-${id}`, email, phone, first_name, last_name },
      customer_name: [first_name, last_name].filter(Boolean).join(' ') || null,
      reservation_date: addDays(
        new Date().toISOString().slice(0, 10),
        whole(email ?? '', 'truffle day', 4, 24) - daysAgo,
      ),
      ...{
        reservation_time: '21:00',
        party_size: whole(email ?? '', 'truffle table', 2, 4),
        status: 'completed',
      },
      ...{ pms_status: null, notes: null, zone_name: null, table_name: null },
    }))
    await db.rpc('sync_reservations', { p_location, p_rows: rows as never }).throwOnError()
  }
}
