import { z } from 'zod'
import type { JobContext } from '@/lib/jobs/job'
import { notificationSchema, remindersBodySchema, renderNotification } from '@/lib/messaging/notification'
import { createGroup, type Group, type Person, stackClient } from '../factories/group'
import { emptyTables } from './empty-tables'
import type { Stack } from './stack'

/** When the jobs of these tests run, unless they say otherwise. */
export const NOW = '2026-11-20T12:00:00.000Z'

interface EventFields {
  customer?: string | null
  assignee?: string | null
  minutes?: number
  location?: string | null
}

interface TicketFields {
  priority?: string
  status?: string
  assignee?: string | null
  location?: string | null
  organization?: string
}

interface Message {
  kind: string
  channel: string
  recipient: string
  customer_id: string | null
  status: string
  content: unknown
}

/** A group with events and tickets to notify, its people, and another group. */
export interface Notices {
  group: Group
  other: Group
  people: Record<'boss' | 'admin' | 'cook' | 'boundAdmin' | 'foreignAdmin', Person>
  location: (name: 'Norte' | 'Canarias') => string
  newCustomer: (email: string | null) => Promise<string>
  newEvent: (at: string, fields?: EventFields) => Promise<string>
  newTicket: (fields?: TicketFields) => Promise<string>
  set: (
    table: 'calendar_events' | 'tickets',
    id: string,
    assignment: string,
    value?: unknown,
  ) => Promise<unknown>
  context: (now?: string) => JobContext
  /** What is in the outbox. */
  messages: () => Promise<Message[]>
  recipients: () => Promise<string[]>
  rendered: () => Promise<ReturnType<typeof renderNotification>[]>
  /** Queues what a job would, and sends nothing; how many messages. */
  queue: (name: string, now?: string) => Promise<number>
  clear: () => Promise<unknown>
}

/** NOW or another instant, so many minutes later. */
export const plusMinutes = (minutes: number, from = NOW) =>
  new Date(Date.parse(from) + minutes * 60_000).toISOString()

/** The counts of a job's answer, once it is what the API documents. */
export function counts(body: unknown) {
  const { sent, failed } = remindersBodySchema.parse(body)
  return { sent, failed }
}

/** What has been sent is frozen in words; what waits is data. */
function inWords(content: unknown): ReturnType<typeof renderNotification> {
  const frozen = z.object({ subject: z.string(), body: z.string() }).safeParse(content)
  if (frozen.success) return { subject: frozen.data.subject, text: frozen.data.body }
  return renderNotification(notificationSchema.parse(content))
}

/** Arranges the groups; the clock of every job is the test's. */
export async function arrangeNotices(stack: Stack): Promise<Notices> {
  const group = await createGroup(stack, 'Grupo Avisos', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Canarias', slug: 'canarias', timezone: 'Atlantic/Canary' },
  ])
  const other = await createGroup(stack, 'Otro Grupo')
  const location = (name: string) => String(group.locations.find((one) => one.name === name)?.id)
  const insert = async (sql: string, parameters: unknown[]) => {
    const [row] = await stack.sql<{ id: string }>(`insert into public.${sql} returning id::text`, parameters)
    return String(row?.id)
  }
  const messages = () =>
    stack.sql<Message>(
      `select kind, channel, recipient, customer_id::text, status, content from public.messages
       order by recipient, created_at, dedupe_key`,
    )
  return {
    group,
    other,
    people: {
      boss: await group.person('super_admin'),
      admin: await group.person('admin'),
      cook: await group.person('rrhh'),
      boundAdmin: await group.person('admin', [location('Norte')]),
      foreignAdmin: await other.person('admin'),
    },
    location,
    newCustomer: (email) =>
      insert(`customers (organization_id, email, first_name) values ($1, $2, 'Ana')`, [group.id, email]),
    newEvent: (at, fields = {}) =>
      insert(
        `calendar_events (organization_id, title, event_datetime, customer_id, assignee_id, reminder_minutes,
           location_id) values ($1, 'Cata', $2, $3, $4, $5, $6)`,
        [
          group.id,
          at,
          fields.customer ?? null,
          fields.assignee ?? null,
          fields.minutes ?? 60,
          fields.location ?? null,
        ],
      ),
    newTicket: (fields = {}) =>
      insert(
        `tickets (organization_id, subject, priority, status, assignee_id, location_id, created_at)
         values ($1, 'No imprime', $2, $3, $4, $5, $6)`,
        [
          fields.organization ?? group.id,
          fields.priority ?? 'medium',
          fields.status ?? 'open',
          fields.assignee ?? null,
          fields.location ?? null,
          NOW,
        ],
      ),
    set: (table, id, assignment, value) =>
      stack.sql(
        `update public.${table} set ${assignment} where id = $1`,
        value === undefined ? [id] : [id, value],
      ),
    context: (now = NOW) => ({
      db: stackClient(stack, 'service'),
      now: new Date(now),
      signal: new AbortController().signal,
    }),
    messages,
    recipients: async () => (await messages()).map(({ recipient }) => recipient),
    rendered: async () => (await messages()).map(({ content }) => inWords(content)),
    queue: async (name, now = NOW) => {
      const [done] = await stack.sql<{ queued: string }>(
        `select public.queue_notices($1, $2, $3, 1000) ->> 'queued' as queued`,
        [name, group.id, now],
      )
      return Number(done?.queued)
    },
    clear: () =>
      stack.sql(
        emptyTables(
          'calendar_events',
          'tickets',
          'messages',
          'suppressions',
          'job_runs',
          'job_leases',
          'channel_pace',
        ),
      ),
  }
}
