import { randomUUID } from 'node:crypto'
import { addDays, instantAt, localDate } from '@/lib/dates'
import { type AutomationType, isMarketing } from '../../lib/automations/types'
import { type SeededAutomation, seedAutomations } from './automations'
import { oneOf, share, whole } from './chance'
import { type Correspondent, dateBookings, findCorrespondents } from './correspondents'
import { seedEngagement } from './engagement'
import { outcomeOf } from './outcomes'
import { type PlannedMessage, planMessages, RUN_DAYS } from './plan-messages'
import type { SeededLocation, Service } from './service-client'

const ZONE = 'Europe/Madrid'
const BATCH_ROWS = 1000
// The same at any DEMO_SCALE: a history to look at, not a load test.
const OCCASIONAL = { visits: { min: 1, max: 6 }, count: 1000 }
const REGULAR = { visits: { min: 9, max: 14 }, count: 120 }
const PERIOD_DAYS: Partial<Record<AutomationType, number>> = { reengagement: 90, vip_reward: 60 }

type Automations = Record<AutomationType, SeededAutomation>
type Row = ReturnType<typeof messageRow>

/** The demo's automations with the runs, messages and opt-outs of the last months. */
export async function seedMessages(
  db: Service,
  organizationId: string,
  locations: SeededLocation[],
): Promise<void> {
  const automations = await seedAutomations(db, organizationId)
  const people = (
    await Promise.all(
      [OCCASIONAL, REGULAR].map(({ visits, count }) => findCorrespondents(db, organizationId, visits, count)),
    )
  ).flat()
  await dateBookings(db, organizationId, people)
  const today = localDate(new Date(), ZONE)
  const runs = runRows(automations, organizationId, today)
  await db
    .from('automation_runs')
    .insert(runs.map(({ ago, type, ...run }) => run))
    .throwOnError()
  const idOf = new Map(runs.map(({ type, ago, id }) => [`${type} ${ago}`, id]))
  const names = new Map(locations.map(({ id, name }) => [id, name]))
  const rows = people.flatMap((person) =>
    planMessages(person, today).map((planned) => {
      const run_id = idOf.get(`${planned.type} ${planned.ago}`) ?? null
      const location = names.get(planned.booking?.location_id ?? person.location_id ?? '') ?? ''
      return {
        ...messageRow(planned, automations[planned.type], today, location),
        organization_id: organizationId,
        run_id,
      }
    }),
  )
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await db
      .from('messages')
      .insert(rows.slice(from, from + BATCH_ROWS))
      .throwOnError()
  await seedEngagement(db, rows)
  await seedSuppressions(db, organizationId, rows, people)
}

function runRows(automations: Automations, organization_id: string, today: string) {
  return Object.values(automations).flatMap(({ id: automation_id, name: automation_name, type }) =>
    RUN_DAYS[type].map((ago) => {
      const started = runTime(type, ago, today)
      const triggered_by = share(`${type} ${ago}`, 'manual') < 0.15 ? 'manual' : 'schedule'
      return {
        ...{ id: randomUUID(), organization_id, automation_id, automation_name, triggered_by, type, ago },
        event: { name: 'automation/run', data: { automation_id, triggered_by } },
        status: 'finished',
        started_at: started.toISOString(),
        finished_at: new Date(
          started.getTime() + whole(`${type} ${ago}`, 'took', 4, 90) * 1000,
        ).toISOString(),
      }
    }),
  )
}

const runTime = (type: AutomationType, ago: number, today: string) =>
  instantAt(`${addDays(today, -ago)}T${type === 'reservation_confirmation' ? '10' : '11'}:15`, ZONE)

function messageRow(planned: PlannedMessage, automation: SeededAutomation, today: string, location: string) {
  const { type, ago, person, booking } = planned
  const key = `${type} ${ago} ${person.email}`
  const isFallback = automation.fallback_channel !== null && share(key, 'fallback') < 0.12
  const channel = (isFallback && automation.fallback_channel) || automation.channel
  const { status, reason } = outcomeOf(key, channel, isMarketing(type))
  const started = runTime(type, ago, today)
  const wasTried = status !== 'skipped'
  const accepted = status === 'sent' || status === 'delivered'
  const sent = new Date(started.getTime() + whole(key, 'sent after', 1, 60) * 1000)
  return {
    id: randomUUID(),
    kind: isMarketing(type) ? 'marketing' : 'transactional',
    purpose: type,
    automation_id: automation.id,
    customer_id: person.id,
    reservation_id: booking?.id ?? null,
    channel,
    recipient: channel === 'email' ? person.email : person.phone,
    status,
    reason,
    dedupe_key: dedupeKey(planned, automation.id, started),
    content: wasTried ? contentOf(automation, channel, planned, location) : {},
    attempts: wasTried ? 1 : 0,
    provider: wasTried ? 'sandbox' : null,
    not_before: started.toISOString(),
    created_at: started.toISOString(),
    sent_at: accepted ? sent.toISOString() : null,
    delivered_at: status === 'delivered' ? new Date(sent.getTime() + 4000).toISOString() : null,
  }
}

function dedupeKey({ type, person, booking }: PlannedMessage, automationId: string, at: Date): string {
  const period = PERIOD_DAYS[type]
  if (booking) return `${type}:${automationId}:${booking.id}`
  const when = period ? Math.floor(at.getTime() / 86_400_000 / period) : at.getUTCFullYear()
  return `${type}:${automationId}:${person.id}:${when}`
}

function contentOf(
  automation: SeededAutomation,
  channel: string,
  { person, booking }: PlannedMessage,
  location_name: string,
) {
  const values: Record<string, string> = {
    first_name: person.first_name ?? '',
    organization_name: 'Grupo Alborada',
    location_name,
    feedback_link: 'https://alborada.example/f/encuesta',
    total_visits: String(person.total_visits),
    reservation_date: booking?.reservation_date.split('-').reverse().join('/') ?? '',
    reservation_time: booking?.reservation_time.slice(0, 5) ?? '',
    party_size: String(booking?.party_size ?? ''),
  }
  const fill = (text: string) => text.replace(/\{\{ (\w+) \}\}/g, (_, name: string) => values[name] ?? '')
  const { content_sid, content_variables, subject, body } = automation
  if (channel === 'whatsapp' && content_sid) {
    const filled = Object.entries(content_variables).map(([name, text]) => [name, fill(text)])
    return { content_sid, content_variables: Object.fromEntries(filled) }
  }
  return channel === 'email' ? { subject: fill(subject ?? ''), body: fill(body) } : { body: fill(body) }
}

/** The opt-outs: customers with a message skipped for it, and some more. */
async function seedSuppressions(
  db: Service,
  organization_id: string,
  messages: Row[],
  people: Correspondent[],
): Promise<void> {
  const skipped = messages.filter(({ reason }) => reason === 'suppressed')
  const addresses = new Map(
    skipped.map(({ recipient, channel, created_at }) => [`${channel} ${recipient}`, created_at]),
  )
  for (const { email, created_at } of people)
    if (share(email, 'unsubscribed') < 0.01) addresses.set(`email ${email}`, created_at)
  const rows = [...addresses].map(([place, at]) => {
    const [channel = '', address = ''] = place.split(' ')
    const reason =
      channel === 'email'
        ? oneOf(address, 'why', ['unsubscribe', 'unsubscribe', 'unsubscribe', 'bounce', 'complaint'])
        : oneOf(address, 'why', ['stop', 'stop', 'manual'])
    const created_at = new Date(Date.parse(at) - whole(address, 'since', 1, 20) * 3_600_000).toISOString()
    return { organization_id, channel, address, reason, created_at }
  })
  await db.from('suppressions').insert(rows).throwOnError()
}
