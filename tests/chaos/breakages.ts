import type { Stack } from '../support/stack'

/** A way to spoil the outbox: in the body of a function, one text instead of another, wherever it is. */
export interface Breakage {
  function: string
  text: string
  instead: string
}

/** What `--break <name>` does, to see the harness notice. */
export const BREAKAGES: Record<string, Breakage> = {
  'resend-unknown': {
    function: 'sweep_leases',
    text: "else 'unknown' end as status",
    instead: "else 'queued' end as status",
  },
  'retry-ambiguous': {
    function: 'finish_messages',
    text: "(m.channel <> 'email' or m.idempotency_key is null)",
    instead: 'false',
  },
  'no-fencing': {
    function: 'freeze_messages',
    text: ' and m.lease_token = f.lease_token and m.lease_until > p_now',
    instead: '',
  },
  'no-fencing-at-the-end': {
    function: 'finish_messages',
    text: ' and m.lease_token = r.lease_token',
    instead: '',
  },
  'forget-attempts': {
    function: 'finish_messages',
    text: "maybe_accepted = m.maybe_accepted or (j.status = 'queued' and j.outcome = 'unknown')",
    instead: 'maybe_accepted = false',
  },
  'fresh-keys': {
    function: 'claimed_messages',
    text: "'idempotency_key', m.idempotency_key",
    instead: "'idempotency_key', gen_random_uuid()",
  },
  'no-freezing': {
    function: 'claimed_messages',
    text: "'frozen', m.frozen_at is not null",
    instead: "'frozen', false",
  },
  'short-leases': {
    function: 'sweep_leases',
    text: 'm.lease_until <= p_now',
    instead: "m.lease_until <= p_now + interval '1 hour'",
  },
  'no-status-check': {
    function: 'due_messages',
    text: "m.status = 'queued'",
    instead: "m.status in ('queued', 'sending')",
  },
  'lost-leases': {
    function: 'sweep_leases',
    text: 'm.lease_until <= p_now',
    instead: "m.lease_until <= p_now - interval '1 year'",
  },
}

/** Replaces the function by a spoilt one. @throws when the text is not in it, so that a breakage does break something. */
export async function breakEngine(stack: Stack, breakage: Breakage): Promise<void> {
  const [row] = await stack.sql<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.proname = $1`,
    [breakage.function],
  )
  if (!row?.definition.includes(breakage.text))
    throw new Error(`${breakage.function} has changed: nothing broken`)
  await stack.sql(row.definition.replaceAll(breakage.text, breakage.instead))
}
