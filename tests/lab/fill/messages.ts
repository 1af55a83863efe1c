import type { Step } from './steps'

/** Campaigns of the past, one a month, that wrote to one guest in twenty each, who has an address. */
const RUNS = 20

/** The automation whose past runs these are; the frequency cap does not hold any of them back now. */
export const messageSteps = (organization: string, automation: string): Step[] => [
  {
    sql: `create table lab.runs as
      select n, gen_random_uuid() as id, now() - make_interval(days => 20 + n * 30) as at
      from generate_series(1, ${RUNS}) as n`,
  },
  {
    name: 'messages of past runs',
    sql: `insert into public.messages (organization_id, kind, purpose, automation_id, run_id, customer_id, location_id, channel,
        recipient, status, reason, dedupe_key, content, not_before, attempts, frozen_at, provider, provider_id,
        created_at, sent_at, delivered_at, updated_at)
      select $1, 'marketing', 'post_visit', $2, r.id, c.id, c.location_id, m.channel,
        case m.channel when 'email' then c.email else c.phone end, m.status,
        case m.status when 'skipped' then 'frequency_cap' when 'failed' then 'rejected' end,
        'lab:' || r.n || ':' || c.id, m.content, r.at, (m.status <> 'skipped')::integer,
        case when m.status <> 'skipped' then r.at end,
        case when m.status <> 'skipped' then case m.channel when 'email' then 'resend' else 'twilio' end end,
        case when m.status in ('sent', 'delivered') then replace(gen_random_uuid()::text, '-', '') end, r.at,
        case when m.status in ('sent', 'delivered') then r.at + g.spare * interval '2 hours' end,
        case when m.status = 'delivered' then r.at + g.spare * interval '3 hours' end, r.at + interval '3 hours'
      from lab.guests g
      join lab.runs r on r.n = 1 + g.n % ${RUNS}
      join public.customers c on c.id = g.id
      cross join lateral (
        select case when c.email is not null then 'email' else 'sms' end as channel,
          case when g.spare < 0.9 then 'delivered' when g.spare < 0.94 then 'sent' when g.spare < 0.98 then 'skipped'
            else 'failed' end as status,
          jsonb_build_object('subject', 'Novedades de la carta', 'body', 'Hola, ' || c.first_name
            || ': la carta de temporada ya está lista. Te esperamos.') as content) as m
      where coalesce(c.email, c.phone) is not null`,
    values: [organization, automation],
  },
  {
    sql: `insert into public.automation_runs (id, organization_id, automation_id, automation_name, triggered_by, status,
        processed, sent, skipped, failed, started_at, finished_at)
      select r.id, $1, $2, a.name, 'schedule', 'finished', m.processed, m.sent, m.skipped, m.failed, r.at,
        r.at + interval '3 hours'
      from lab.runs r join public.automations a on a.id = $2
      join (select run_id, count(*) as processed, count(*) filter (where status in ('sent', 'delivered')) as sent,
          count(*) filter (where status = 'skipped') as skipped, count(*) filter (where status = 'failed') as failed
        from public.messages where automation_id = $2 group by run_id) as m on m.run_id = r.id`,
    values: [organization, automation],
  },
]
