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
    where s.organization_id = o.id and s.channel = p_channel and s.address = p_address),
    'language', (select case when count(distinct c.language) = 1 then min(c.language) end
      from public.customers c
      where c.id = any(private.guests_of_link(p_organization, p_channel, array[p_address]))),
    'group_language', o.language)
  from public.organizations o where o.id = p_organization
$$;
comment on function public.subscription_of(uuid, text, text) is
  'The organization''s name, the reason why the address is suppressed (null: it is not), the language of the guests with the address (null: none, or several) and the group''s. Null when there is no such organization.';

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
