import type { Audience } from './audience'
import type { Accepted } from './fakes'
import type { Place } from './place'

/** What a run came to; all but the first block must be 0. */
export interface Counts {
  recipients: number
  sent: number
  skipped: number
  failed: number
  unknown: number
  kills: number
  stops: number
  acceptedTwice: number
  claimedTwice: number
  twoBodies: number
  lost: number
  untrue: number
}

export interface Verdict {
  counts: Counts
  /** Each violation in words. */
  violations: string[]
}

interface Row {
  id: string
  status: string
  reason: string | null
  recipient: string | null
  step: number
}

const FINAL = ['sent', 'skipped', 'failed', 'unknown'] as const

/** Holds the outbox against what the providers accepted and what went over the wire. */
export async function judge(
  place: Place,
  audience: Audience,
  fates: Pick<Counts, 'kills' | 'stops'>,
): Promise<Verdict> {
  const rows = await place.stack.sql<Row>(
    `select m.id::text, m.status, m.reason, m.recipient, coalesce(a.step, 1)::int as step
     from public.messages m join public.automations a on a.id = m.automation_id where a.id = any($1)`,
    [audience.automations],
  )
  const ledger = [...(await place.twilio.accepted()), ...(await place.resend.accepted())]
  const known = new Map(rows.map((row) => [row.id, row]))
  const accepted = ledger.filter(({ messageId }) => known.has(messageId))
  const taken = new Set(accepted.map(({ messageId }) => messageId))
  const { claimedTwice, twoBodies } = place.watch.report()
  const stepOf = ({ messageId }: Accepted) => known.get(messageId)?.step ?? 1
  const twice = [
    ...repeated(accepted, ({ messageId }) => messageId),
    ...repeated(accepted, (one) => `${one.recipient}, step ${stepOf(one)}`),
  ]
  const open = rows.filter(({ status }) => !FINAL.some((final) => final === status))
  // Who got the first message gets the follow-up.
  const followed = rows.filter(({ step, status }) => step === 1 && status === 'sent').length
  const wanted = audience.customers + (audience.campaign === null ? 0 : followed)
  const without = wanted - rows.length
  const neverLeft = rows.filter(({ id, status }) => status === 'sent' && !taken.has(id))
  const denied = rows.filter(({ id, status }) => ['skipped', 'failed'].includes(status) && taken.has(id))
  const strangers = await place.stack.sql<{ id: string }>(
    `select given.id::text from unnest($1::uuid[]) as given (id)
     where not exists (select 1 from public.messages m where m.id = given.id)`,
    [ledger.map(({ messageId }) => messageId)],
  )
  const books = await unbalanced(place, audience, rows)
  const held = await place.stack.sql<{ id: string }>(
    `select m.id::text from public.messages m
     join public.automations a on a.id = m.automation_id
     join private.enrolments e on e.automation_id = coalesce(a.campaign_id, a.id) and e.customer_id = m.customer_id and e.held
     where m.id = any($1::uuid[])`,
    [[...taken]],
  )
  const count = (status: string) => rows.filter((row) => row.status === status).length
  return {
    counts: {
      recipients: audience.customers,
      sent: count('sent'),
      skipped: count('skipped'),
      failed: count('failed'),
      unknown: count('unknown'),
      ...fates,
      acceptedTwice: twice.length,
      claimedTwice: claimedTwice.length,
      twoBodies: twoBodies.length,
      lost: Math.abs(without) + open.length + neverLeft.length,
      untrue: denied.length + strangers.length + books.length + held.length,
    },
    violations: [
      ...twice.map((what) => `accepted twice: ${what}`),
      ...claimedTwice.map((what) => `claimed twice: ${what}`),
      ...twoBodies.map((key) => `two bodies under the key ${key}`),
      ...(without === 0 ? [] : [`${wanted} messages wanted, ${rows.length} there`]),
      ...open.map(({ id, status }) => `still ${status}: ${id}`),
      ...neverLeft.map(({ id }) => `sent, but nobody accepted it: ${id}`),
      ...denied.map(({ id, status, reason }) => `${status} (${reason}), but it was accepted: ${id}`),
      ...held.map(({ id }) => `accepted, but its guest is in the control group: ${id}`),
      ...strangers.map(({ id }) => `accepted, but in no outbox: ${id}`),
      ...books,
    ],
  }
}

function repeated(accepted: Accepted[], keyOf: (one: Accepted) => string): string[] {
  const groups = Map.groupBy(accepted, keyOf)
  return [...groups].filter(([, group]) => group.length > 1).map(([value]) => value)
}

/** The runs' own counts beside their messages. */
async function unbalanced({ stack }: Place, { automations }: Audience, rows: Row[]): Promise<string[]> {
  const [log] = await stack.sql<Record<string, number>>(
    `select sum(processed)::int as processed, sum(sent)::int as sent, sum(skipped)::int as skipped,
       sum(failed)::int as failed, count(*) filter (where status <> 'finished')::int as open
     from public.automation_runs where automation_id = any($1)`,
    [automations],
  )
  const of = (...statuses: string[]) => rows.filter(({ status }) => statuses.includes(status)).length
  const real = {
    processed: rows.length,
    sent: of('sent'),
    skipped: of('skipped'),
    failed: of('failed', 'unknown'),
    open: 0,
  }
  return Object.entries(real)
    .filter(([name, value]) => log?.[name] !== value)
    .map(([name, value]) => `the log says ${log?.[name]} ${name}, the outbox ${value}`)
}
