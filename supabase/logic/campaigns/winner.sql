-- The test of two versions of a first message: its end, its figures and its winner.

create or replace function private.test_ends(c public.campaigns) returns timestamptz
language sql stable set search_path = ''
as $$
  select coalesce(c.decided_at, case when c.planned_at is not null and not exists (
      select from public.automations a join public.automation_runs run on run.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1 and run.processed > run.sent + run.skipped + run.failed)
    then make_interval(hours => c.test_hours) + greatest(c.planned_at, (
      select max(m.sent_at) from public.automations a join public.messages m on m.automation_id = a.id
      where a.campaign_id = c.id and a.step = 1)) end)
$$;
comment on function private.test_ends(public.campaigns) is
  'When the winner of a campaign''s test is chosen: test_hours after the last of its messages was sent. Null while some are still queued.';
grant execute on function private.test_ends(public.campaigns) to service_role;

create or replace function public.campaign_score(p_organization uuid, p_campaign uuid,
  p_locations uuid[] default null) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  c public.campaigns;
  v_ids uuid[];
  v_first timestamptz;
  v_last timestamptz;
  v_by_guest boolean;
begin
  select * into c from public.campaigns p where p.id = p_campaign and p.organization_id = p_organization;
  if c.test_share is not null then
    v_ids := array(select a.id from public.automations a where a.campaign_id = c.id and a.step = 1);
  end if;
  select min(m.sent_at), max(m.sent_at), private.by_guest(count(*)) into v_first, v_last, v_by_guest
  from public.messages m
  where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered');
  return jsonb_build_object('decides_at', private.test_ends(c), 'winner_by', c.winner_by, 'versions', (
    with sent as materialized (
      select m.automation_id, m.customer_id, min(m.sent_at) as sent_at from public.messages m
      where m.automation_id = any(v_ids) and m.status in ('sent', 'delivered') and m.customer_id is not null
        and m.created_at < coalesce(c.decided_at, 'infinity')
      group by m.automation_id, m.customer_id
    ), booked as (
      select s.automation_id, count(distinct s.customer_id) as guests
      from sent s join public.reservations r on r.customer_id = s.customer_id
        and r.created_at >= s.sent_at and r.created_at < s.sent_at + interval '30 days'
        and (v_by_guest or r.organization_id = p_organization
          and r.created_at >= v_first and r.created_at < v_last + interval '30 days')
        and r.source <> 'import' and r.status not in ('cancelled', 'no_show')
        and (p_locations is null or r.location_id = any(p_locations))
      join public.locations l on l.id = r.location_id
        and r.service_order at time zone l.timezone >= s.sent_at
      group by s.automation_id
    ), versions as (
      select a.id, a.variant, 'email' in (a.channel, a.fallback_channel) as by_email,
        count(s.customer_id) as guests, count(k.customer_id) as clicked
      from public.automations a
      left join sent s on s.automation_id = a.id
      left join private.clicked_of(v_ids) as k on k.automation_id = a.id and k.customer_id = s.customer_id
      where a.id = any(v_ids)
      group by a.id
    )
    select coalesce(jsonb_agg(jsonb_build_object('variant', v.variant, 'guests', v.guests,
      'booked', coalesce(b.guests, 0),
      -- Only e-mails report clicks.
      'clicked', case when v.by_email then v.clicked end) order by v.variant), '[]')
    from versions v left join booked b on b.automation_id = v.id));
end
$$;
comment on function public.campaign_score(uuid, uuid, uuid[]) is
  'The test of a campaign: of each version the guests written to, who of them booked within 30 days for a service after it (at p_locations, or all) and who clicked: {decides_at (see test_ends), winner_by, versions: [{variant, guests, booked, clicked}]}. clicked is null without an e-mail.';
grant execute on function public.campaign_score(uuid, uuid, uuid[]) to service_role;

create or replace function public.choose_winner(p_organization uuid, p_campaign uuid,
  p_winner text default null, p_reason text default null, p_now timestamptz default now())
returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  update public.campaigns set winner = p_winner, winner_reason = p_reason, decided_at = p_now
  where id = p_campaign and organization_id = p_organization and status = 'sending' and decided_at is null
    -- Otherwise the remainder waits for the winner.
    and (p_winner is not null or test_share = 100);
  return found;
end
$$;
comment on function public.choose_winner(uuid, uuid, text, text, timestamptz) is
  'Ends the test of a campaign that is sending, without a winner only where all guests are in it; false when it has ended already, or cannot.';
grant execute on function public.choose_winner(uuid, uuid, text, text, timestamptz) to service_role;
