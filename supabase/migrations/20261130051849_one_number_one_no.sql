-- Schema 20261130051849. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261130051849', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/consent.sql
-- Whether customers may be written to: addresses that must not be (opt-outs, bounces, complaints), and the
-- consent recorded by channel.

create or replace function private.suppression_rank(p_reason text) returns integer
language sql immutable set search_path = ''
as $$
  select case p_reason when '' then 0 when 'unsubscribe' then 1 when 'stop' then 2 when 'manual' then 3
    when 'bounce' then 4 else 5 end
$$;
comment on function private.suppression_rank(text) is
  'The order of the reasons; the strongest applies: unsubscribe < stop < manual < bounce < complaint.';

create or replace function private.adds_to(p_reason text, s public.suppressions) returns boolean
language sql immutable set search_path = ''
as $$
  select private.suppression_rank(p_reason) > private.suppression_rank(
    case when s.reason = 'bounce' and p_reason <> 'complaint' then coalesce(s.opt_out, '') else s.reason end)
    and p_reason <> s.reason
$$;
comment on function private.adds_to(text, public.suppressions) is
  'Whether another reason to suppress the address says more than what is recorded: a stronger one, or an opt-out from an address that bounced.';

create or replace function private.keep_opt_out() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if new.reason = 'bounce' and old.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := old.reason;
  elsif old.reason = 'bounce' and new.reason in ('unsubscribe', 'stop', 'manual') then
    new.opt_out := new.reason;
    new.reason := 'bounce';
  elsif new.reason <> 'bounce' then
    new.opt_out := null;
  end if;
  return new;
end
$$;
comment on function private.keep_opt_out() is
  'Trigger: an opt-out stays beside the bounce of its address, whichever came first.';

create or replace trigger suppressions_keep_opt_out before update of reason on public.suppressions
  for each row execute function private.keep_opt_out();

create or replace function private.with_firsts(p_organization uuid, p_channel text, p_addresses text[])
  returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select unnest(p_addresses)
    union
    select own.address from (
      select a.customer_id from public.customer_aliases a
      where p_channel = 'email' and a.organization_id = p_organization and a.email = any(p_addresses)
      union
      select a.customer_id from public.customer_aliases a
      where p_channel <> 'email' and a.organization_id = p_organization and a.phone = any(p_addresses)
    ) as person
    join public.customers c on c.id = person.customer_id
    cross join unnest(private.addresses_of(c, p_channel)) as own (address))
$$;
comment on function private.with_firsts(uuid, text, text[]) is
  'The addresses, and those by which the channel writes to customers who have one of them as a further one.';

create or replace function private.channels_of_a_no(p_channel text, p_reason text) returns text[]
language sql immutable set search_path = ''
as $$
  select case when p_reason = 'stop' and p_channel in ('sms', 'whatsapp') then array['sms', 'whatsapp']
    else array[p_channel] end
$$;
comment on function private.channels_of_a_no(text, text) is
  'The channels that a reason to suppress counts for: SMS and WhatsApp to a number are one address for who answers STOP.';

create or replace function public.suppress_addresses(p_organization uuid, p_channel text, p_addresses text[],
  p_reason text)
returns integer
language sql volatile set search_path = ''
as $$
  with written as (
    insert into public.suppressions as s (organization_id, channel, address, reason)
    -- A bounce is about one address. A no is the person's; a complaint is about the message that came there.
    select p_organization, said.channel, given.address,
      case when given.address = any(p_addresses) then p_reason
        else replace(p_reason, 'complaint', 'unsubscribe') end
    from unnest(private.channels_of_a_no(p_channel, p_reason)) as said (channel)
    cross join lateral (select distinct unnest(case p_reason when 'bounce' then p_addresses
      else private.with_firsts(p_organization, said.channel, p_addresses) end) as address) as given
    -- The id of a WhatsApp account is no number.
    where said.channel <> 'sms' or given.address like '+%'
    on conflict (organization_id, channel, address) do update
      set reason = excluded.reason, author = null, note = null, created_at = now()
      where private.adds_to(excluded.reason, s)
    returning 1
  )
  select count(*)::integer from written
$$;
comment on function public.suppress_addresses(uuid, text, text[], text) is
  'Stops messages to the addresses by the channel, and after STOP by SMS and WhatsApp alike; a stronger reason replaces a weaker one. All but a bounce also count for the first address of a customer who has one of these as a further one. Returns how many changed.';

create or replace function private.lift_opt_outs(p_organization uuid, p_channel text, p_addresses text[],
  p_reasons text[])
returns integer
language sql volatile set search_path = ''
as $$
  with gone as (
    delete from public.suppressions
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and reason = any(p_reasons)
    returning 1
  ), behind as (
    update public.suppressions set opt_out = null
    where organization_id = p_organization and channel = p_channel and address = any(p_addresses)
      and opt_out = any(p_reasons)
    returning 1
  )
  select ((select count(*) from gone) + (select count(*) from behind))::integer
$$;
comment on function private.lift_opt_outs(uuid, text, text[], text[]) is
  'Ends the suppressions of the addresses that have one of the reasons, also those behind a bounce, which stays. How many.';

create or replace function public.unsuppress_address(p_organization uuid, p_channel text, p_address text,
  p_reasons text[])
returns boolean
language sql volatile set search_path = ''
as $$
  select private.lift_opt_outs(p_organization, p_channel,
    private.with_firsts(p_organization, p_channel, array[p_address]), p_reasons) > 0
$$;
comment on function public.unsuppress_address(uuid, text, text, text[]) is
  'Lets messages go to the address again, when it was suppressed for one of the reasons, and to the first address of a customer who has it as a further one. Whether one was.';

create or replace function public.subscription_of(p_organization uuid, p_channel text, p_address text)
  returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('organization_name', o.name, 'suppressed_by', (
    select s.reason from public.suppressions s
    where s.organization_id = o.id and s.channel = p_channel and s.address = p_address))
  from public.organizations o where o.id = p_organization
$$;
comment on function public.subscription_of(uuid, text, text) is
  'The organization''s name, and the reason why the address is suppressed (null: it is not). Null when there is no such organization.';

create or replace function private.address_of(c public.customers, p_channel text) returns text
language sql immutable set search_path = ''
as $$
  select private.address_by(p_channel, (c).email, (c).phone, (c).whatsapp_id)
$$;
comment on function private.address_of(public.customers, text) is 'Where the customer is written to by the channel; null: nowhere.';

-- This and consents_json are in plpgsql, which keeps their plans: as SQL functions within customer_json they
-- were planned for each customer, which took four times as long.
create or replace function private.addresses_of(c public.customers, p_channel text) returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  return array_remove(array[private.address_of(c, p_channel),
    case p_channel when 'whatsapp' then (c).whatsapp_id end], null);
end
$$;
comment on function private.addresses_of(public.customers, text) is
  'The addresses whose opt-out applies to the customer on the channel; WhatsApp has both a number and an id.';

-- The plan is kept: planned for each customer, customer_json took twice as long.
create or replace function private.consents_json(p_customers public.customers[])
  returns table (customer_id uuid, consent jsonb)
language plpgsql stable rows 1 set search_path = '' set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select c.id, jsonb_object_agg(held.channel,
    jsonb_build_object('basis', held.basis, 'opted_out', s.id is not null) || case
    -- While there is an opt-out, source, date, author and reason describe the opt-out.
    when s.id is not null then jsonb_build_object(
      'source', case s.reason when 'manual' then 'staff' else s.reason end, 'at', s.created_at,
      'author', coalesce(s.author, case when s.reason in ('unsubscribe', 'stop', 'complaint')
        then nullif(btrim(concat_ws(' ', c.first_name, c.last_name)), '') end),
      'reason', s.note)
    when held.record ->> 'basis' = held.basis then jsonb_build_object('source', held.record -> 'source',
      'at', held.record -> 'at', 'author', held.record -> 'author', 'reason', held.record -> 'reason')
    when held.basis = 'existing_customer' then jsonb_build_object('source', 'visit',
      'at', coalesce(visits.first_at, c.last_visit_at), 'author', null, 'reason', null)
    else jsonb_build_object('source', null, 'at', null, 'author', null, 'reason', null) end)
  from unnest(p_customers) as c
  cross join lateral (
    -- Of a guest's first days only: no two time zones are two days apart.
    select min(r.service_order at time zone l.timezone) as first_at
    from public.reservations r join public.locations l on l.id = r.location_id
    where c.total_visits > 0 and r.customer_id = c.id and r.visited and r.service_order <= (
      select o.service_order from public.reservations o where o.customer_id = c.id and o.visited
      order by o.service_order limit 1) + interval '2 days'
  ) as visits
  cross join lateral (
    select w.channel, w.addresses, c.consents -> w.channel as record,
      private.consent_basis(c.consents, c.total_visits, w.channel) as basis
    from (values ('whatsapp', array[coalesce(c.phone, c.whatsapp_id), c.whatsapp_id]),
      ('sms', array[c.phone]),
      ('email', array[c.email])) as w (channel, addresses)
  ) as held
  left join lateral (
    select * from public.suppressions x
    where x.organization_id = c.organization_id and x.channel = held.channel
      and x.address = any(held.addresses)
    order by x.reason in ('bounce', 'complaint') desc, x.created_at limit 1
  ) as s on true
  group by c.id;
end
$$;
comment on function private.consents_json(public.customers[]) is
  'The consent of each of the customers as the API returns it: {whatsapp, sms, email}, each {basis, source, at, author, reason, opted_out}. All at once: a statement for each customer took twice as long for a page.';

create or replace function private.consent_condition(p_consent text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_channel text := split_part(p_consent, ':', 1);
  v_state text := split_part(p_consent, ':', 2);
  v_field text := case v_channel when 'email' then 'c.email'
    when 'whatsapp' then 'coalesce(c.phone, c.whatsapp_id)'
    else 'c.phone' end;
  v_basis text := format('private.consent_basis(c.consents, c.total_visits, %L)', v_channel);
  v_exists text := format('exists (select 1 from public.suppressions s where s.organization_id = $1
    and s.channel = %L and s.address = %%s)', v_channel);
  -- Each address by itself, so that either is a join.
  v_opted_out text := case v_channel when 'whatsapp'
    then format('(%s or %s)', format(v_exists, v_field), format(v_exists, 'c.whatsapp_id'))
      else format(v_exists, v_field) end;
begin
  if v_channel not in ('whatsapp', 'sms', 'email')
    or v_state not in ('reachable', 'opted_out', 'opt_in', 'existing_customer', 'none') then
    raise exception 'unknown consent "%"', p_consent using errcode = '22023';
  end if;
  return case v_state
    when 'opted_out' then ' and ' || v_opted_out
    when 'reachable' then format(
      -- Most have visited and have nothing on record: they need no call of the function.
      ' and %s is not null and (c.consents = ''{}'' and c.total_visits > 0 or %s <> ''none'') and not %s',
      v_field, v_basis, v_opted_out)
    -- As the partial indexes have it.
    when 'opt_in' then format(' and c.consents @> ''{"%s": {"basis": "opt_in"}}''', v_channel)
    when 'none' then format(
      ' and (c.consents = ''{}'' and c.total_visits = 0 or c.consents <> ''{}'' and %s = ''none'')', v_basis)
    else format(' and %s = %L', v_basis, v_state) end;
end
$$;
comment on function private.consent_condition(text) is
  'The condition of list_customers for `<channel>:<state>`; state: a basis, opted_out, or reachable (an address, a basis and no opt-out).';

create or replace function private.my_name() returns text
language sql stable set search_path = ''
as $$ select coalesce(nullif(btrim(p.full_name), ''), p.email) from public.profiles p
  where p.id = (select private.caller()) $$;
comment on function private.my_name() is 'The caller''s name.';

create or replace function private.consent_obstacle(c public.customers, p_wishes jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('channel', w.key, 'outcome',
    case when contact.address is null then 'no_address_for'
    else 'address_refused' end)
  from jsonb_each(p_wishes) as w
  cross join lateral (select private.address_of(c, w.key)) as contact (address)
  where (w.value ->> 'opted_out')::boolean and contact.address is null
    or not (w.value ->> 'opted_out')::boolean and exists (
      select 1 from public.suppressions s
      where s.organization_id = c.organization_id and s.channel = w.key
        and s.address = any(private.addresses_of(c, w.key))
        and s.reason in ('bounce', 'complaint'))
  order by w.key limit 1
$$;
comment on function private.consent_obstacle(public.customers, jsonb) is
  'The reason to refuse a consent that staff record ({email: {basis, opted_out, reason}}): an opt-out needs an address, and an address that bounced or complained cannot be opted in. Null: it is allowed.';

create or replace function private.record_consent(p_customer uuid, p_wishes jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_author constant text := private.my_name();
  c public.customers;
begin
  if p_wishes is null then
    return;
  end if;
  select * into c from public.customers where id = p_customer;
  with lifted as materialized (
    select w.key as channel from jsonb_each(p_wishes) as w
    where case when not (w.value ->> 'opted_out')::boolean then
      private.lift_opt_outs(c.organization_id, w.key, private.addresses_of(c, w.key),
        array['unsubscribe', 'stop', 'manual']) > 0 end
  ), decided as (
    select w.key as channel, w.value ->> 'reason' as reason,
      coalesce(w.value ->> 'basis', held.basis) as basis
    from jsonb_each(p_wishes) as w
    cross join lateral (select private.consent_basis(c.consents, c.total_visits, w.key)) as held (basis)
    -- Lifting an opt-out documents the basis that marketing rests on from then on.
    where w.value ? 'basis' or held.basis <> 'none' and w.key in (select channel from lifted)
  ), news as (
    select jsonb_object_agg(d.channel, jsonb_build_object('basis', d.basis, 'source', 'staff', 'at', now(),
      'author', v_author, 'reason', d.reason, 'former', (c.consents -> d.channel) - 'former')) as consents
    from decided d
    where (d.basis, 'staff', d.reason) is distinct from (c.consents #>> array[d.channel, 'basis'],
      c.consents #>> array[d.channel, 'source'], c.consents #>> array[d.channel, 'reason'])
  )
  update public.customers k set consents = k.consents || news.consents
  from news where k.id = p_customer and news.consents is not null;

  insert into public.suppressions as s (organization_id, channel, address, reason, author, note)
  select c.organization_id, w.key, private.address_of(c, w.key), 'manual', v_author, w.value ->> 'reason'
  from jsonb_each(p_wishes) as w where (w.value ->> 'opted_out')::boolean
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note, created_at = now()
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.record_consent(uuid, jsonb) is
  'Records a customer''s wish for staff: {email: {basis, opted_out, reason}}. Opting out suppresses the address, opting in lifts that.';

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text[])
  returns void
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.suppressions as s (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (g.channel, n.address) p_organization, g.channel, n.address,
    -- A complaint belongs to the person; a bounce only to the old address.
    case g.reason when 'complaint' then 'unsubscribe' when 'bounce' then g.opt_out else g.reason end,
    g.author, g.note, g.created_at
  from unnest(p_from, p_to) as n (former, address)
  join public.suppressions g on g.organization_id = p_organization and g.address = n.former
  where g.channel in ('whatsapp', 'sms', 'email') and n.address <> n.former
    and (g.reason <> 'bounce' or g.opt_out is not null)
  order by g.channel, n.address, private.suppression_rank(g.reason) desc
  on conflict (organization_id, channel, address) do update
    set reason = excluded.reason, author = excluded.author, note = excluded.note,
      created_at = excluded.created_at
    where private.adds_to(excluded.reason, s);
end
$$;
comment on function private.carry_opt_outs(uuid, text[], text[]) is
  'Copies opt-outs at former addresses to current ones, pair by pair; a bounce applies only to its address.';
grant execute on function private.carry_opt_outs(uuid, text[], text[]) to service_role;

create or replace function private.carry_opt_outs(p_organization uuid, p_from text[], p_to text) returns void
language sql volatile set search_path = ''
as $$ select private.carry_opt_outs(p_organization, p_from, array_fill(p_to, array[cardinality(p_from)])) $$;
comment on function private.carry_opt_outs(uuid, text[], text) is
  'Copies a customer''s opt-outs at former addresses to the current one.';

create or replace function private.merged_consents(p_kept jsonb, p_gone jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(best.channel, best.record), '{}')
  from (
    select distinct on (r.key) r.key as channel, r.value as record
    from (select * from jsonb_each(p_kept) union all select * from jsonb_each(p_gone)) as r
    order by r.key, (r.value ->> 'source' = 'staff') desc nulls last,
      array_position(array['opt_in', 'existing_customer', 'none'],
        case when r.value ->> 'source' = 'staff' then null else r.value ->> 'basis' end),
      (r.value ->> 'at')::timestamptz desc nulls last
  ) as best
$$;
comment on function private.merged_consents(jsonb, jsonb) is
  'The better documented consent of two merged customers by channel: the one that staff recorded last, else the firmest basis.';

create or replace function private.add_consents(p_consents jsonb, p_visits integer, p_declared jsonb)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select p_consents || coalesce((
    select jsonb_object_agg(d.key, d.value) from jsonb_each(p_declared) as d
    where d.value ->> 'basis' <> 'none' and private.consent_basis(p_consents, p_visits, d.key) = 'none'
      and p_consents #>> array[d.key, 'source'] is distinct from 'staff'), '{}')
$$;
comment on function private.add_consents(jsonb, integer, jsonb) is
  'The consents plus the declared ones, where there is no basis yet and staff have not recorded that.';

create or replace function private.log_consents() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details)
  select new.organization_id, private.actor_name(), (select a.id from private.acting() a),
    'customer.consent_changed', 'customer', new.id, jsonb_build_object('fields', array['consent.' || channel],
      'before', jsonb_build_object('basis', private.consent_basis(old.consents, old.total_visits, channel)),
      'after', jsonb_build_object('basis', private.consent_basis(new.consents, new.total_visits, channel),
        'source', new.consents #> array[channel, 'source']))
  from unnest(array['whatsapp', 'sms', 'email']) as channel
  where old.consents -> channel is distinct from new.consents -> channel;
  return null;
end
$$;
comment on function private.log_consents() is 'Trigger: logs a recorded consent by channel, its basis before and after.';

create or replace trigger customers_log_consents after update of consents on public.customers
  for each row when (old.consents is distinct from new.consents) execute function private.log_consents();

create or replace function private.log_opt_outs() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_changes jsonb;
begin
  case tg_op
    when 'INSERT' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'reason', n.reason, 'at', n.created_at)) from new_rows n);
    when 'UPDATE' then
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', n.organization_id, 'channel',
        n.channel,
        'address', n.address, 'former', coalesce(o.opt_out, o.reason), 'reason',
        coalesce(n.opt_out, n.reason), 'at', now()))
        from new_rows n join old_rows o on o.id = n.id
        where coalesce(n.opt_out, n.reason) <> coalesce(o.opt_out, o.reason));
    else
      v_changes := (select jsonb_agg(jsonb_build_object('organization_id', o.organization_id, 'channel',
        o.channel,
        'address', o.address, 'former', o.reason, 'at', now())) from old_rows o);
  end case;
  insert into public.audit_log (organization_id, actor, actor_id, action, subject_type, subject_id, details,
    created_at)
  select o.id, (select private.actor_name()), (select a.id from private.acting() a),
    'customer.consent_changed',
    'customer', c.id, jsonb_build_object('fields', array['consent.' || w.channel],
      'before', jsonb_strip_nulls(jsonb_build_object('opted_out', w.former is not null, 'source', w.former)),
      'after', jsonb_strip_nulls(jsonb_build_object('opted_out', w.reason is not null, 'source', w.reason))),
        w.at
  from jsonb_to_recordset(v_changes) as w (organization_id uuid, channel text, address text, former text,
    reason text, at timestamptz)
  -- All rows are deleted with their organization.
  join public.organizations o on o.id = w.organization_id
  cross join lateral (
    select e.id from public.customers e
    where w.channel = 'email' and e.organization_id = w.organization_id and e.email = w.address
    union all
    select t.id from public.customers t
    where w.channel <> 'email' and t.organization_id = w.organization_id and t.phone = w.address
    union
    select i.id from public.customers i
    where w.channel = 'whatsapp' and i.organization_id = w.organization_id and i.whatsapp_id = w.address
  ) as c;
  return null;
end
$$;
comment on function private.log_opt_outs() is
  'Trigger: logs every opt-out and opt-in for the customers with the address.';

create or replace trigger suppressions_log_new after insert on public.suppressions
  referencing new table as new_rows for each statement execute function private.log_opt_outs();
create or replace trigger suppressions_log_changed after update on public.suppressions
  referencing old table as old_rows new table as new_rows for each statement
    execute function private.log_opt_outs();
create or replace trigger suppressions_log_gone after delete on public.suppressions
  referencing old table as old_rows for each statement execute function private.log_opt_outs();
grant execute on function private.suppression_rank(text), private.adds_to(text, public.suppressions),
  private.channels_of_a_no(text, text),
  private.lift_opt_outs(uuid, text, text[], text[]), private.with_firsts(uuid, text, text[]),
  private.address_of(public.customers, text), private.addresses_of(public.customers, text),
  public.suppress_addresses(uuid, text, text[], text), public.unsuppress_address(uuid, text, text, text[]),
  public.subscription_of(uuid, text, text), private.add_consents(jsonb, integer, jsonb) to service_role;
-- << supabase/logic/messages/consent.sql

-- >> supabase/logic/messages/delivery.sql
-- Reports of providers and messages of customers: delivery reports, STOP and ALTA, bounces and
-- complaints, unsubscribing, and messages by WhatsApp. Only the service calls these functions.

create or replace function private.suppress_refused(p_messages uuid[]) returns void
language sql volatile set search_path = ''
as $$
  select public.suppress_addresses(m.organization_id, m.channel, array_agg(distinct m.recipient),
    case m.reason when 'unsubscribed' then 'stop' else 'bounce' end)
  from public.messages m
  where m.id = any(p_messages) and m.status = 'failed' and m.channel in ('sms', 'whatsapp')
    and m.recipient is not null
    -- Twilio refuses ids as bad numbers where an account cannot write to ids yet.
    and (m.reason = 'unsubscribed' or m.reason = 'invalid_number' and m.recipient like '+%')
  group by m.organization_id, m.channel, m.reason
  order by m.organization_id, m.channel, m.reason
$$;
comment on function private.suppress_refused(uuid[]) is
  'Suppresses the numbers of messages that failed because there is no such number, or its owner has opted out at the provider.';

create or replace function private.whatsapp_addresses_of(p_customer uuid) returns text[]
language sql stable set search_path = ''
as $$
  select array(
    select distinct a.address from (
      select unnest(array[c.phone, c.whatsapp_id]) from public.customers c where c.id = p_customer
      union all
      select coalesce(l.phone, l.whatsapp_id) from public.customer_aliases l where l.customer_id = p_customer
    ) as a (address) where a.address is not null)
$$;
comment on function private.whatsapp_addresses_of(uuid) is
  'Numbers and ids of a customer''s WhatsApp, former ones included.';

create or replace function private.share_whatsapp_stop(p_organization uuid, p_addresses text[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.suppressions as s (organization_id, channel, address, reason)
  select p_organization, 'whatsapp', other.address, case said.reason when 'bounce' then said.opt_out
    else said.reason end
  from (
    -- A bounce is about one address; an opt-out or a complaint is about all of the person's.
    select x.reason, x.opt_out from public.suppressions x
    where x.organization_id = p_organization and x.channel = 'whatsapp' and x.address = any(p_addresses)
      and (x.reason <> 'bounce' or x.opt_out is not null)
    order by private.suppression_rank(x.reason) desc limit 1) as said
  cross join (select distinct unnest(p_addresses) as address) as other
  where other.address is not null
  on conflict (organization_id, channel, address) do update set reason = excluded.reason
    where private.adds_to(excluded.reason, s)
$$;
comment on function private.share_whatsapp_stop(uuid, text[]) is
  'An opt-out or a complaint by one WhatsApp address of a person counts for all of them.';

create or replace function public.link_whatsapp(p_organization uuid, p_phone text, p_whatsapp_id text)
  returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_former text[];
begin
  -- Locked in one order; no row is written without a change.
  select array_agg(c.whatsapp_id) into v_former from (
    select o.id, o.whatsapp_id from public.customers o
    where o.organization_id = p_organization and o.phone = p_phone and o.whatsapp_id is distinct
      from p_whatsapp_id
    order by o.id for update) as c;
  update public.customers set whatsapp_id = p_whatsapp_id
  where organization_id = p_organization and phone = p_phone and whatsapp_id is distinct from p_whatsapp_id;
  perform private.share_whatsapp_stop(p_organization, array[p_phone, p_whatsapp_id] || v_former);
end
$$;
comment on function public.link_whatsapp(uuid, text, text) is
  'Links a number with the id that came with it: customers of the number get the id, and a STOP from one applies to the other.';

create or replace function public.record_inbound(p_organization uuid, p_channel text,
  p_phone text default null, p_whatsapp_id text default null, p_answers text default null,
  p_wish text default null, p_receipt text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_phone text := p_phone;
  v_addresses text[];
begin
  if p_receipt is not null then
    insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
    values (p_organization, p_receipt, p_at, p_channel = 'whatsapp' or coalesce(p_wish = 'start', false))
    on conflict do nothing;
    if not found then
      return 'repeated';
    end if;
  end if;
  if p_channel = 'whatsapp' and p_whatsapp_id is not null then
    -- The number of the message that it answers, else the number that the id last came with.
    v_phone := coalesce(v_phone, (
      select m.recipient from public.messages m
      where m.provider = any(private.providers_of('whatsapp')) and m.provider_id = p_answers
        and m.organization_id = p_organization
        and m.channel = 'whatsapp' and m.recipient like '+%'), (
      select w.address from public.whatsapp_windows w
      where w.organization_id = p_organization and w.whatsapp_id = p_whatsapp_id
        and w.address <> p_whatsapp_id
      order by w.last_inbound_at desc limit 1));
    if v_phone is not null then
      perform public.link_whatsapp(p_organization, v_phone, p_whatsapp_id);
    end if;
  end if;
  v_addresses := array_remove(array[v_phone, case p_channel when 'whatsapp' then p_whatsapp_id end], null);
  if p_channel = 'whatsapp' then
    insert into public.whatsapp_windows as w (organization_id, address, last_inbound_at, whatsapp_id)
    select p_organization, address, p_at, p_whatsapp_id from unnest(v_addresses) as address
    on conflict (organization_id, address) do update set
      last_inbound_at = greatest(excluded.last_inbound_at, w.last_inbound_at),
      whatsapp_id = coalesce(excluded.whatsapp_id, w.whatsapp_id);
  end if;
  if p_wish is not null then
    -- All numbers and ids of the person: a no by one is a no by all.
    v_addresses := array(
      select distinct address from (
        select unnest(v_addresses)
        union all
        select unnest(private.whatsapp_addresses_of(person.id)) from (
          select c.id from public.customers c where c.organization_id = p_organization and c.phone = v_phone
          union
          select c.id from public.customers c
          where c.organization_id = p_organization and c.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.whatsapp_id = p_whatsapp_id
          union
          select l.customer_id from public.customer_aliases l
          where l.organization_id = p_organization and l.phone = v_phone) as person
        union all
        select w.whatsapp_id from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = v_phone
      ) as known (address) where address is not null);
  end if;
  if p_wish = 'stop' then
    perform public.suppress_addresses(p_organization, p_channel, v_addresses, 'stop');
  elsif p_wish = 'start' then
    -- What a link of one channel said ends by that channel only.
    perform private.lift_opt_outs(p_organization, its.channel,
      private.with_firsts(p_organization, its.channel, v_addresses),
      case its.channel when p_channel then array['stop', 'unsubscribe'] else array['stop'] end)
    from unnest(private.channels_of_a_no(p_channel, 'stop')) as its (channel);
  end if;
  return 'taken';
end
$$;
comment on function public.record_inbound(uuid, text, text, text, text, text, text, timestamptz) is
  'Records a message to us, from a number, a WhatsApp id or both: opens the 24-hour window and applies its wish (stop, start, null) to all numbers and ids of the person, by SMS and WhatsApp alike. p_answers is the provider''s id of the message it answers. Returns taken, or repeated for a known receipt.';

create or replace function public.record_delivery(p_organization uuid, p_provider text, p_provider_id text,
  p_message uuid, p_status text, p_reason text default null, p_at timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  m public.messages;
begin
  if p_status not in ('sent', 'delivered', 'failed') then
    return 'ignored';
  end if;
  select * into m from public.messages
  where provider = p_provider and provider_id = p_provider_id and organization_id = p_organization for update;
  if m.id is null and p_message is not null then
    -- The provider's id was never stored: its answer got lost, or is not recorded yet. Only a message with an
    -- attempt can be meant.
    select * into m from public.messages
    where id = p_message and organization_id = p_organization and provider_id is null and attempts > 0
      and coalesce(provider, p_provider) = p_provider
      and p_provider = any(private.providers_of(channel)) for update;
  end if;
  if m.id is null then
    return 'unknown';
  end if;
  if not (case m.status
      when 'queued' then true
      when 'sending' then true
      when 'unknown' then true
      when 'sent' then p_status in ('delivered', 'failed')
      else false end) then
    return 'unchanged';
  end if;
  update public.messages
  set status = p_status, reason = case p_status when 'failed' then left(p_reason, 300) end,
    provider = p_provider, provider_id = p_provider_id,
    sent_at = case when p_status = 'failed' then sent_at else coalesce(sent_at, p_at) end,
    delivered_at = case p_status when 'delivered' then p_at end,
    lease_token = null, lease_until = null
  where id = m.id;
  perform private.suppress_refused(array[m.id]);
  return 'recorded';
end
$$;
comment on function public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) is
  'Records a provider''s report about a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.';
grant execute on function private.suppress_refused(uuid[]), private.whatsapp_addresses_of(uuid),
  private.share_whatsapp_stop(uuid, text[]), public.link_whatsapp(uuid, text, text),
  public.record_inbound(uuid, text, text, text, text, text, text, timestamptz),
  public.record_delivery(uuid, text, text, uuid, text, text, timestamptz) to service_role;
-- << supabase/logic/messages/delivery.sql

reset check_function_bodies;

-- A STOP that is stored for one of the two channels of a number holds for the other one.
insert into public.suppressions as s (organization_id, channel, address, reason, created_at)
select said.organization_id, case said.channel when 'sms' then 'whatsapp' else 'sms' end, said.address, 'stop',
  said.created_at
from public.suppressions said
where said.channel in ('sms', 'whatsapp') and said.address like '+%' and 'stop' in (said.reason, said.opt_out)
on conflict (organization_id, channel, address) do update set reason = excluded.reason
  where private.adds_to(excluded.reason, s);
