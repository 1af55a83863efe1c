import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../fakes/pms/random'
import {
  CHANNELS,
  type DrawnGroup,
  drawClosed,
  drawGroup,
  drawSuppressions,
  type Expected,
  expectClaims,
  expectPlan,
  goesAt,
  type Message,
  wishesOf,
} from '../support/drawn-sends'
import { type Stack, startStack } from '../support/stack'

// Whether a message goes, by which channel, from when, and why not: a plan, its preview and the claim say the same, and
// what the rules in tests/support/drawn-sends.ts say. VERDICT_GROUPS=2000 draws more.
const GROUPS = Number(process.env.VERDICT_GROUPS ?? 60)
const BATCH = 50
/** Far above what one takes, so that only what hangs is ended. */
const SECONDS_A_GROUP = 3

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.sql(FILL)
})
afterAll(() => stack?.close())

/** Puts drawn groups into the database. */
const FILL = `
create function private.fill_suppressions(p_org uuid, p_suppressions jsonb) returns void language plpgsql as $$
declare
  s record;
begin
  for s in select d ->> 'channel' as channel, d ->> 'address' as address, reason
    from jsonb_array_elements(p_suppressions) with ordinality as f (d, n)
    cross join jsonb_array_elements_text(d -> 'history') with ordinality as h (reason, k) order by n, k
  loop
    perform public.suppress_addresses(p_org, s.channel, array[s.address], s.reason);
  end loop;
end $$;
create function private.fill_drawn(p_groups jsonb) returns void language plpgsql as $$
declare
  g jsonb;
  v_org uuid;
  v_now timestamptz;
begin
  for g in select * from jsonb_array_elements(p_groups) loop
    v_org := (g ->> 'id')::uuid;
    v_now := (g ->> 'now')::timestamptz;
    insert into public.organizations (id, name, slug, timezone, frequency_cap_days, quiet_from, quiet_until, control_share)
    values (v_org, 'Grupo', 'g-' || v_org, g ->> 'timezone', (g ->> 'cap_days')::integer, (g -> 'quiet' ->> 0)::time,
      (g -> 'quiet' ->> 1)::time, 0);
    insert into public.locations (id, organization_id, name, timezone, quiet_from, quiet_until)
    select (p ->> 'id')::uuid, v_org, 'Local ' || n, p ->> 'timezone', (p -> 'quiet' ->> 0)::time, (p -> 'quiet' ->> 1)::time
    from jsonb_array_elements(g -> 'places') with ordinality as d (p, n);
    insert into public.brands (id, organization_id, name, slug)
    select b::uuid, v_org, 'Marca ' || n, 'marca-' || n from jsonb_array_elements_text(g -> 'brands') with ordinality as d (b, n);
    insert into public.customers (id, organization_id, email, phone, whatsapp_id, total_visits, total_spend, consents,
      location_id, birth_date, write_frequency, muted_brands)
    select (c ->> 'id')::uuid, v_org, c ->> 'email', c ->> 'phone', c ->> 'whatsapp_id', (c ->> 'visits')::integer, 500,
      c -> 'consents', (c ->> 'location_id')::uuid, v_now::date + 2 - interval '30 years',
      case when (c ->> 'monthly')::boolean then 'monthly' end, array(select jsonb_array_elements_text(c -> 'muted')::uuid)
    from jsonb_array_elements(g -> 'guests') as d (c);
    perform private.fill_suppressions(v_org, g -> 'suppressions');
    insert into public.whatsapp_windows (organization_id, address, last_inbound_at)
    select v_org, address, v_now from jsonb_array_elements_text(g -> 'windows') as address on conflict do nothing;
    if g ->> 'type' = 'campaign' then
      insert into public.campaigns (id, organization_id, name, status, started_at, planned_at, rest_planned_at)
      values ((g ->> 'first')::uuid, v_org, 'Campaña', 'sending', v_now, v_now, v_now);
      insert into public.automations (id, organization_id, name, type, channel, status, campaign_id, step, variant)
      values ((g ->> 'first')::uuid, v_org, 'Primero', 'campaign', 'email', 'active', (g ->> 'first')::uuid, 1, 'a');
    end if;
    insert into public.automations (id, organization_id, name, type, channel, fallback_channel, status, content_sid, criteria,
      control_share, campaign_id, step, variant, after_days)
    select (g ->> 'automation')::uuid, v_org, 'Mensaje', g ->> 'type', g ->> 'channel', g ->> 'fallback', 'active',
      g ->> 'content_sid', case g ->> 'type' when 'vip_reward' then '{"min_spend": 100}'::jsonb
        when 'birthday' then '{"days_before": 7}' when 'no_show' then '{"hours_after": 24, "window_hours": 72}' else '{}' end,
      (g ->> 'control_share')::smallint, f.campaign, f.step, f.variant, f.days
    from (select (g ->> 'first')::uuid as campaign, 2 as step, 'a' as variant, (g ->> 'after_days')::smallint as days
      where g ->> 'type' = 'campaign' union all select null, null, null, null where g ->> 'type' <> 'campaign') as f;
    if g ->> 'type' = 'campaign' then
      insert into public.automation_runs (organization_id, automation_id, automation_name, triggered_by, started_at, status, planning)
      values (v_org, (g ->> 'automation')::uuid, 'Mensaje', 'manual', v_now, 'running', true);
    end if;
    insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, channel, recipient, status,
      dedupe_key, created_at, sent_at, not_before)
    select v_org, 'marketing', 'campaign', case when e.own then (g ->> 'first')::uuid end, e.customer_id, 'email', 'x@example.com',
      e.status, gen_random_uuid()::text, at.at, case when e.status = 'sent' then at.at end, v_now + interval '30 days'
    from jsonb_to_recordset(g -> 'earlier') as e (customer_id uuid, days integer, status text, own boolean)
    cross join lateral (select v_now - make_interval(days => e.days, hours => 1) as at) as at;
    if g ->> 'type' = 'reservation_confirmation' then
      insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
        party_size, status, source)
      select v_org, (g -> 'places' -> 0 ->> 'id')::uuid, (c ->> 'id')::uuid, v_now::date + 5, '21:00', 2, 'confirmed', 'pms'
      from jsonb_array_elements(g -> 'guests') as d (c);
    elsif g ->> 'type' = 'no_show' then
      insert into public.reservations (organization_id, location_id, customer_id, reservation_date, reservation_time,
        party_size, status, source, created_at)
      select v_org, (g -> 'places' -> 0 ->> 'id')::uuid, (c ->> 'id')::uuid, at.at::date, at.at::time, 2, 'no_show', 'pms',
        v_now - interval '9 days'
      from jsonb_array_elements(g -> 'guests') as d (c)
      cross join lateral (select (v_now - interval '30 hours') at time zone (g -> 'places' -> 0 ->> 'timezone') as at) as at;
    end if;
  end loop;
end $$`

/** The id of a campaign is that of its first message. */
const firstOf = ({ id }: DrawnGroup) => id.replace(/^.{8}/, 'ffffffff')
const json = (groups: DrawnGroup[]) =>
  JSON.stringify(groups.map((group) => ({ ...group, first: firstOf(group) })))

/** Plans every group; the counts of the previews just before. */
async function plan(groups: DrawnGroup[]): Promise<Map<string, Record<string, number>>> {
  await stack.sql('select private.fill_drawn($1::jsonb)', [json(groups)])
  const previews = new Map<string, Record<string, number>>()
  for (const group of groups) {
    const asked = [group.automation, group.now, JSON.stringify(group.closed)]
    const [before] = await stack.sql<{
      plan: { matched: number; skipped: Record<string, number>; held: number }
    }>('select private.preview_of(a, $2, $3, null) as plan from public.automations a where a.id = $1', asked)
    const { matched = 0, skipped = {}, held = 0 } = before?.plan ?? {}
    previews.set(group.id, { matched, held, ...skipped })
    await stack.sql(
      group.type === 'campaign'
        ? 'select private.plan_campaign_part(a, $2, 1000, $3) from public.automations a where a.id = $1'
        : `select public.enqueue_run(a.organization_id, a.id, 'manual', $2, null, 1000, $3) from public.automations a where a.id = $1`,
      asked,
    )
  }
  return previews
}

const rowsOf = async (groups: DrawnGroup[]) => {
  const rows = await stack.sql<Message>(
    `select m.organization_id::text, m.customer_id::text, m.channel, m.recipient, m.status, m.reason, m.not_before
     from public.messages m where m.automation_id = any($1::uuid[])`,
    [groups.map(({ automation }) => automation)],
  )
  return new Map(rows.map((row) => [row.customer_id, { ...row, not_before: new Date(row.not_before) }]))
}

/** Claims every channel until nothing moves any more. */
async function claim(group: DrawnGroup, now: Date): Promise<void> {
  for (let round = 0; ; round++) {
    expect(round).toBeLessThan(4)
    let moved = false
    for (const channel of CHANNELS) {
      if (group.closed[channel] === 'no_provider') continue
      const [answer] = await stack.sql<{ batch: { moved?: boolean } }>(
        `select public.claim_messages($1, $2, 500, 60, $3, p_automation => $4, p_closed => $5) as batch`,
        [group.id, channel, now, group.automation, JSON.stringify(group.closed)],
      )
      moved ||= answer?.batch.moved ?? false
    }
    if (!moved) return
  }
}

/** Something becomes different while the messages wait. */
function change(random: Random, group: DrawnGroup): DrawnGroup {
  // Some addresses go; or nearly all of the group's channel; or all e-mails, and the phone is then one.
  const what = random.pick(['some', 'channel', 'together'] as const)
  const [email, phone] = group.channel === 'email' ? [0.8, 0] : [0, 0.8]
  const gone = { some: [0.25, 0.25], channel: [email, phone], together: [1, 0] }[what]
  const guests = group.guests.map((guest) => ({
    ...guest,
    email: random.chance(gone[0] ?? 0) ? null : guest.email,
    phone: what === 'together' ? '+34620000000' : random.chance(gone[1] ?? 0) ? null : guest.phone,
    // One in six has made up their mind anew.
    ...(guest.id < '2b' && wishesOf(`again ${guest.id}`, group.brands)),
  }))
  return {
    ...group,
    guests,
    closed: random.chance(0.3) ? drawClosed(random) : group.closed,
    suppressions: [
      ...group.suppressions,
      // Also of an address that is gone.
      ...group.guests.flatMap((guest) => drawSuppressions(random, guest, what === 'some' ? 0.4 : 0.1)),
    ],
    earlier: [
      ...group.earlier,
      ...guests.flatMap(({ id }) =>
        random.chance(0.15) ? [{ customer_id: id, days: 0, status: 'sent' as const, own: false }] : [],
      ),
    ],
  }
}

async function apply(before: DrawnGroup, after: DrawnGroup): Promise<void> {
  await stack.sql(
    `update public.customers c set email = g.email, phone = g.phone, muted_brands = g.muted,
       write_frequency = case when g.monthly then 'monthly' end
     from jsonb_to_recordset($1::jsonb) as g (id uuid, email text, phone text, monthly boolean, muted uuid[])
     where c.id = g.id`,
    [JSON.stringify(after.guests)],
  )
  await stack.sql('select private.fill_suppressions($1, $2::jsonb)', [
    after.id,
    JSON.stringify(after.suppressions.slice(before.suppressions.length)),
  ])
  await stack.sql(
    `insert into public.messages (organization_id, kind, purpose, customer_id, channel, recipient, status, dedupe_key,
       created_at, sent_at)
     select $1, 'marketing', 'campaign', e.customer_id, 'email', 'x@example.com', 'sent', gen_random_uuid()::text, $3, $3
     from jsonb_to_recordset($2::jsonb) as e (customer_id uuid)`,
    [after.id, JSON.stringify(after.earlier.slice(before.earlier.length)), after.now],
  )
}

describe('the verdict about a message', () => {
  it(
    `is one for preview, plan and claim, and follows the rules, in ${GROUPS} groups`,
    async () => {
      const random = createRandom('verdicts')
      const seen = new Map<string, number>()
      const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
      for (let done = 0; done < GROUPS; done += BATCH) {
        const groups = Array.from({ length: Math.min(BATCH, GROUPS - done) }, () => drawGroup(random))
        const previews = await plan(groups)
        const planned = await rowsOf(groups)
        for (const group of groups) {
          const expected = expectPlan(group)
          const counts: Record<string, number> = { matched: group.guests.length, held: 0 }
          for (const guest of group.guests) {
            const { reason, channel, address } = expected.get(guest.id) as Expected
            const at = goesAt(group, guest)
            if (reason === null && at > group.now) counts.held = (counts.held ?? 0) + 1
            if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1
            const row = planned.get(guest.id)
            expect({ ...row, group, guest }).toMatchObject({
              ...{
                reason,
                channel,
                recipient: address,
                status: reason === null ? 'queued' : 'skipped',
                group,
              },
              ...(reason === null && {
                not_before: group.type === 'reservation_confirmation' ? group.now : at,
              }),
            })
            note(`planned ${reason ?? (channel === group.channel ? 'goes' : 'goes by the fallback')}`)
          }
          expect({ counts: previews.get(group.id), group }).toEqual({ counts, group })
        }

        const changed = groups.map((group, n) => (n % 3 === 0 ? group : change(random, group)))
        for (const [n, group] of changed.entries()) {
          if (n % 3 > 0) await apply(groups[n] as DrawnGroup, group)
          await claim(group, group.now)
        }
        const claimed = await rowsOf(groups)
        for (const group of changed) {
          const of = (rows: Map<string, Message>) =>
            new Map(group.guests.flatMap(({ id }) => [...rows].filter(([guest]) => guest === id)))
          const [before, after] = [of(planned), of(claimed)]
          const expected = expectClaims(group, before)
          for (const [guest, row] of expected) {
            // What is skipped keeps what it was about to be.
            const { channel, recipient, not_before, ...rest } = row
            const all = row.status === 'skipped' ? rest : { ...rest, channel, recipient, not_before }
            expect({ ...after.get(guest), guest, group, was: before.get(guest) }).toMatchObject({
              ...all,
              group,
            })
            if (before.get(guest)?.status === 'queued')
              note(channel !== before.get(guest)?.channel ? 'moves' : `claimed ${row.reason ?? row.status}`)
          }
        }
      }
      // The draw meets what it is about.
      for (const what of [
        'planned goes by the fallback',
        'planned not_mobile',
        'planned suppressed',
        'planned frequency_cap',
        'planned control_group',
        'planned duplicate',
        'planned needs_template',
        'planned no_provider',
        'planned no_app_url',
        'moves',
        'claimed suppressed',
        // Named cases of tests/api/message-moves.test.ts and preferences-kept.test.ts, too: few groups have them.
        ...(GROUPS < 200 ? [] : ['claimed duplicate', 'claimed guest_frequency', 'claimed brand_muted']),
        ...(GROUPS < 200 ? [] : ['planned guest_frequency', 'planned brand_muted']),
        'claimed frequency_cap',
      ])
        expect(`${what}: ${seen.get(what) ?? 0}`).not.toBe(`${what}: 0`)
    },
    GROUPS * SECONDS_A_GROUP * 1000,
  )
})
