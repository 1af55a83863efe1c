-- Schema 20261128032012. Written by `npm run db:release`; the tables' part was read and edited by a person.

set check_function_bodies = off;

-- Stored e-mails: a domain is written in ASCII (punycode, RFC 3492), as lib/contact/email.ts writes it from now on.

create function pg_temp.punycode(p_label text) returns text
language plpgsql immutable
as $$
declare
  v_points integer[] := array(select ascii(c) from string_to_table(p_label, null) as c);
  v_out text := array_to_string(array(select chr(p) from unnest(v_points) as p where p < 128), '');
  v_basic constant integer := length(v_out);
  v_done integer := v_basic;
  v_n integer := 128;
  v_delta integer := 0;
  v_bias integer := 72;
  v_next integer;
  v_q integer;
  v_k integer;
  v_t integer;
  v_point integer;
begin
  if v_basic = length(p_label) then
    return p_label;
  elsif v_basic > 0 then
    v_out := v_out || '-';
  end if;
  while v_done < cardinality(v_points) loop
    v_next := (select min(p) from unnest(v_points) as p where p >= v_n);
    v_delta := v_delta + (v_next - v_n) * (v_done + 1);
    v_n := v_next;
    foreach v_point in array v_points loop
      if v_point < v_n then
        v_delta := v_delta + 1;
      elsif v_point = v_n then
        v_q := v_delta;
        v_k := 36;
        loop
          v_t := greatest(1, least(26, v_k - v_bias));
          exit when v_q < v_t;
          v_out := v_out || substr('abcdefghijklmnopqrstuvwxyz0123456789', v_t + (v_q - v_t) % (36 - v_t) + 1, 1);
          v_q := (v_q - v_t) / (36 - v_t);
          v_k := v_k + 36;
        end loop;
        v_out := v_out || substr('abcdefghijklmnopqrstuvwxyz0123456789', v_q + 1, 1);
        v_delta := case when v_done = v_basic then v_delta / 700 else v_delta / 2 end;
        v_delta := v_delta + v_delta / (v_done + 1);
        v_k := 0;
        while v_delta > 455 loop
          v_delta := v_delta / 35;
          v_k := v_k + 36;
        end loop;
        v_bias := v_k + 36 * v_delta / (v_delta + 38);
        v_delta := 0;
        v_done := v_done + 1;
      end if;
    end loop;
    v_delta := v_delta + 1;
    v_n := v_n + 1;
  end loop;
  return 'xn--' || v_out;
end
$$;

-- lib/contact/email.ts, for what 0.1.0 took for an e-mail. What it cannot bring into that form stays as it is.
create function pg_temp.canonical(p_email text) returns text
language plpgsql immutable
as $$
declare
  v_unseen constant text := '[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]';
  v_typed text := lower(normalize(regexp_replace(normalize(p_email, nfc), v_unseen, '', 'g'), nfc));
  v_bare text := regexp_replace(regexp_replace(v_typed, '[,;.]+$', ''), '^["''“‘](.*)["''”’]$', '\1');
  v_domain text;
  v_email text;
begin
  v_bare := coalesce(substring(regexp_replace(v_bare, '[,;.]+$', '') from '<([^<>]*)>$'), v_bare);
  v_bare := regexp_replace(regexp_replace(v_bare, '^mailto:(?://)?([^?]*).*$', '\1'), '[,;.]+$', '');
  v_domain := lower(normalize(substring(v_bare from '@([^@]*)$'), nfkc));
  if v_domain is null or v_domain ~ '[\u200c\u200d<>()\[\]\\,;:"/ ]' then
    return p_email;
  end if;
  v_email := regexp_replace(v_bare, '@[^@]*$', '@') || array_to_string(array(
    select pg_temp.punycode(label) from string_to_table(v_domain, '.') with ordinality as l (label, place)
    order by place), '.');
  return case when length(v_email) <= 254 and v_email ~ '^[^\s@<>]+@[^\s@]+\.[^\s@]+$' then v_email
    else p_email end;
end
$$;

-- Cheaper: whether canonical may change it.
create function pg_temp.is_odd(p_email text) returns boolean
language sql immutable
as $$ select octet_length(p_email) > length(p_email) or p_email ~ '[,;.>"'']$|^mailto:' $$;

create temp table spelled as
select e.organization_id, e.email, e.guest, e.alias, e.form from (
  select c.organization_id, c.email, c.id as guest, null::uuid as alias, pg_temp.canonical(c.email) as form
  from public.customers c where pg_temp.is_odd(c.email)
  union all
  select a.organization_id, a.email, a.customer_id, a.id, pg_temp.canonical(a.email)
  from public.customer_aliases a where pg_temp.is_odd(a.email)) as e
where e.form <> e.email;
-- Nobody is merged: an e-mail that another guest has in the new form stays as it is. A guest's own is theirs.
delete from public.customer_aliases a using spelled s
  where s.alias is null and a.customer_id = s.guest and a.email = s.form;
delete from spelled s using public.customers c where c.organization_id = s.organization_id and c.email = s.form;
delete from spelled s using public.customer_aliases a
  where a.organization_id = s.organization_id and a.email = s.form;
delete from spelled s where exists (select from spelled o where o.organization_id = s.organization_id
  and o.form = s.form and (o.alias is null and s.alias is not null
    or (o.alias is null) = (s.alias is null) and coalesce(o.alias, o.guest) < coalesce(s.alias, s.guest)));
update public.customers c set email = s.form from spelled s where c.id = s.guest and s.alias is null;
update public.customer_aliases a set email = s.form from spelled s where a.id = s.alias;
-- The former form still finds its guest: for the app of 0.1.0, until it is gone, and for an erasure.
insert into public.customer_aliases (organization_id, customer_id, email)
  select s.organization_id, s.guest, s.email from spelled s on conflict do nothing;
drop table spelled;

-- Suppressed in every form, by the strongest reason: guests whose e-mail stays have the former ones still.
create temp table former as
select c.organization_id, c.email, pg_temp.canonical(c.email) as form
from public.customers c where pg_temp.is_odd(c.email) and pg_temp.canonical(c.email) <> c.email;
create temp table refused as
with known as (
  select s.*, pg_temp.canonical(s.address) as form from public.suppressions s
  where s.channel = 'email' and (pg_temp.is_odd(s.address)
    or (s.organization_id, s.address) in (select organization_id, form from former))
), owed as (
  select k.organization_id, k.form as address, k.reason, k.opt_out, k.author, k.note, k.created_at from known k
  where k.form <> k.address
  union all
  select k.organization_id, f.email, k.reason, k.opt_out, k.author, k.note, k.created_at
  from known k join former f on f.organization_id = k.organization_id and f.form = k.form and f.email <> k.address
)
select o.organization_id, o.address, why.reason, o.author, o.note, o.created_at
from owed o cross join lateral unnest(array[o.opt_out, o.reason]) as why (reason) where why.reason is not null;
insert into public.suppressions (organization_id, channel, address, reason, author, note, created_at)
  select distinct on (organization_id, address) organization_id, 'email', address, reason, author, note, created_at
  from refused order by organization_id, address, reason in ('bounce', 'complaint'), created_at
  on conflict do nothing;
select public.suppress_addresses(r.organization_id, 'email', array[r.address], r.reason)
from (select organization_id, address, reason from refused group by organization_id, address, reason
  order by array_position('{unsubscribe,manual,stop,bounce,complaint}', reason)) as r;
drop table former, refused;

update public.reservations r set customer_email = pg_temp.canonical(r.customer_email)
where pg_temp.is_odd(r.customer_email) and pg_temp.canonical(r.customer_email) <> r.customer_email;
-- Only what may still go: the others say what was sent.
update public.messages m set recipient = pg_temp.canonical(m.recipient)
where m.status = 'queued' and m.channel = 'email' and pg_temp.is_odd(m.recipient)
  and pg_temp.canonical(m.recipient) <> m.recipient;

-- Stored tags, what names them, and what the PMS sent when staff changed it, without odd blanks and what nobody sees.
create function pg_temp.plain(p_text text) returns text
language sql immutable
as $$
  select normalize(btrim(regexp_replace(regexp_replace(p_text,
    '[\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]', ' ', 'g'),
    '[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g')), nfc)
$$;
create function pg_temp.plain_tags(p_tags text[]) returns text[]
language sql immutable
as $$
  select coalesce(array_agg(tag order by place), '{}') from (
    select pg_temp.plain(t.tag) as tag, min(t.place) as place
    from unnest(p_tags) with ordinality as t (tag, place) group by 1) as one
  where tag <> ''
$$;
update public.customers set tags = pg_temp.plain_tags(tags)
where octet_length(array_to_string(tags, '')) > length(array_to_string(tags, ''))
  and pg_temp.plain_tags(tags) <> tags;
update public.automations set tags = pg_temp.plain_tags(tags)
where octet_length(array_to_string(tags, '')) > length(array_to_string(tags, ''))
  and pg_temp.plain_tags(tags) <> tags;
update public.segments set definition = pg_temp.plain(definition::text)::jsonb
where pg_temp.plain(definition::text) <> definition::text;
update public.reservations set staff_marks = pg_temp.plain(staff_marks::text)::jsonb
where staff_marks <> '{}' and pg_temp.plain(staff_marks::text) <> staff_marks::text;

-- What went, or cannot be replaced

drop function private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamp with time zone);

-- Tables: keep what is there, and what the release before reads (CONTRIBUTING.md, "A migration")

alter table public.reservations add column email_unread boolean DEFAULT false NOT NULL;

-- Policies, comments, rights

COMMENT ON COLUMN public.reservations.email_unread IS 'The PMS sends an e-mail that is none. The sync names it when this becomes true.';

-- >> supabase/logic/automations/audience.sql
-- The audience of an automation: its customers or reservations, found by an index for each type.
-- Criteria are complete when they are stored; lib/automations/types.ts has their defaults.

create or replace function private.kind_of(a public.automations) returns text
language sql immutable set search_path = ''
as $$
  select case a.type when 'reservation_confirmation' then 'transactional' else 'marketing' end
$$;
comment on function private.kind_of(public.automations) is 'The kind of its messages (public.messages.kind).';

create or replace function private.writes_once(a public.automations) returns boolean
language sql immutable set search_path = ''
as $$
  select a.type in ('reengagement', 'vip_reward', 'campaign')
$$;
comment on function private.writes_once(public.automations) is
  'Whether a run has one message for each of its customers, who may be all of them. Others are about a day or a reservation.';

create or replace function private.birthdays_within(p_organization uuid, p_days integer, p_now timestamptz)
returns table (timezone text, birth_day smallint, year integer)
language sql stable set search_path = ''
as $$
  with zones as (
    select l.timezone from public.locations l where l.organization_id = p_organization
    union
    select private.zone_of(p_organization)
  ), days as (
    select z.timezone, (p_now at time zone z.timezone)::date + d.n as day
    from zones z cross join generate_series(0, p_days) as d (n)
  )
  select timezone, (extract(month from day) * 100 + extract(day from day))::smallint,
    extract(year from day)::integer
  from days
  union all
  -- Birthdays of 29 February fall on the 28th in common years.
  select timezone, 229::smallint, extract(year from day)::integer
  from days where extract(month from day) = 2 and extract(day from day) = 28 and extract(day from day + 1) = 1
$$;
comment on function private.birthdays_within(uuid, integer, timestamptz) is
  'The birthdays (and their years) from today to p_days later, by time zone of the organization''s locations.';

create or replace function private.own_messages(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select format(case when p_each then '(m.automation_id = %L) is true' else 'm.automation_id = %L' end, a.id)
$$;
comment on function private.own_messages(public.automations, boolean) is
  'The condition that a message m is the automation''s; p_each as in audience_parts.';

create or replace function private.written_by(a public.automations, p_each boolean) returns text
language sql immutable set search_path = ''
as $$
  select 'select 1 from public.messages m where ' || private.own_messages(a, p_each)
    || ' and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group'')'
$$;
comment on function private.written_by(public.automations, boolean) is
  'The query for the messages m by which the automation has written. Failed and skipped ones do not count, except those skipped for the control group.';

create or replace function private.audience_filter(a public.automations, p_alias text, p_now timestamptz,
  p_after uuid, p_until uuid, p_locations uuid[]) returns text
language sql stable set search_path = ''
as $$
  -- "is true": the segment is a set that is made once. A join might evaluate it anew for each customer.
  select concat(
    case when a.location_ids <> '{}' then
      format(' and %s.location_id = any(%L::uuid[])', p_alias, a.location_ids) end,
    case when a.tags <> '{}' then format(' and c.tags && %L::text[]', a.tags) end,
    case when a.tier_ids <> '{}' then format(' and c.loyalty_tier_id = any(%L::uuid[])', a.tier_ids) end,
    case when a.criteria ->> 'segment_id' is not null then format(
      ' and (c.id in (select private.segment_members(%L, %L, %L, %L, %L, %L))) is true', a.organization_id,
      a.criteria ->> 'segment_id', p_now, p_after, p_until, p_locations) end,
    case when p_after is not null then format(' and c.id > %L', p_after) end,
    case when p_until is not null then format(' and c.id <= %L', p_until) end)
$$;
comment on function private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]) is
  'The automation''s filters as conditions; the location is that of p_alias: r, a reservation, or c, the customer.';

create or replace function private.birthday_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || c.id || '':'' || b.year', 'birthday:' || a.id || ':');
  p.source := format('private.birthdays_within(%L, %L, %L) b
    join public.customers c on c.organization_id = %1$L and c.birth_day = b.birth_day
    left join public.locations l on l.id = c.location_id',
    a.organization_id, (a.criteria ->> 'days_before')::integer, p_now);
  p.condition := format('coalesce(l.timezone, %L) = b.timezone and not exists (
    %s and m.customer_id = c.id and m.dedupe_key = %s%s)', private.zone_of(a.organization_id),
    private.written_by(a, p_each), p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.birthday_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers whose birthday is ahead, once a year.';

create or replace function private.standing_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  -- Days until this automation may write to the same customer again.
  v_period integer := case a.type when 'reengagement' then 90 else 60 end;
  v_tiers uuid[];
begin
  -- The key has the number of periods since 1970: two messages v_period days apart never share it.
  p.key := format('%L || c.id || %L', format('%s:%s:', a.type, a.id),
    ':' || floor(extract(epoch from p_now) / 86400 / v_period));
  p.source := 'public.customers c';
  if a.type = 'reengagement' then
    p.condition := format('c.sort_visit < %L and c.sort_visit > ''-infinity'' and c.total_visits >= %L',
      p_now - make_interval(days => (a.criteria ->> 'inactive_days')::integer),
      (a.criteria ->> 'min_visits')::integer);
  else
    v_tiers := array(
      select t.id from public.loyalty_tiers t
      join public.loyalty_tiers lowest on lowest.organization_id = t.organization_id
        and t.rank >= lowest.rank
      where t.organization_id = a.organization_id and lowest.name = a.criteria ->> 'min_tier');
    p.condition := format(
      '(c.loyalty_tier_id = any(%L::uuid[]) or (c.organization_id = %L and c.total_spend >= %L::numeric))',
      v_tiers, a.organization_id, (a.criteria ->> 'min_spend')::numeric);
  end if;
  p.condition := format('c.organization_id = %L and %s and not exists (
    %s and m.customer_id = c.id and m.created_at > %L%s)',
    a.organization_id, p.condition, private.written_by(a, p_each),
    p_now - make_interval(days => v_period), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.standing_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: customers who have not come for long, or who have a tier or a spend, once a period.';

create or replace function private.afterwards_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('%s:%s:', a.type, a.id));
  -- service_date only bounds the index scan (after midnight it is the day before); the exact instants decide.
  p.source := format('public.locations l
    cross join lateral (select %L::timestamptz as earliest, %L::timestamptz as latest) as due
    join public.reservations r on r.location_id = l.id
      and r.service_date between (due.earliest at time zone l.timezone)::date - 1
        and (due.latest at time zone l.timezone)::date
      and r.service_order at time zone l.timezone between due.earliest and due.latest
      and %s
    join public.customers c on c.id = r.customer_id',
    p_now - make_interval(hours => (a.criteria ->> 'window_hours')::integer),
    p_now - make_interval(hours => (a.criteria ->> 'hours_after')::integer),
    case a.type when 'post_visit' then 'r.visited' else 'r.status = ''no_show'' and r.source <> ''import''
      and not private.came_back(r, r.service_order at time zone l.timezone)' end);
  p.condition := format('l.organization_id = %L and not exists (%s and m.reservation_id = r.id%s)',
    a.organization_id, private.written_by(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.afterwards_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: reservations that were visits, or whose guests did not come, some hours after their time, once each.';

create or replace function private.confirmation_audience(a public.automations, p_now timestamptz,
  p_each boolean) returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
begin
  p.key := format('%L || r.id', format('reservation_confirmation:%s:', a.id));
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date >= (%1$L::timestamptz at time zone l.timezone)::date - 1
      and r.service_order at time zone l.timezone > %1$L
      and r.status = ''confirmed'' and r.source <> ''import''
    join public.customers c on c.id = r.customer_id', p_now);
  p.condition := format('l.organization_id = %L and not exists (
    select 1 from public.messages m
    where %s and m.reservation_id = r.id and m.status not in (''skipped'', ''failed'')%s)',
    a.organization_id, private.own_messages(a, p_each), case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.confirmation_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: confirmed reservations ahead, once each.';

create or replace function private.nudge_audience(a public.automations, p_now timestamptz, p_each boolean)
  returns private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_own text := private.own_messages(a, p_each);
begin
  p.key := format('%L || r.id || %L', format('reservation_confirmation:%s:', a.id), ':nudge');
  p.source := format('public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date between (%1$L::timestamptz at time zone l.timezone)::date - 1
        and (%2$L::timestamptz at time zone l.timezone)::date
      and r.service_order at time zone l.timezone > %1$L
      and r.service_order at time zone l.timezone <= %2$L
      and r.status = ''confirmed'' and r.source <> ''import'' and r.guest_answered_at is null
    join public.customers c on c.id = r.customer_id',
    p_now, p_now + make_interval(hours => (a.criteria ->> 'nudge_hours')::integer));
  -- Asked at least four hours ago by a channel they can answer by, and not twice.
  p.condition := format('l.organization_id = %1$L
    and exists (
      select 1 from public.messages m
      where m.reservation_id = r.id and %2$s and m.channel <> ''email''
        and m.status in (''sent'', ''delivered'') and m.sent_at <= %3$L%5$s)
    and not exists (
      select 1 from public.messages m
      where m.organization_id = %1$L and m.status not in (''skipped'', ''failed'') and m.dedupe_key = %4$s%5$s)',
    a.organization_id, v_own, p_now - interval '4 hours', p.key, case when p_each then ' offset 0' end);
  return p;
end
$$;
comment on function private.nudge_audience(public.automations, timestamptz, boolean) is
  'Of audience_parts: the reservations of those who were asked to confirm and have not answered, shortly before, once each.';

create or replace function private.audience_parts(a public.automations, p_now timestamptz,
  p_each boolean default false, p_after uuid default null, p_until uuid default null,
  p_locations uuid[] default null)
returns setof private.audience_part
language plpgsql stable set search_path = ''
as $$
declare
  p private.audience_part;
  v_reservation boolean := a.type in ('post_visit', 'no_show', 'reservation_confirmation');
  v_filter text := private.audience_filter(a, case when v_reservation then 'r' else 'c' end, p_now, p_after,
    p_until, p_locations);
begin
  case
    when a.type = 'birthday' then
      p := private.birthday_audience(a, p_now, p_each);
    when a.type in ('reengagement', 'vip_reward') then
      p := private.standing_audience(a, p_now, p_each);
    when a.type in ('post_visit', 'no_show') then
      p := private.afterwards_audience(a, p_now, p_each);
    when a.type = 'reservation_confirmation' then
      p := private.confirmation_audience(a, p_now, p_each);
    when a.type = 'campaign' then
      p := private.campaign_audience(a, p_now, p_each, p_after, p_until, p_locations);
    else
      raise exception 'no audience for automations of the type %', a.type;
  end case;
  p.reservation := v_reservation;
  p.condition := p.condition || v_filter;
  return next p;
  if a.type = 'reservation_confirmation' and (a.criteria ->> 'nudge_hours')::integer > 0
    and a.criteria ->> 'answers' = 'true' then
    p := private.nudge_audience(a, p_now, p_each);
    p.reservation := true;
    p.condition := p.condition || v_filter;
    return next p;
  end if;
end
$$;
comment on function private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[]) is
  'The customers who meet what the automation''s type asks, and its filters and segment, and to whom it has not written about this yet. Failed and skipped messages do not count, except those skipped for the control group. p_each: to look each customer up by an index, whatever the table''s statistics say. p_after, p_until: only the customers in this range of ids. p_locations: the segment as someone bound to these sees it.';

create or replace function private.came_back(p_missed public.reservations, p_starts timestamptz)
returns boolean
language sql stable set search_path = ''
as $$
  -- Only what is for later: the sync may have brought the missed booking itself, or an old one, since then.
  select exists (
    select 1 from public.reservations other
    join public.locations l on l.id = other.location_id
    where other.customer_id = p_missed.customer_id and other.id <> p_missed.id and other.source <> 'import'
      -- For the index: no clock is a day from UTC.
      and other.service_order > (p_starts at time zone 'UTC') - interval '1 day'
      and other.service_order at time zone l.timezone >= p_starts
      and (other.created_at >= p_starts or other.visited or other.status = 'seated'
        or other.arrived_at is not null))
$$;
comment on function private.came_back(public.reservations, timestamptz) is
  'Whether the guest of a reservation that started at p_starts has come since then, or has booked again, also if that was cancelled: they know of us.';

create or replace function private.overtaken(a public.automations, r public.reservations,
  p_starts timestamptz, p_now timestamptz)
returns text
-- Without a setting: so that it is part of the statement of a claim, which asks it for each message.
language sql stable
as $$
  select case
    when a.type = 'reservation_confirmation' and (r.status is distinct from 'confirmed'
      -- Who has answered is not asked.
      or r.guest_answered_at is not null or p_starts <= p_now) then 'reservation_changed'
    when a.type = 'no_show' and r.status is distinct from 'no_show' then 'reservation_changed'
    when a.type = 'no_show' and private.came_back(r, p_starts) then 'booked'
  end
$$;
comment on function private.overtaken(public.automations, public.reservations, timestamptz, timestamptz) is
  'Why a message of the automation that waits is no longer true of its reservation, which starts at p_starts: the reason to skip it; null: it is.';
grant execute on function private.kind_of(public.automations), private.writes_once(public.automations),
  private.birthdays_within(uuid, integer, timestamptz),
  private.came_back(public.reservations, timestamptz),
  private.overtaken(public.automations, public.reservations, timestamptz, timestamptz),
  private.own_messages(public.automations, boolean), private.written_by(public.automations, boolean),
  private.audience_filter(public.automations, text, timestamptz, uuid, uuid, uuid[]),
  private.birthday_audience(public.automations, timestamptz, boolean),
  private.standing_audience(public.automations, timestamptz, boolean),
  private.afterwards_audience(public.automations, timestamptz, boolean),
  private.confirmation_audience(public.automations, timestamptz, boolean),
  private.nudge_audience(public.automations, timestamptz, boolean),
  private.audience_parts(public.automations, timestamptz, boolean, uuid, uuid, uuid[])
  to service_role;
-- << supabase/logic/automations/audience.sql

-- >> supabase/logic/automations/enqueue.sql
-- From a run to the outbox: the messages of a run are planned and queued, or held for approval; resume_run
-- lets a paused run go on.

create or replace function private.hold_large_run(p_run uuid, p_planned boolean) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_guests integer;
begin
  update public.automation_runs set guests = processed - skipped where id = p_run and expires_at is not null;
  if not found or not p_planned then
    return;
  end if;
  v_guests := (select count(distinct customer_id) from public.messages
    where run_id = p_run and status = 'queued');
  update public.automation_runs run
  set guests = v_guests,
    status = case when v_guests <= o.approve_above and run.status = 'waiting_approval' then 'running'
    else run.status end,
    expires_at = case when v_guests > coalesce(o.approve_above, 0) then run.expires_at end,
    template = case when v_guests > coalesce(o.approve_above, 0) then run.template end
  from public.organizations o where run.id = p_run and o.id = run.organization_id;
end
$$;
comment on function private.hold_large_run(uuid, boolean) is
  'Counts the customers of a run that waits for approval. Once it is planned to its end (p_planned), it starts by itself when they are no more than approve_above.';

create or replace function private.ordered_id(p_nth bigint) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_time bigint := (extract(epoch from statement_timestamp()) * 1000)::bigint + p_nth / 4096;
begin
  return (lpad(to_hex(v_time), 12, '0') || '7' || lpad(to_hex(p_nth % 4096), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid;
end
$$;
comment on function private.ordered_id(bigint) is
  'A UUID of version 7: those of a statement sort by p_nth, and after those of earlier statements. Messages of a run that are sent together lie together, in the table and in its indexes.';

create or replace function private.plan_next(a public.automations, p_run uuid, p_now timestamptz,
  p_retry_after interval, p_limit integer, p_closed jsonb)
returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_after uuid := (select run.planned_to from public.automation_runs run where run.id = p_run);
  v_cap integer := (select o.frequency_cap_days from public.organizations o where o.id = a.organization_id);
  v_recent integer := (a.criteria ->> 'recent_days')::integer;
  v_uncounted uuid[] := private.uncounted_for(a, v_cap);
  v_until uuid;
  -- How many customers it looks at in one go: more where few of them match.
  v_span bigint := p_limit;
  v_left integer := p_limit;
  v_planned integer;
begin
  loop
    v_until := (
      select c.id from public.customers c
      where c.organization_id = a.organization_id
        and c.id > coalesce(v_after, '00000000-0000-0000-0000-000000000000')
      order by c.id offset v_span - 1 limit 1);
    drop table if exists pg_temp.outbox_plan;
    create temp table outbox_plan on commit drop as
    select * from private.plan_part(a, p_now, p_retry_after, p_run, v_after, v_until, v_left, p_closed);
    get diagnostics v_planned = row_count;
    if v_planned > 0 then
      analyze pg_temp.outbox_plan;
      -- Messages that are tried again: a failed row stays and gives up its key, and so does a skipped one
      -- whose reason has changed, for 30 days (kept_for). Each key is looked up by itself (offset 0): there
      -- may be far more skipped messages in the organization than keys in the plan.
      with earlier as materialized (
        select found.id, found.has_same_reason
        from pg_temp.outbox_plan p
        cross join lateral (
          select m.id, m.status = 'skipped' and m.reason = p.reason as has_same_reason
          from public.messages m
          where m.organization_id = a.organization_id and m.dedupe_key = p.dedupe_key
            and m.status in ('skipped', 'failed') offset 0
        ) as found
      ), removed as (
        delete from public.messages m using earlier e where m.id = e.id and e.has_same_reason
      )
      update public.messages m set dedupe_key = concat_ws(':', m.dedupe_key, m.status, m.id),
        superseded_at = case m.status when 'skipped' then p_now end
      from earlier e where m.id = e.id and e.has_same_reason is not true;

      insert into public.messages (id, organization_id, kind, purpose, automation_id, run_id, customer_id,
        reservation_id, location_id, channel, recipient, status, reason, detail, dedupe_key, not_before,
        created_at)
      select private.ordered_id(row_number() over (order by p.customer_id)), a.organization_id, p.kind,
        a.type, a.id, p_run, p.customer_id, p.reservation_id, p.location_id, p.channel, p.recipient,
        case when p.reason is null then 'queued' else 'skipped' end, p.reason,
        case when p.reason is null then p.held
          when p.reason in ('suppressed', 'frequency_cap', 'recently_written') then private.detail_of(
            a.organization_id, p.customer_id, null, p.channel, p.recipient, p.reason,
            p_now - make_interval(days => case p.reason when 'recently_written' then v_recent else v_cap end),
            false, case p.reason when 'frequency_cap' then v_uncounted end) end,
        p.dedupe_key, p.not_before, p_now
      from pg_temp.outbox_plan p
      order by p.customer_id
      on conflict do nothing;
    end if;
    if a.step is null or a.step = 1 and v_planned > 0 then
      perform private.enrol(a, p_run, private.control_share(a), p_now);
    end if;
    v_after := case when v_planned < v_left then v_until else (
      select p.customer_id from pg_temp.outbox_plan p order by p.customer_id desc limit 1) end;
    v_left := v_left - v_planned;
    v_span := case when v_planned < v_span / 8 then v_span * 4 else v_span end;
    -- A step ends well below the limit of a statement.
    exit when v_after is null or v_left <= p_limit / 2
      or clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
  update public.automation_runs set planned_to = v_after where id = p_run;
  return v_after is not null;
end
$$;
comment on function private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb) is
  'Puts the next messages of a run (about p_limit) into the outbox and moves its checkpoint, in one transaction; whether there may be more.';

create or replace function private.end_planning(p_run uuid) returns void
language sql volatile set search_path = ''
as $$
  update public.automation_runs
  set planning = false, planned_to = null,
    status = case when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
      then 'finished' else status end,
    expires_at = case when processed = 0 then null else expires_at end,
    finished_at = case when processed = 0 then started_at
      when status in ('running', 'waiting_approval') and processed <= sent + skipped + failed
        then coalesce(finished_at, greatest(now(), started_at)) else finished_at end
  where id = p_run and planning
$$;
comment on function private.end_planning(uuid) is
  'No more messages are planned for the run; when none are open it is finished.';

create or replace function public.enqueue_run(p_organization uuid, p_automation uuid, p_triggered_by text,
  p_now timestamptz default now(), p_run uuid default null, p_limit integer default 10000,
  p_closed jsonb default '{}', p_person uuid default null)
returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  a public.automations;
  o public.organizations;
  v_run uuid := p_run;
  v_more boolean;
begin
  -- One plan at a time, so that two automations do not write to one customer within the frequency cap.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('outbox:' || p_organization::text, 0));
  select * into a from public.automations
  where id = p_automation and organization_id = p_organization and deleted_at is null
    and type <> 'campaign' for update;
  if a.id is null or a.status <> 'active' then
    perform private.end_planning(p_run);
    if a.id is null then
      return jsonb_build_object('outcome', 'unknown');
    end if;
    return jsonb_build_object('outcome', 'inactive');
  end if;
  select * into o from public.organizations where id = p_organization;
  if o.sending_stopped_at is not null then
    return jsonb_build_object('outcome', 'stopped');
  end if;
  if v_run is null then
    -- Where large sends need approval, a run waits until it is planned to its end: only then is its size
    -- known.
    insert into public.automation_runs (organization_id, automation_id, automation_name, location_ids,
      triggered_by, started_at, started_by, started_by_name, status, planning, expires_at, template, event)
    values (p_organization, a.id, a.name, a.location_ids, p_triggered_by, p_now, p_person,
      (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.id = p_person),
      case when o.approve_above is null then 'running' else 'waiting_approval' end, true,
      case when o.approve_above is not null then p_now + interval '24 hours' end,
      case when o.approve_above is not null then private.template_of(a)
        || jsonb_build_object('email_look', private.email_look_of(a)) end,
      jsonb_build_object('name', 'automation/run', 'data',
      jsonb_build_object('automation_id', a.id, 'triggered_by', p_triggered_by)))
    returning id into v_run;
  end if;
  -- Locked, so that it is not approved, refused or stopped before this part of its messages is there.
  perform 1 from public.automation_runs run where run.id = v_run for update;
  if exists (
    select 1 from public.automation_runs run where run.id = v_run
      and (not run.planning or run.decided_at is not null or run.status in ('refused', 'expired', 'stopped')))
        then
    -- An approval covers the messages that were there: none are added to it, nor to a run that is over.
    perform private.end_planning(v_run);
    return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', false);
  end if;

  v_more := private.plan_next(a, v_run, p_now,
    case p_triggered_by when 'schedule' then interval '1 day' else interval '0' end, p_limit, p_closed);
  perform private.hold_large_run(v_run, not v_more);
  if not v_more then
    perform private.end_planning(v_run);
  end if;
  return jsonb_build_object('outcome', 'enqueued', 'run_id', v_run, 'more', v_more);
end
$$;
comment on function public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid) is
  'Starts a run (manual, by p_person, or schedule), or goes on with p_run from its checkpoint: writes the run and its messages. p_closed: see plan_query. outcome is enqueued (run_id; more when p_limit ended it), inactive, stopped (all sending is) or unknown.';

create or replace function public.resume_run(p_organization uuid, p_automation uuid, p_run uuid,
  p_now timestamptz default now())
returns text
language plpgsql volatile set search_path = ''
as $$
declare
  v_status text;
begin
  -- No claim, and no stop, meanwhile: they lock messages and run in the other order.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  select status into v_status from public.automation_runs
  where id = p_run and automation_id = p_automation and organization_id = p_organization for update;
  if v_status is null then
    return 'not_found';
  elsif v_status <> 'paused' then
    return 'not_paused';
  end if;
  update public.automation_runs
  set status = case when planning or processed > sent + skipped + failed then 'running' else 'finished' end,
    reason = null, failures = 0
  where id = p_run;
  -- Messages that waited for the trouble to pass are due now; claim_messages checks the quiet hours again.
  delete from public.channel_pace p
  where p.organization_id = p_organization and p.channel in (
    select m.channel from public.messages m where m.run_id = p_run and m.status = 'queued');
  update public.messages m set not_before = p_now
  where m.run_id = p_run and m.status = 'queued' and m.not_before > p_now;
  return 'resumed';
end
$$;
comment on function public.resume_run(uuid, uuid, uuid, timestamptz) is
  'Lets a paused run go on: resumed, not_paused or not_found.';
grant execute on function private.ordered_id(bigint), private.hold_large_run(uuid, boolean),
  private.plan_next(public.automations, uuid, timestamptz, interval, integer, jsonb),
  private.end_planning(uuid), public.enqueue_run(uuid, uuid, text, timestamptz, uuid, integer, jsonb, uuid),
  public.resume_run(uuid, uuid, uuid, timestamptz) to service_role;
-- << supabase/logic/automations/enqueue.sql

-- >> supabase/logic/automations/plan.sql
-- Plans a run of an automation: for each customer of its audience the channel and time, or the reason why no
-- message goes.

create or replace function private.plan_query(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_closed jsonb, p_after uuid default null, p_until uuid default null,
  p_limit integer default null, p_locations uuid[] default null)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  o public.organizations;
  v_kind text := private.kind_of(a);
  v_share smallint := private.control_share(a);
  -- At most one message a customer; and each customer has an e-mail of their own.
  v_one boolean := private.writes_once(a);
  v_own boolean := v_one and a.channel = 'email' and a.fallback_channel is null;
  v_messages uuid[] := case when a.campaign_id is null then array[a.id] else array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id and s.step = a.step) end;
  -- Of a campaign's step: an address gets one version of it.
  v_runs uuid[] := private.runs_of_step(a, p_run);
  -- A part looks each customer up by an index: the statistics do not know the run's messages yet.
  v_end text := case when p_limit is not null then ' offset 0' end;
  v_reachable text;
  v_tried text;
  v_recent text;
  v_windows text;
  v_send_at text;
  v_held text;
  v_nowhere constant uuid := '00000000-0000-0000-0000-000000000000';
  v_parts text;
  v_late text;
begin
  select * into o from public.organizations where id = a.organization_id;
  -- A message that only lacked a provider is tried again as soon as the customer can be reached.
  v_reachable := nullif(concat_ws(' or ',
    case when private.closed_by(p_closed, a.channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.channel) end,
    case when a.fallback_channel is not null
      and private.closed_by(p_closed, a.fallback_channel, v_kind) is null
      then format('private.address_by(%L, c.email, c.phone, c.whatsapp_id) is not null', a.fallback_channel)
      end), '');
  -- A skipped or failed message is tried again: not by the run that skipped it, not while that run is open,
  -- and not before p_retry_after has passed.
  v_tried := format('select 1 from public.messages m%s
    where m.organization_id = %L%s
      and (m.status not in (''skipped'', ''failed'') or m.reason = ''control_group''%s or %s <> all(%L)
        or m.created_at > %L%s)',
    case when v_end is null then ' left join public.automation_runs run on run.id = m.run_id' end,
    a.organization_id,
    case when v_end is null then format(' and m.automation_id = any(%L::uuid[])', v_messages) end,
    case when p_run is not null then format(' or m.run_id = %L', p_run) end,
    case when v_end is null then 'run.status'
      else '(select run.status from public.automation_runs run where run.id = m.run_id)' end,
    -- After a refusal, a stop or an expired approval only a person may start again, not the schedule:
    -- p_retry_after = 0 means started by hand.
    array['finished']
      || case when p_retry_after = interval '0' then array['refused', 'expired', 'stopped'] end,
    p_now - p_retry_after,
    case when v_reachable is not null then format(
      ' and not (coalesce(m.reason, '''') in (''no_provider'', ''no_app_url'') and (%s))', v_reachable) end);

  select string_agg(format(', case when exists (
      select from private.counted_messages(%L::timestamptz, false, %L::uuid[], %L::uuid[]) as counted
      where counted.customer_id = way.customer_id%s) then %L end', p_now - make_interval(days => cap.days),
      case cap.reason when 'frequency_cap' then private.uncounted_for(a, cap.days) end, p_locations, v_end,
      cap.reason), '' order by cap.place)
  into v_recent from (values (1, (a.criteria ->> 'recent_days')::integer, 'recently_written'),
    (2, case v_kind when 'marketing' then nullif(o.frequency_cap_days, 0) end, 'frequency_cap'))
      as cap (place, days, reason)
  where cap.days is not null;

  select string_agg(
    format('select c.id as customer_id, %s as reservation_id, %s as dedupe_key, %s as service_order,
      %s as location_id, c.email, c.phone, c.whatsapp_id, c.consents, c.total_visits
    from %s
    where %s and not exists (%s and m.dedupe_key = %2$s%8$s)',
    case when p.reservation then 'r.id' else 'null::uuid' end, p.key,
    case when p.reservation then 'r.service_order' else 'null::timestamp' end,
    case when p.reservation then 'coalesce(r.location_id, c.location_id)' else 'c.location_id' end,
    p.source, p.condition, v_tried, v_end), ' union all ')
  into v_parts from private.audience_parts(a, p_now, p_limit is not null, p_after, p_until, p_locations) p;
  if p_limit is not null then
    -- All messages of a customer are in one part: the next one begins behind them.
    v_parts := format('select * from (%s) as found order by customer_id fetch first %s rows with ties',
      v_parts, p_limit);
  end if;
  -- offset 0: what is asked of a customer is asked once, however often its answer is used.
  v_parts := format('select way.customer_id, way.reservation_id, way.dedupe_key, way.service_order,
      way.location_id, way.channel, way.address, coalesce(way.reason%s) as reason
    from (%s) as way%s', v_recent,
    private.ways_query(v_parts, a.organization_id, v_kind, a.channel, a.fallback_channel,
      a.content_sid is null, p_closed, p_now),
    case when not v_own then ' offset 0' end);

  -- Mostly all locations have the same: then it is said once, and not looked up for each customer.
  select case when count(distinct (w.send_at, w.detail)) > 1 then string_agg(
      format('(%L::uuid, %L::timestamptz, %L::jsonb)', coalesce(w.location_id, v_nowhere), w.send_at,
        w.detail), ', ') end,
    format('%L::timestamptz', min(w.send_at)), format('%L::jsonb', (array_agg(w.detail))[1])
  into v_windows, v_send_at, v_held from private.send_windows(a.organization_id, v_kind, p_now,
    case a.type when 'campaign' then (a.criteria ->> 'starts_local')::timestamp end) as w;
  if v_windows is not null then
    v_send_at := 'windows.send_at';
    v_held := 'windows.detail';
    v_windows := format(' join (values %s) as windows (location_id, send_at, detail)
      on windows.location_id = coalesce(ranked.location_id, %L)', v_windows, v_nowhere);
  end if;

  v_late := concat(
    case when o.frequency_cap_days > 0
      and not v_one then ' when nth_for_customer > 1 then ''frequency_cap''' end,
    case when not v_own then ' when nth_for_address > 1 then ''duplicate''' end,
    -- Messages of earlier parts count by the present address of their guest.
    case when v_runs <> '{}' and not v_own then format(' when ranked.channel <> ''email'' and exists (
      select 1 from public.customers c
      join public.messages m on m.run_id = any(%L::uuid[]) and m.customer_id = c.id and m.channel <> ''email''
        and (m.status <> ''skipped'' or m.reason = ''control_group'')
      where c.organization_id = %L and (c.phone = ranked.address or c.whatsapp_id = ranked.address)
        and c.id <> ranked.customer_id and private.address_of(c, m.channel) = ranked.address) then ''duplicate''',
      v_runs, a.organization_id) end,
    -- Asked last, so that the two groups differ only in the message. A guest stays in the group they began
    -- in; a new one is drawn: the hash's first 32 bits are a number below 2^32, and the automation's random
    -- id is its salt.
    case when v_share > 0 then format(' when exists (
        select 1 from private.enrolments e
        where e.automation_id = %1$L and e.customer_id = ranked.customer_id and e.held%3$s)
      or (''x'' || left(md5(%1$L || ranked.customer_id::text), 8))::bit(32)::bigint * 100 < %2$s * 4294967296
        and not exists (
          select 1 from private.enrolments e where e.automation_id = %1$L and e.customer_id = ranked.customer_id%3$s)
      then ''control_group''', coalesce(a.campaign_id, a.id), v_share, v_end) end);

  return format('select ranked.customer_id, ranked.reservation_id, ranked.dedupe_key, %L::text as kind, ranked.channel,
      ranked.address as recipient, %s as reason, %s as not_before, ranked.location_id, %s as held
    from (select *%s%s from (%s) as addressed offset 0) as ranked%s',
    v_kind, case when v_kind <> 'marketing' or v_late = '' then 'ranked.reason'
      else format('case when ranked.reason is not null then ranked.reason%s end', v_late) end,
    v_send_at, v_held,
    case when not v_one then ', row_number() over (partition by reason is null, customer_id
      order by service_order desc nulls last, dedupe_key) as nth_for_customer' end,
    case when not v_own then ', row_number() over (partition by reason is null, channel, address collate "C"
      order by customer_id, service_order desc nulls last, dedupe_key) as nth_for_address' end,
    v_parts, v_windows);
end
$$;
comment on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid, uuid, integer, uuid[]) is
  'What a run of the automation, saved or not, at p_now would put into the outbox, as SQL: {customer_id, reservation_id, dedupe_key, kind, channel, recipient, reason to skip, not_before, location_id, held (detail of one that has to wait)}. p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_after, p_until: only customers in this range of ids. p_limit: only the first customers by id, until there are so many messages. p_locations: for the eyes of someone bound to these, so segments and earlier messages count as far as they concern them.';
grant execute on function private.plan_query(public.automations, timestamptz, interval, uuid, jsonb, uuid,
  uuid, integer, uuid[]) to service_role;

create or replace function private.plan_part(a public.automations, p_now timestamptz, p_retry_after interval,
  p_run uuid, p_after uuid, p_until uuid, p_limit integer, p_closed jsonb default '{}')
returns table (customer_id uuid, reservation_id uuid, dedupe_key text, kind text, channel text,
  recipient text, reason text, not_before timestamptz, location_id uuid, held jsonb)
-- To compile the statement takes longer than to run it.
language plpgsql stable set search_path = '' set jit = off
as $$
begin
  return query execute private.plan_query(a, p_now, p_retry_after, p_run, p_closed, p_after, p_until,
    p_limit);
end
$$;
comment on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid, integer, jsonb) is
  'A part of a plan (see plan_query): of the customers after p_after up to p_until by id, until there are p_limit messages.';
grant execute on function private.plan_part(public.automations, timestamptz, interval, uuid, uuid, uuid,
  integer, jsonb) to service_role;
-- << supabase/logic/automations/plan.sql

-- >> supabase/logic/customers/customers.sql
-- Who has a phone, and the names a customer had before; what all that change customers call first.

create or replace function private.phone_owners(p_organization uuid, p_phones text[])
  returns table (phone text, customer_id uuid)
language sql stable set search_path = ''
as $$
  select c.phone, c.id from public.customers c
  where c.organization_id = p_organization and c.phone = any(p_phones)
  union
  select a.phone, a.customer_id from public.customer_aliases a
  where a.organization_id = p_organization and a.phone = any(p_phones)
$$;
comment on function private.phone_owners(uuid, text[]) is 'The customers who have, or once had, each of the phones.';
grant execute on function private.phone_owners(uuid, text[]) to service_role;

create or replace function private.add_phones(p_organization uuid, p_customers uuid[], p_phones text[])
  returns void
language sql volatile set search_path = ''
as $$
  with owned as materialized (
    select o.phone from private.phone_owners(p_organization, p_phones) as o
  )
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select distinct on (n.phone) p_organization, n.customer_id, n.phone
  from unnest(p_customers, p_phones) with ordinality as n (customer_id, phone, place)
  where n.customer_id is not null and n.phone not in (select phone from owned)
  order by n.phone, n.place
$$;
comment on function private.add_phones(uuid, uuid[], text[]) is
  'Gives customers further phones, pair by pair: bookings find them by these, messages do not use them. A phone that somebody has, or had, stays theirs alone. Call it under lock_identities.';
grant execute on function private.add_phones(uuid, uuid[], text[]) to service_role;

create or replace function private.lock_identities(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || p_organization::text,
  0)) $$;
comment on function private.lock_identities(uuid) is
  'One writer of an organization''s identities at a time, until the transaction ends; the sync takes the same lock.';
grant execute on function private.lock_identities(uuid) to service_role;

create or replace function private.keep_name(p_before public.customers, p_now uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into public.customer_aliases (organization_id, customer_id, name)
  select c.organization_id, c.id, former.name from public.customers c
  cross join lateral (select nullif(btrim(concat_ws(' ', (p_before).first_name, (p_before).last_name)), ''))
    as former (name)
  where c.id = p_now
    and private.name_key(former.name) <> private.name_key(concat_ws(' ', c.first_name, c.last_name))
    and former.name is not null and not exists (
      select 1 from public.customer_aliases a where a.customer_id = c.id
        and private.name_key(a.name) = private.name_key(former.name))
$$;
comment on function private.keep_name(public.customers, uuid) is 'Keeps the name before a change among the customer''s former names.';
-- << supabase/logic/customers/customers.sql

-- >> supabase/logic/customers/match_people.sql
-- Which customer a person is: one rule for the sync, imports, bookings by hand and the waitlist. match_people
-- finds a known customer for each person of a batch, or makes the id of a new one. Its steps fill in
-- pg_temp.people; the caller writes the customers.

create or replace function private.match_people(p_organization uuid, p_people jsonb)
  returns table (place integer, customer_id uuid, is_new boolean)
language plpgsql volatile set search_path = ''
as $$
#variable_conflict use_column
begin
  drop table if exists pg_temp.people;
  create temp table people on commit drop as
  select e.place, coalesce(e.recency, e.place) as recency, e.email, e.phone, e.first_name, e.last_name,
    e.birth_date, e.address, e.company, e.job_title, e.customer_id, e.customer_id is null as is_asked,
    false as is_new, null::integer as born, null::text as name_key
  from jsonb_to_recordset(p_people) as e (place integer, recency integer, email text, phone text,
    first_name text, last_name text, birth_date date, address text, company text, job_title text,
    customer_id uuid);
  analyze pg_temp.people;
  perform private.match_emails(p_organization);
  -- Only who is not known by e-mail is compared by name and year of birth, which take long to work out.
  update pg_temp.people p set born = private.birth_year(p.birth_date, p.email),
    name_key = private.name_key(coalesce(p.first_name, '') || ' ' || coalesce(p.last_name, ''))
  where p.customer_id is null;
  if found then
    analyze pg_temp.people;
  end if;
  perform private.match_phones_of_emails(p_organization);
  perform private.match_by_model(p_organization);
  perform private.number_new_emails();
  perform private.match_phones(p_organization);
  return query select p.place, p.customer_id, p.is_new from pg_temp.people p
    where p.is_asked and p.customer_id is not null;
end
$$;
comment on function private.match_people(uuid, jsonb) is
  'The customers of people [{place, recency, email, phone, first_name, last_name, birth_date, address, company, job_title}], of whom only place is required; with customer_id: one of the batch who is known. The order is that of place; the name of highest recency counts. is_new: customer_id is of nobody yet, and the caller makes that customer; people of one id are one. Whoever has neither e-mail nor phone is left out. Call it under lock_identities.';
grant execute on function private.match_people(uuid, jsonb) to service_role;

create or replace function private.match_emails(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  update pg_temp.people p set customer_id = c.id from public.customers c
  where p.customer_id is null and p.email is not null and c.organization_id = p_organization
    and c.email = p.email;
  update pg_temp.people p set customer_id = a.customer_id from public.customer_aliases a
  where p.customer_id is null and p.email is not null and a.organization_id = p_organization
    and a.email = p.email;
$$;
comment on function private.match_emails(uuid) is 'Matches people by e-mail, then by a former or further e-mail.';
grant execute on function private.match_emails(uuid) to service_role;

create or replace function private.names_agree(p_one text, p_other text) returns boolean
language sql immutable parallel safe set search_path = ''
as $$
  select '' in (p_one, p_other) or string_to_array(p_one, ' ') <@ string_to_array(p_other, ' ')
    or string_to_array(p_one, ' ') @> string_to_array(p_other, ' ')
$$;
comment on function private.names_agree(text, text) is
  'Whether two name keys may be one person''s: one has all words of the other, or one is empty.';
grant execute on function private.names_agree(text, text) to service_role;

create or replace function private.match_phones_of_emails(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.email is not null
    and p.phone is not null) then
    return;
  end if;
  -- A new e-mail on a known phone belongs to the phone's owner when both have the same name, or when the
  -- owner has no e-mail and the names agree. Years of birth must not contradict: father and son may share
  -- name and phone.
  with wanted as (
    select p.email, p.phone, p.name_key, min(p.place) as place, max(p.birth_date) as birth_date,
      max(p.born) as born
    from (
      -- When an e-mail has rows with and without a name, only those with a name count.
      select *, bool_or(name_key <> '') over (partition by email) as named from pg_temp.people
      where customer_id is null and email is not null
    ) as p
    where p.phone is not null and p.named = (p.name_key <> '')
    group by p.email, p.phone, p.name_key
  ), known as materialized (
    select owned.phone, c.id, c.email, c.created_at, c.birth_date,
      private.birth_year(c.birth_date, c.email) as born,
      private.name_key(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) as name_key
    from private.phone_owners(p_organization, array(select distinct phone from wanted)) as owned
    join public.customers c on c.id = owned.customer_id
  ), pairs as materialized (
    select w.email, w.place, k.id, k.created_at, k.email as their_email,
      w.name_key <> '' and w.name_key = k.name_key as same_name
    from wanted w join known k on k.phone = w.phone
      and (w.name_key = k.name_key or k.email is null and private.names_agree(w.name_key, k.name_key))
    where not private.are_generations(k.born, w.born)
      and (k.birth_date is null or w.birth_date is null
        or private.birth_level(k.birth_date, w.birth_date) not in (1, 5))
  ), named as (
    select distinct on (p.email) p.email, p.id from pairs p where p.same_name
    order by p.email, p.place, p.their_email is null desc, p.created_at, p.their_email, p.id
  ), others as (
    -- For customers without an e-mail. Left out are those who get one from another person of the batch.
    select p.email, p.place, p.id, row_number() over (partition by p.email
      order by p.place, p.created_at, p.id) as choice
    from pairs p
    where p.their_email is null and not exists (select from named n where n.email = p.email or n.id = p.id)
      and not exists (select from pg_temp.people t where t.customer_id = p.id and t.email is not null)
  ), chosen as (
    select n.email, n.id from named n
    union all
    (select distinct on (o.id) o.email, o.id from others o where o.choice = 1 order by o.id, o.place)
  )
  update pg_temp.people p set customer_id = c.id from chosen c
  where p.customer_id is null and p.email = c.email;
end
$$;
comment on function private.match_phones_of_emails(uuid) is
  'Hands a new e-mail to an owner of its phone: one of the same name, else one without an e-mail whose name agrees or is missing; never across years of birth that contradict.';
grant execute on function private.match_phones_of_emails(uuid) to service_role;

create or replace function private.new_emails()
  returns table (email text, phone text, first_name text, last_name text, own text)
language plpgsql stable set search_path = ''
as $$
begin
  return query
  with latest as (
    select p.email, min(p.place) as place,
      (array_agg(p.phone order by p.recency desc) filter (where p.phone is not null))[1] as phone,
      (array_agg(p.first_name order by p.recency desc) filter (where p.name_key <> ''))[1] as first_name,
      (array_agg(p.last_name order by p.recency desc) filter (where p.name_key <> ''))[1] as last_name,
      (array_agg(p.name_key order by p.recency desc) filter (where p.name_key <> ''))[1] as name_key,
      max(p.born) as born
    from pg_temp.people p where p.customer_id is null and p.email is not null
    group by p.email
  )
  select l.email, l.phone, l.first_name, l.last_name,
    first_value(l.email) over (partition by coalesce(l.phone || ' ' || l.name_key, l.email),
      case when l.generations then l.born end order by l.place)
  from (
    select a.*, private.are_generations(min(a.born) over one_name, max(a.born) over one_name) as generations
    from latest a window one_name as (partition by a.phone, a.name_key)
  ) as l;
end
$$;
comment on function private.new_emails() is
  'The e-mails of pg_temp.people that no customer has yet, with the latest phone and name; own: the first e-mail of the same phone and name.';
grant execute on function private.new_emails() to service_role;

create or replace function private.match_by_model(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_people jsonb;
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.email is not null) then
    return;
  end if;
  -- Only people with an e-mail are compared: a new phone alone is too little. How many people share a phone
  -- or mailbox counts the whole batch.
  with facts as (
    select p.email, (array_agg(p order by p.birth_date is not null desc, p.place desc))[1] as last
    from pg_temp.people p where p.customer_id is null and p.email is not null group by p.email
  )
  select jsonb_agg(jsonb_strip_nulls(to_jsonb(one))) into v_people from (
    select n.own, n.phone, n.first_name, n.last_name, n.email, null::uuid as customer_id,
      null::boolean as known, (f.last).birth_date, (f.last).address, (f.last).company, (f.last).job_title
    from private.new_emails() as n join facts f on f.email = n.email where n.email = n.own
    union all
    select distinct null, p.phone, p.first_name, p.last_name, p.email, p.customer_id, true, null::date, null,
      null, null
    from pg_temp.people p where p.customer_id is not null or p.email is null and p.phone is not null
  ) as one;
  update pg_temp.people p set customer_id = m.customer_id
  from private.certain_matches(p_organization, v_people) as m
  join private.new_emails() as n on n.own = v_people -> (m.place - 1) ->> 'own'
  where p.customer_id is null and p.email = n.email;
end
$$;
comment on function private.match_by_model(uuid) is
  'Gives new e-mails to the customers that the model is certain of (docs/identity.md).';
grant execute on function private.match_by_model(uuid) to service_role;

create or replace function private.number_new_emails() returns void
language sql volatile set search_path = ''
as $$
  with fresh as materialized (
    select n.email, n.own from private.new_emails() as n
  ), made as materialized (
    select own, private.new_id() as id from fresh group by own
  )
  update pg_temp.people p set customer_id = m.id, is_new = true
  from fresh f join made m on m.own = f.own
  where p.customer_id is null and p.email = f.email;
$$;
comment on function private.number_new_emails() is
  'Makes ids of new customers for the e-mails left: one for those with the same phone and name.';
grant execute on function private.number_new_emails() to service_role;

create or replace function private.match_phones(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  if not exists (select from pg_temp.people p where p.customer_id is null and p.phone is not null) then
    return;
  end if;
  -- People without an e-mail are found by phone: the customer of that name, else the oldest record. Customers
  -- of this batch already count with the phone and name that it gives them, so a repeated batch finds the
  -- same people.
  with own as (
    select p.customer_id as id, (array_agg(p.email order by p.place))[1] as email,
      bool_or(p.is_new) as is_new,
      (array_agg(p.phone order by p.recency desc) filter (where p.phone is not null))[1] as phone,
      (array_agg(p.first_name order by p.recency desc) filter (where p.first_name is not null))[1]
        as first_name,
      (array_agg(p.last_name order by p.recency desc) filter (where p.last_name is not null))[1] as last_name
    from pg_temp.people p where p.email is not null group by p.customer_id
  ), wanted as (
    select distinct p.phone, p.name_key from pg_temp.people p
    where p.customer_id is null and p.phone is not null
  ), owners as (
    select coalesce(c.phone, o.phone) as phone, o.id from own o left join public.customers c on c.id = o.id
    union
    select k.phone, k.customer_id
    from private.phone_owners(p_organization, array(select distinct phone from wanted)) as k
  ), known as materialized (
    select w.phone, w.id, coalesce(o.is_new, false) as is_new, coalesce(c.email, o.email) as email,
      coalesce(c.created_at, now()) as created_at,
      private.name_key(coalesce(nullif(c.first_name, ''), o.first_name, '') || ' ' ||
        coalesce(nullif(c.last_name, ''), o.last_name, '')) as name_key
    from owners w left join own o on o.id = w.id left join public.customers c on c.id = w.id
    where w.phone in (select phone from wanted)
  ), chosen as (
    select distinct on (w.phone, w.name_key) w.phone, w.name_key, k.id, k.is_new
    from wanted w join known k on k.phone = w.phone
    order by w.phone, w.name_key, (w.name_key <> '' and k.name_key = w.name_key) desc, k.created_at, k.email,
      k.id
  )
  update pg_temp.people p set customer_id = c.id, is_new = c.is_new
  from chosen c where p.customer_id is null and p.phone = c.phone and p.name_key = c.name_key;

  -- Each other phone becomes a new customer.
  update pg_temp.people p set customer_id = n.id, is_new = true
  from (
    select o.phone, private.new_id() as id from pg_temp.people o
    where o.customer_id is null and o.phone is not null group by o.phone
  ) as n
  where p.customer_id is null and p.phone = n.phone;
end
$$;
comment on function private.match_phones(uuid) is
  'Gives people without an e-mail the customer of their phone: the one of that name, else the oldest record, else a new one.';
grant execute on function private.match_phones(uuid) to service_role;
-- << supabase/logic/customers/match_people.sql

-- >> supabase/logic/imports/rows.sql
-- Saving a chunk of an import's rows: they are matched to customers, gathered by customer, written, and
-- linked to the import's location. lib/imports calls import_customers; rows come checked and normalised from
-- lib/imports/parse-row.ts.

create or replace function private.declared_consents(p_import uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_object_agg(channel, jsonb_build_object('basis', i.consent, 'source', 'import', 'at', now(),
    'author', coalesce(nullif(btrim(p.full_name), ''), p.email)))
  from public.import_runs i
  left join public.profiles p on p.id = i.profile_id
  cross join unnest(array['whatsapp', 'sms', 'email']) as channel
  where i.id = p_import
$$;
comment on function private.declared_consents(uuid) is 'The consent that the import declared for its customers, in the form of customers.consents.';

create or replace function private.import_read_rows(p_rows jsonb) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_rows integer;
begin
  drop table if exists pg_temp.import_batch;
  -- The columns that identify the customer, and tags, which are combined. All others are passed unchanged in
  -- details.
  create temp table import_batch on commit drop as
  select r.*,
    e.value - array['line', 'email', 'phone', 'first_name', 'last_name', 'tags', 'further_phones']
      as details,
    null::uuid as customer_id, false as is_new
  from jsonb_array_elements(p_rows) as e
  cross join jsonb_to_record(e.value) as r (
    line integer, email text, phone text, first_name text, last_name text, tags jsonb,
    further_phones text[]);
  get diagnostics v_rows = row_count;
  analyze pg_temp.import_batch;
  return v_rows;
end
$$;
comment on function private.import_read_rows(jsonb) is 'Makes pg_temp.import_batch of the rows; returns their number.';

create or replace function private.import_match_people(p_organization uuid) returns void
language sql volatile set search_path = ''
as $$
  update pg_temp.import_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', line, 'email', email, 'phone', phone,
      'first_name', first_name, 'last_name', last_name, 'birth_date', details -> 'birth_date',
      'address', details -> 'address', 'company', details -> 'company', 'job_title', details -> 'job_title')))
    from pg_temp.import_batch)) as m
  where b.line = m.place
$$;
comment on function private.import_match_people(uuid) is
  'Gives rows of the batch their customers: known ones, else ids for new ones (is_new).';

create or replace function private.import_gather_people() returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.import_people;
  create temp table import_people on commit drop as
  with tagged as (
    select customer_id, array_agg(tag order by first_line, place) as tags
    from (
      select b.customer_id, t.tag, min(b.line) as first_line, min(t.place) as place
      from pg_temp.import_batch b
      cross join lateral jsonb_array_elements_text(b.tags) with ordinality as t (tag, place)
      group by b.customer_id, t.tag
    ) as each_tag
    group by customer_id
  ), detailed as (
    -- Of a key that comes several times, jsonb keeps the last value.
    select b.customer_id, jsonb_object_agg(d.key, d.value order by b.line) as details
    from pg_temp.import_batch b cross join jsonb_each(b.details) as d
    group by b.customer_id
  )
  select b.customer_id as id, bool_or(b.is_new) as is_new,
    max(b.own_email) as email,
    (array_agg(b.phone order by b.line desc) filter (where b.phone is not null))[1] as phone,
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.first_name is not null))[1] as first_name,
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.line desc)
      filter (where b.last_name is not null))[1] as last_name,
    coalesce(d.details, '{}') as details,
    coalesce(t.tags[1:200], '{}') as tags
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, line) as own_email
    from pg_temp.import_batch
  ) as b
  left join tagged t on t.customer_id = b.customer_id
  left join detailed d on d.customer_id = b.customer_id
  group by b.customer_id, t.tags, d.details;
  analyze pg_temp.import_people;
end
$$;
comment on function private.import_gather_people() is
  'Makes pg_temp.import_people, one row a customer: the last non-empty value of the batch wins. Names come first from rows with the customer''s first e-mail, then from the others.';

create or replace function private.import_write_customers(p_organization uuid, p_location uuid,
  p_consents jsonb, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
declare
  -- With outdated statistics a join pairs each person with each customer: so only with those of the batch.
  v_known uuid[] := array(select id from pg_temp.import_people where not is_new);
  v_changed public.customers[];
begin
  -- With the tier of someone who has not come yet: refresh_customers would write each row again for it.
  execute (
    select format($sql$
      insert into public.customers (id, organization_id, source, consents, loyalty_tier_id, %1$s)
      select p.id, $1, 'Bulk Import', $3, (
        select rule.tier_id from private.tier_rules() as rule
        where rule.location_id = $2 and rule.organization_id = $1 and rule.min_spend <= 0
          and rule.min_visits <= 0
        order by rule.rank desc limit 1), %2$s
      from pg_temp.import_people p
      cross join jsonb_populate_record(null::public.customers, p.details || jsonb_build_object(
        'email', p.email, 'phone', p.phone, 'first_name', p.first_name, 'last_name', p.last_name,
        'tags', p.tags, 'location_id', $2)) as d
      where p.is_new$sql$, string_agg(quote_ident(f), ', '), string_agg(format('d.%I', f), ', '))
    from unnest(private.customer_fields()) as f)
  using p_organization, p_location, p_consents;
  get diagnostics created = row_count;

  -- Known customers: the details of the file replace theirs; identity, names and notes only fill blanks,
  -- names matched by phone alone only where there is none at all.
  with next as materialized (
    select c as old, jsonb_populate_record(c, p.details || jsonb_build_object(
      'email', coalesce(c.email, p.email), 'phone', coalesce(c.phone, p.phone),
      'first_name', case when fill.names then coalesce(nullif(c.first_name, ''), p.first_name, c.first_name)
        else c.first_name end,
      'last_name', case when fill.names then coalesce(nullif(c.last_name, ''), p.last_name, c.last_name)
        else c.last_name end,
      'notes', coalesce(c.notes, p.details ->> 'notes'),
      'tags', (c.tags || array(select t.tag from unnest(p.tags) with ordinality as t (tag, place)
        where t.tag <> all (c.tags) order by t.place))[1:200],
      'consents', private.add_consents(c.consents, c.total_visits, p_consents))) as new
    from pg_temp.import_people p
    join public.customers c on c.id = p.id
    cross join lateral (select p.email is not null
      or (coalesce(c.first_name, '') = '' and coalesce(c.last_name, '') = '')) as fill (names)
    where not p.is_new and c.id = any(v_known)
  )
  select coalesce(array_agg(n.new), '{}') into v_changed from next n where n.old is distinct from n.new;
  perform private.write_customer_fields(v_changed, '{consents}');
  updated := cardinality(v_changed);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.import_batch b join public.customers c on c.id = b.customer_id
  where b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.line, f.place),
    array_agg(f.phone order by b.line, f.place))
  from pg_temp.import_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.import_write_customers(uuid, uuid, jsonb) is
  'Saves the people gathered: new ones at the location, known ones with what the file adds. Returns how many were created and changed.';

create or replace function private.import_link_location(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  -- Read at once: one by one, statistics from before the import make each question read the whole table.
  v_linked uuid[] := array(
    select r.customer_id from public.reservations r
    where r.customer_id = any(array(select id from pg_temp.import_people)) and r.location_id = p_location
      and r.source = 'import');
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    reservation_date, reservation_time, party_size, status, source, service_over)
  select p_organization, p_location, p.id, 'import:' || p_location::text || ':' || p.id::text,
    nullif(concat_ws(' ', c.first_name, c.last_name), ''), (now() at time zone l.timezone)::date,
    time '12:00', 1,
    'completed', 'import', true
  from pg_temp.import_people p
  join public.customers c on c.id = p.id
  join public.locations l on l.id = p_location
  where not exists (select from unnest(v_linked) as linked (id) where linked.id = p.id)
  on conflict (organization_id, external_id) do nothing;

  perform private.refresh_customers(array(
    select c.id from pg_temp.import_people p join public.customers c on c.id = p.id
    where not p.is_new and c.location_id is null));
end
$$;
comment on function private.import_link_location(uuid, uuid) is
  'Links the people gathered to the location: one reservation a customer and location, of source `import`, that no list or figure counts.';

create or replace function public.import_customers(p_import uuid, p_rows jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_location uuid;
  v_status text;
  v_rows integer;
  v_people integer;
  v_written record;
begin
  select organization_id into v_organization from public.import_runs where id = p_import;
  -- One writer of identities at a time, the sync included; the import may be cancelled while this waits.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('identity:' || v_organization::text,
    0));
  select status, location_id into v_status, v_location from public.import_runs where id = p_import;
  if v_status is distinct from 'running' then
    return jsonb_build_object('running', false);
  end if;

  -- The steps share pg_temp.import_batch, then pg_temp.import_people.
  v_rows := private.import_read_rows(p_rows);
  perform private.import_match_people(v_organization);
  perform private.import_gather_people();
  select * into v_written
  from private.import_write_customers(v_organization, v_location, private.declared_consents(p_import));
  if v_location is not null then
    perform private.import_link_location(v_organization, v_location);
  end if;

  v_people := (select count(*) from pg_temp.import_people);
  update public.import_runs set processed = processed + v_rows, imported = imported + v_rows,
    created = created + v_written.created, updated = updated + v_written.updated,
    repeated = repeated + v_rows - v_people
  where id = p_import;
  return jsonb_build_object('running', true, 'created', v_written.created, 'updated', v_written.updated,
    'unchanged', v_people - v_written.created - v_written.updated);
end
$$;
comment on function public.import_customers(uuid, jsonb) is
  'Saves a chunk of a running import''s rows, all or none, and counts them in the run. When the import is over or cancelled it saves nothing and returns {running: false}.';
grant execute on function private.declared_consents(uuid), private.import_read_rows(jsonb),
  private.import_match_people(uuid), private.import_gather_people(),
  private.import_write_customers(uuid, uuid, jsonb), private.import_link_location(uuid, uuid),
  public.import_customers(uuid, jsonb) to service_role;
-- << supabase/logic/imports/rows.sql

-- >> supabase/logic/jobs/installation.sql
-- What the app checks an installation by: db:release writes its number.

create or replace function public.installation_state() returns jsonb
language sql volatile set search_path = ''
as $$
  select jsonb_build_object('version', '20261128032012', 'now', pg_catalog.clock_timestamp())
$$;
comment on function public.installation_state() is
  'The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).';
grant execute on function public.installation_state() to service_role;
-- << supabase/logic/jobs/installation.sql

-- >> supabase/logic/messages/bucket.sql
-- The bucket of Supabase Storage for images in e-mails. It is public, because mail programs have no key.
-- Only the service role can write to it, because storage.objects has no policy. It stands in supabase/logic,
-- because db:release copies each changed file of this folder into a migration, and compares no rows.

do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('email-images', 'email-images', true, 2097152,
      array['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;
-- << supabase/logic/messages/bucket.sql

-- >> supabase/logic/messages/claim.sql
-- The outbox at work: claim_messages → freeze_messages → (provider) → finish_messages, and sweep_leases for
-- messages that a dead process was sending. Here what is due is chosen, judged once more, and leased;
-- outcomes.sql has the rest. Only the service calls these; lib/messaging/drain.ts is the caller.

create or replace function private.due_messages(p_organization uuid, p_channel text, p_until timestamptz,
  p_limit integer, p_run uuid, p_automation uuid, p_notices boolean, p_after timestamptz, p_after_id uuid,
  out ids uuid[], out last_at timestamptz, out last_id uuid)
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_held uuid[] := array(
    select id from public.automation_runs
    where organization_id = p_organization
      and status in ('paused', 'waiting_approval', 'refused', 'expired', 'stopped')
      and processed > sent + skipped + failed
    union all
    select run.id from public.campaigns c
    join public.automations a on a.campaign_id = c.id
    join public.automation_runs run on run.automation_id = a.id
    where c.organization_id = p_organization and c.status in ('paused', 'waiting_approval'));
  v_keys text[];
begin
  with due as (
    select m.id, m.not_before, m.idempotency_key from public.messages m
    where m.organization_id = p_organization and m.channel = p_channel and m.status = 'queued'
      and m.not_before <= p_until and (m.not_before, m.id) > (p_after, p_after_id)
      and (p_run is null or m.run_id = p_run)
      and (not p_notices or m.automation_id is null)
        and (p_automation is null or m.automation_id = p_automation)
      and (v_held = '{}' or m.run_id is null or m.run_id <> all(v_held))
    order by m.not_before, m.id limit p_limit
    for update skip locked
  )
  select coalesce(array_agg(d.id order by d.not_before, d.id), '{}'), max(d.not_before),
    array_agg(d.idempotency_key) filter (where d.idempotency_key is not null) into ids, last_at, v_keys
      from due d;
  last_id := ids[cardinality(ids)];
  if p_channel = 'email' and v_keys is not null then
    -- E-mails that may have been accepted in one request are repeated in one: they share its key.
    ids := ids || array(
      select m.id from public.messages m
      where m.status = 'queued' and m.id <> all(ids) and m.idempotency_key = any(v_keys) for update);
  end if;
end
$$;
comment on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean, timestamptz, uuid) is
  'Locks the next queued messages of a channel that are due at p_until (of one run; of one automation; only those of no automation), without those of held runs, behind the place (p_after, p_after_id) of the queue. Returns their ids and the place of the last one.';

create or replace function private.judge_messages(p_organization uuid, p_channel text, p_ids uuid[],
  p_now timestamptz, p_closed jsonb)
returns table (id uuid, channel text, address text, send_at timestamptz, maybe_accepted boolean,
  reason text, detail jsonb)
-- The joins follow keys, in a good order: to look for a better one would take longer than to run them.
language plpgsql stable rows 100 set search_path = '' set plan_cache_mode = force_custom_plan
  set join_collapse_limit = 1
as $$
#variable_conflict use_column
begin
  return query
  with windows as materialized (
    select * from private.send_windows(p_organization, 'marketing', p_now)
  ), judged as materialized (
    select m.id, m.customer_id, m.not_before, m.kind, m.maybe_accepted, m.idempotency_key as key,
      way.channel, way.address, o.frequency_cap_days as cap, its.uncounted,
      coalesce(a.campaign_id, m.run_id) as among, a.step,
      case
        when m.run_id is not null and (a.id is null or a.status <> 'active') then 'automation_inactive'
        when run.template is not null and m.frozen_at is null
          and run.template - 'email_look' <> private.template_of(a)
          then 'message_changed'
        when m.automation_id is not null and c.id is null then 'customer_gone'
        -- The provider has forgotten its key: sent again, it may arrive twice.
        when m.maybe_accepted and private.retry_verdict(m, p_now) = 'too_late' then 'too_late'
        when way.reason is not null then way.reason
        when its.overtaken is not null then its.overtaken
        when coalesce(a.step, 1) > 1 and m.frozen_at is null
          and private.booked_since(m.customer_id, m.created_at) then 'booked'
        -- An event that begins right now is still announced.
        when m.frozen_at is null
          and (m.content ->> 'event_datetime')::timestamptz < p_now - interval '1 minute'
          then 'too_late'
        when m.frozen_at is null and (m.content ->> 'expires_at')::timestamptz < p_now then 'too_late'
        -- Resending a message that may have arrived does not count against the cap.
        when m.kind = 'marketing' and o.frequency_cap_days > 0 and not m.maybe_accepted and exists (
          select from private.counted_messages(p_now - make_interval(days => o.frequency_cap_days), true,
            its.uncounted) as counted
          where counted.customer_id = m.customer_id and counted.id <> m.id) then 'frequency_cap'
        -- Merged with a guest of the control group since it was planned.
        when m.kind = 'marketing' and exists (
          select 1 from private.enrolments e
          where e.automation_id = coalesce(a.campaign_id, m.automation_id) and e.customer_id = m.customer_id
            and e.held)
          and private.control_share(a) > 0 then 'control_group'
        when way.channel <> m.channel then case
          -- An address that is gone takes with it the no that was said there.
          when m.kind = 'marketing' and exists (
            select from public.suppressions s
            where s.organization_id = p_organization and s.channel = m.channel and s.address = m.recipient
              and (s.reason <> 'bounce' or s.opt_out is not null)) then 'suppressed'
          else private.taken_by(m, a, way.channel, way.address) end
      end as reason,
      case m.kind when 'marketing' then windows.send_at else p_now end as send_at,
      case m.kind when 'marketing' then windows.detail end as held
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automations a on a.id = m.automation_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join windows on windows.location_id is not distinct from l.id
    -- A frozen message keeps its channel and the address it had; another one takes the guest's way now.
    -- offset 0: each is worked out once, not wherever it is used, which also takes long to plan.
    cross join lateral (select m.automation_id is null or m.frozen_at is not null as fixed,
      case when a.step > 1 then private.uncounted_for(a, o.frequency_cap_days) end as uncounted,
      private.overtaken(a, r, r.service_order at time zone l.timezone, p_now) as overtaken offset 0) as its
    cross join lateral (
      select case when its.fixed then m.channel else a.channel end as channel,
        case when not its.fixed then a.fallback_channel end as fallback,
        case when its.fixed then '{}' else p_closed end as closed,
        a.id is not null and a.content_sid is null as free_text, coalesce(c.consents, '{}') as consents,
        coalesce(c.total_visits, 0) as visits offset 0) as ask
    cross join lateral (
      select case when its.fixed then m.recipient
          else private.address_by(ask.channel, c.email, c.phone, c.whatsapp_id) end as own,
        private.address_by(ask.fallback, c.email, c.phone, c.whatsapp_id) as other,
        private.closed_by(ask.closed, ask.channel, m.kind) as own_closed,
        private.closed_by(ask.closed, ask.fallback, m.kind) as other_closed offset 0) as place
    -- As ways_to. offset 0: each is asked once a message, and the second one rarely.
    cross join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.channel, place.own, c.whatsapp_id,
        ask.consents, ask.visits, ask.free_text, place.own_closed, p_now) as b offset 0) as first
    left join lateral (
      select b.reason from private.blocked_by(p_organization, m.kind, ask.fallback, place.other,
        c.whatsapp_id, ask.consents, ask.visits, ask.free_text, place.other_closed, p_now) as b
      where first.reason is not null offset 0) as second on true
    cross join lateral private.way_of(ask.channel, ask.fallback, place.own, place.other, place.own_closed,
      place.other_closed, first.reason, second.reason) as way
    where m.id = any(p_ids)
  ), batches as (
    select *, coalesce(bool_or(reason is not null) over batch or key is not null and count(*) over batch < (
        select count(*) from public.messages k where k.idempotency_key = judged.key), false) as broken,
      -- The customers of one batch may be in different time zones.
      max(send_at) over batch as batch_send_at
    from judged window batch as (partition by coalesce(key, id::text))
  ), verdicts as (
    select *, case
      when reason is not null then reason
      when broken then 'batch_incomplete'
      when channel <> p_channel and kind = 'marketing' and channel <> 'email' and row_number() over (
        partition by among, step, channel, address, reason is null order by id) > 1 then 'duplicate'
      when kind = 'marketing' and cap > 0 and send_at <= p_now and customer_id is not null
        and not maybe_accepted
        and row_number() over (partition by customer_id, kind, reason is null, send_at <= p_now
          order by maybe_accepted desc, not_before, id) > 1 then 'frequency_cap'
      end as verdict
    from batches
  )
  select id, channel, address, batch_send_at as send_at, maybe_accepted, verdict as reason,
    case when verdict is null then held
      when verdict in ('suppressed', 'frequency_cap')
      then private.detail_of(p_organization, customer_id, id, channel, address, verdict,
        p_now - make_interval(days => cap), true, uncounted) end as detail
  from verdicts;
end
$$;
comment on function private.judge_messages(uuid, text, uuid[], timestamptz, jsonb) is
  'For each message: its channel and address now, from when it may go, and the reason why it may not (null: it may), with its detail. Messages of one request are sent together or not at all. p_closed: see ways_to.';

create or replace function private.claimed_json(p_ids uuid[]) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return (
    select jsonb_build_object(
      'templates', coalesce((
        select jsonb_agg(private.template_of(a) || jsonb_build_object('email_look', private.email_look_of(a)))
          from public.automations a
        -- As an array: a semi-join would read all messages of an automation.
        where a.id = any(array(select distinct m.automation_id from public.messages m
          where m.id = any(p_ids)))), '[]'),
      'messages', coalesce(
        jsonb_agg(jsonb_build_object('id', m.id, 'lease_token', m.lease_token, 'kind', m.kind,
        'run_id', m.run_id, 'email_look', run.template -> 'email_look', 'channel', m.channel, 'recipient',
        m.recipient, 'attempts', m.attempts, 'automation_id', m.automation_id,
        'content', m.content, 'frozen', m.frozen_at is not null, 'idempotency_key', m.idempotency_key,
        'visited', coalesce(r.visited, false), 'facts', private.message_facts(o, c, r, l, t.name))
          order by m.not_before, m.id), '[]'))
    from public.messages m
    join public.organizations o on o.id = m.organization_id
    left join public.automation_runs run on run.id = m.run_id
    left join public.customers c on c.id = m.customer_id
    left join public.reservations r on r.id = m.reservation_id
    left join public.locations l on l.id = coalesce(r.location_id, c.location_id)
    left join public.loyalty_tiers t on t.id = c.loyalty_tier_id
    where m.id = any(p_ids));
end
$$;
comment on function private.claimed_json(uuid[]) is
  'What is needed to render and send the messages: {templates (each once), messages (with the facts about their customers)}.';

create or replace function public.claim_messages(p_organization uuid, p_channel text,
  p_limit integer default 100, p_lease_seconds integer default 180, p_now timestamptz default now(),
  p_run uuid default null, p_notices boolean default false, p_pace double precision default null,
  p_integrations text[] default '{}', p_closed jsonb default '{}', p_automation uuid default null,
  p_after jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_only_notices boolean;
  -- An integration that was switched off since the caller looked sends nothing.
  v_closed jsonb := p_closed || (
    select coalesce(jsonb_object_agg(i.channel, 'no_provider'), '{}')
    from unnest(p_integrations) as i (channel) where not private.is_connected(p_organization, i.channel));
  v_next timestamptz;
  v_most integer;
  v_ids uuid[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_claimed uuid[];
  v_ended uuid[];
  v_moved boolean;
begin
  -- One claim at a time, so that a message is judged with all others to the same customer in view.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('claim:' || p_organization::text, 0));
  v_only_notices := p_notices or (
    select o.sending_stopped_at is not null from public.organizations o where o.id = p_organization);
  if v_closed ->> p_channel = 'no_provider' then
    return '{"examined": 0, "templates": [], "messages": []}'::jsonb || case when v_only_notices then '{}'
      else private.hold_channel(p_organization, p_channel, p_now, p_run, p_automation, v_closed) end;
  end if;

  v_next := (
    select next_at from public.channel_pace where organization_id = p_organization and channel = p_channel);
  -- While the channel waits, this only tells whether anything will be due afterwards. With a pace it takes
  -- what one second allows; the next claim waits until that second is over.
  v_most := least(p_limit, 500, case when p_pace > 0 then greatest(ceil(p_pace), 1) end);
  -- From where the caller's last claim ended: what was sent since leaves dead entries in the index, which
  -- cannot be removed while another transaction holds its snapshot.
  select d.ids, d.last_at, d.last_id into v_ids, v_last_at, v_last_id
  from private.due_messages(p_organization, p_channel, greatest(p_now, v_next), v_most, p_run, p_automation,
    v_only_notices, coalesce((p_after ->> 'not_before')::timestamptz, '-infinity'),
    coalesce((p_after ->> 'id')::uuid, '00000000-0000-0000-0000-000000000000')) d;
  if v_next > p_now then
    return jsonb_build_object('examined', 0, 'wait_until', case when v_ids <> '{}' then v_next end,
      'templates', '[]'::jsonb, 'messages', '[]'::jsonb);
  end if;

  with judged as (
    select *, reason is null and channel <> p_channel as moves, reason is null and channel = p_channel
      and send_at <= p_now as goes
    from private.judge_messages(p_organization, p_channel, v_ids, p_now, v_closed)
  ), written as (
    update public.messages m
    set status = case when v.reason is not null and v.maybe_accepted then 'unknown'
        when v.reason is not null then 'skipped' when v.goes then 'sending' else 'queued' end,
      reason = v.reason, detail = v.detail, updated_at = now(),
      channel = case when v.moves then v.channel else m.channel end,
      recipient = case when v.reason is null or v.channel = m.channel then v.address else m.recipient end,
      not_before = greatest(m.not_before, v.send_at),
      attempts = case when v.moves then 0 when v.goes then m.attempts + 1 else m.attempts end,
      content = case when v.moves then '{}' else m.content end,
      idempotency_key = case when not v.moves then m.idempotency_key end,
      lease_token = case when v.goes then gen_random_uuid() end,
      lease_until = case when v.goes then p_now + make_interval(secs => p_lease_seconds) end
    from judged v where m.id = v.id
    returning m.id, m.status, v.moves
  )
  select coalesce(array_agg(id) filter (where status = 'sending'), '{}'),
    coalesce(array_agg(id) filter (where status in ('skipped', 'unknown')), '{}'),
    coalesce(bool_or(moves), false) into v_claimed, v_ended, v_moved
      from written;
  if p_pace > 0 and v_claimed <> '{}' then
    insert into public.channel_pace as p (organization_id, channel, next_at)
    values (p_organization, p_channel, p_now + make_interval(secs => cardinality(v_claimed) / p_pace))
    on conflict (organization_id, channel) do update set next_at = excluded.next_at, reason = null;
  end if;

  return jsonb_build_object('examined', cardinality(v_ids), 'ended', to_jsonb(v_ended),
    'moved', v_moved, 'last', case when v_last_id is not null
      then jsonb_build_object('not_before', v_last_at, 'id', v_last_id) end)
    || private.claimed_json(v_claimed);
end
$$;
comment on function public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[], jsonb, uuid, jsonb) is
  'Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_closed: see ways_to; a channel without a provider: see hold_channel. p_integrations: channels that have a provider only while their integration is enabled. moved: some now wait to go by another channel. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.';
grant execute on function private.due_messages(uuid, text, timestamptz, integer, uuid, uuid, boolean,
  timestamptz, uuid), private.judge_messages(uuid, text, uuid[], timestamptz, jsonb),
  private.claimed_json(uuid[]),
  public.claim_messages(uuid, text, integer, integer, timestamptz, uuid, boolean, double precision, text[],
  jsonb, uuid, jsonb)
  to service_role;
-- << supabase/logic/messages/claim.sql

-- >> supabase/logic/messages/verdict.sql
-- Whether a message goes to a guest: by which channel, from when, and why not. Plans, previews and claims all
-- ask here; what only a claim can know (a booking since, a stopped automation) is in judge_messages.
-- closed_by, address_by, said_none, blocked_by, way_of, ways_to, counted_messages and send_windows are one
-- SELECT without settings of their own: so the planner makes them part of the statement that asks. For a
-- million guests the suppressions are then a set that is made once, for one message they are looked up.

create or replace function private.closed_by(p_closed jsonb, p_channel text, p_kind text) returns text
language sql immutable
as $$
  select nullif(p_closed ->> p_channel, case p_kind when 'marketing' then null else 'no_app_url' end)
$$;
comment on function private.closed_by(jsonb, text, text) is
  'Why no message of the kind can go by the channel: no_provider, no_app_url; null when it can.';
grant execute on function private.closed_by(jsonb, text, text) to service_role;

create or replace function private.address_by(p_channel text, p_email text, p_phone text, p_whatsapp_id text)
returns text
language sql immutable
as $$
  select case p_channel when 'email' then p_email when 'whatsapp' then coalesce(p_phone, p_whatsapp_id)
    when 'sms' then p_phone end
$$;
comment on function private.address_by(text, text, text, text) is
  'Where a guest with these is written to by the channel; null: nowhere.';

create or replace function private.said_none(p_kind text, p_channel text, p_consents jsonb) returns boolean
language sql immutable
as $$
  select p_kind = 'marketing' and p_consents #>> array[p_channel, 'source'] = 'staff'
    and p_consents #>> array[p_channel, 'basis'] = 'none'
$$;
comment on function private.said_none(text, text, jsonb) is
  'Whether staff recorded that nothing allows messages of the kind by the channel: a no, as an opt-out is.';

create or replace function private.blocked_by(p_organization uuid, p_kind text, p_channel text,
  p_address text, p_other_address text, p_consents jsonb, p_visits integer, p_free_text boolean,
  p_closed text, p_now timestamptz, p_apart boolean default true)
returns table (reason text)
language sql stable rows 1
as $$
  select case
    when p_channel is null then 'no_address'
    when p_address is null then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'no_address' end
    -- Two lookups, and not one of two addresses: each can become a set.
    when exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      or p_channel = 'whatsapp' and exists (
        select from public.suppressions s
        where s.organization_id = p_organization and s.channel = p_channel and s.address = p_other_address
          and (p_kind = 'marketing' or s.reason in ('bounce', 'complaint')))
      then case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent'
        when not p_apart or exists (
          select from public.suppressions s
          where s.organization_id = p_organization and s.channel = p_channel
            and s.address in (p_address, case p_channel when 'whatsapp' then p_other_address end)
            and (s.reason = 'complaint'
              or p_kind = 'marketing' and (s.reason <> 'bounce' or s.opt_out is not null)))
        then 'suppressed' else 'bounced' end
    -- Most guests have visited and have no consent on record, so the function call is skipped for them.
    when p_kind = 'marketing' and (p_consents <> '{}' or p_visits = 0)
      and private.consent_basis(p_consents, p_visits, p_channel) = 'none' then
      case when private.said_none(p_kind, p_channel, p_consents) then 'no_consent' else 'not_asked' end
    when p_closed is not null then p_closed
    when p_channel = 'whatsapp' and p_free_text and not exists (
        select from public.whatsapp_windows w
        where w.organization_id = p_organization and w.address = p_address
          and w.last_inbound_at > p_now - interval '24 hours') then 'needs_template' end
$$;
comment on function private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean) is
  'One row: why a message of the kind cannot go by the channel to p_address of a guest with these consents and visits; null: it can. p_other_address: the id of a WhatsApp account. p_free_text: it has no approved WhatsApp template. p_closed: why nothing can go by the channel. bounced: the address is suppressed, and nobody said no; without p_apart it is suppressed, too. not_asked: nothing allows it, and nobody said no.';

create or replace function private.way_of(p_channel text, p_fallback text, p_own text, p_other text,
  p_own_closed text, p_other_closed text, p_own_reason text, p_other_reason text)
returns table (channel text, address text, reason text)
language sql immutable rows 1
as $$
  select case when chosen.other then p_fallback else p_channel end,
    case when chosen.other then p_other else p_own end,
    -- replace() and not a second case, which would look everything up once more.
    replace(replace(case when chosen.other then p_other_reason else p_own_reason end,
      'bounced', 'suppressed'), 'not_asked', 'no_consent')
  -- The fallback serves guests whom the first channel cannot reach, never those who said no to it. When both
  -- channels are blocked, a reason of the guest's comes before a missing provider.
  from (
    select p_fallback is not null
      and coalesce(p_own_reason, 'suppressed') not in ('suppressed', 'no_consent')
      and (p_other_reason is null
        or (p_own is null, p_own_closed is not null) > (p_other is null, p_other_closed is not null)) is true)
    as chosen (other)
$$;
comment on function private.way_of(text, text, text, text, text, text, text, text) is
  'One row: the channel, the address and the reason (null: it goes) of a message, from the addresses of its channel and fallback, why each is closed (closed_by) and why each is blocked (blocked_by).';

create or replace function private.ways_to(p_organization uuid, p_kind text, p_channel text, p_fallback text,
  p_free_text boolean, p_closed jsonb, p_now timestamptz, p_email text, p_phone text, p_whatsapp_id text,
  p_consents jsonb, p_visits integer)
returns table (channel text, address text, reason text)
language sql stable rows 1
as $$
  select way.channel, way.address, way.reason
  from (
    select private.address_by(p_channel, p_email, p_phone, p_whatsapp_id) as own,
      private.address_by(p_fallback, p_email, p_phone, p_whatsapp_id) as other,
      private.closed_by(p_closed, p_channel, p_kind) as own_closed,
      private.closed_by(p_closed, p_fallback, p_kind) as other_closed) as place
  cross join lateral private.blocked_by(p_organization, p_kind, p_channel, place.own, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.own_closed, p_now) as first
  cross join lateral private.blocked_by(p_organization, p_kind, p_fallback, place.other, p_whatsapp_id,
    p_consents, p_visits, p_free_text, place.other_closed, p_now) as second
  cross join lateral private.way_of(p_channel, p_fallback, place.own, place.other, place.own_closed,
    place.other_closed, first.reason, second.reason) as way
$$;
comment on function private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer) is
  'One row: the channel by which a message of the kind goes to a guest, the address, and the reason why it does not go (null: it goes). p_closed: channels by which nothing can go now, with the reason (no_provider; no_app_url is for marketing alone). p_free_text: as blocked_by.';

create or replace function private.ways_query(p_guests text, p_organization uuid, p_kind text, p_channel text,
  p_fallback text, p_free_text boolean, p_closed jsonb, p_now timestamptz)
returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_address constant text := 'private.address_by(%L, guest.email, guest.phone, guest.whatsapp_id)';
  v_own text := format(v_address, p_channel);
  v_other text := case when p_fallback is null then 'null' else format(v_address, p_fallback) end;
  v_own_closed text := private.closed_by(p_closed, p_channel, p_kind);
  v_other_closed text := private.closed_by(p_closed, p_fallback, p_kind);
  -- offset 0: a channel is asked once a guest, however often its answer is used. Only a fallback asks whether
  -- an address bounced.
  v_ask constant text := 'select guest.*, %s as %I from (%s) as guest
    cross join lateral private.blocked_by(%L, %L, %L, %s, guest.whatsapp_id, guest.consents,
      guest.total_visits, %L, %L, %L, %L) as way offset 0';
  v_asked text := format(v_ask, 'way.reason', 'own_reason', p_guests, p_organization, p_kind, p_channel,
    v_own, p_free_text, v_own_closed, p_now, p_fallback is not null);
begin
  if p_fallback is not null then
    v_asked := format(v_ask, 'case when guest.own_reason is not null then way.reason end', 'other_reason',
      v_asked, p_organization, p_kind, p_fallback, v_other, p_free_text, v_other_closed, p_now, true);
  end if;
  return format('select guest.*, way.channel, way.address, way.reason from (%s) as guest
    cross join lateral private.way_of(%L, %L, %s, %s, %L, %L, guest.own_reason, %s) as way',
    v_asked, p_channel, p_fallback, v_own, v_other, v_own_closed, v_other_closed,
    case when p_fallback is null then 'null' else 'guest.other_reason' end);
end
$$;
comment on function private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) is
  'ways_to for many guests, as SQL: the rows of the query p_guests (with email, phone, whatsapp_id, consents and total_visits), each with its channel, address and reason, too.';
grant execute on function private.address_by(text, text, text, text), private.said_none(text, text, jsonb),
  private.blocked_by(uuid, text, text, text, text, jsonb, integer, boolean, text, timestamptz, boolean),
  private.way_of(text, text, text, text, text, text, text, text),
  private.ways_to(uuid, text, text, text, boolean, jsonb, timestamptz, text, text, text, jsonb, integer),
  private.ways_query(text, uuid, text, text, text, boolean, jsonb, timestamptz) to service_role;

create or replace function private.uncounted_for(a public.automations, p_days integer) returns uuid[]
language sql stable set search_path = ''
as $$
  -- A follow-up after the cap's days is due at a time of day: that may be some hours before they are over.
  select case when a.step > 1 and a.after_days >= p_days then array(
    select s.id from public.automations s where s.campaign_id = a.campaign_id) end
$$;
comment on function private.uncounted_for(public.automations, integer) is
  'The automations whose messages do not count against a frequency cap of so many days for this one: the other messages of its campaign, when it is a follow-up after that time. Null: all count.';

create or replace function private.counted_messages(p_since timestamptz, p_claimed boolean,
  p_uncounted uuid[], p_locations uuid[] default null)
returns table (customer_id uuid, id uuid)
language sql stable
as $$
  select m.customer_id, m.id from public.messages m
  where m.kind = 'marketing' and coalesce(m.sent_at, m.created_at) > p_since
    and case when p_claimed then m.status in ('sending', 'sent', 'delivered', 'unknown') or m.maybe_accepted
      else m.status in ('queued', 'sending', 'sent', 'delivered', 'unknown') end
    and (p_uncounted is null or (m.automation_id = any(p_uncounted)) is not true)
    and (p_locations is null or m.location_id = any(p_locations))
$$;
comment on function private.counted_messages(timestamptz, boolean, uuid[], uuid[]) is
  'The marketing messages since then that count against a guest''s frequency cap: for a plan those that wait to be sent, too, for a claim (p_claimed) those that went before. p_uncounted: as uncounted_for. p_locations: as far as someone bound to these may know.';

create or replace function private.after_quiet_hours(p_now timestamptz, p_timezone text, p_from time,
  p_until time)
returns timestamptz
-- In plpgsql, as consent_basis: an SQL function with a search_path of its own is planned for each statement.
language plpgsql immutable set search_path = ''
as $$
declare
  v_local timestamp := p_now at time zone p_timezone;
  v_clock time := v_local;
begin
  return case
    when p_from < p_until and v_clock >= p_from and v_clock < p_until
      or p_from > p_until and v_clock < p_until then (v_local::date + p_until) at time zone p_timezone
    when p_from > p_until and v_clock >= p_from then (v_local::date + 1 + p_until) at time zone p_timezone
    else p_now end;
end
$$;
comment on function private.after_quiet_hours(timestamptz, text, time, time) is
  'p_now, or the end of the quiet hours that p_now falls into. Quiet hours may span midnight; when both times are equal there are none.';

create or replace function private.send_windows(p_organization uuid, p_kind text, p_now timestamptz,
  p_starts_local timestamp default null)
returns table (location_id uuid, send_at timestamptz, detail jsonb)
language sql stable
as $$
  select l.id, case when p_kind = 'marketing' then held.until else due.at end,
    case when p_kind = 'marketing' and held.until > due.at then jsonb_strip_nulls(jsonb_build_object(
      'until', held.until, 'location', case when l.quiet_from is not null then l.id end)) end
  from public.organizations o
  cross join lateral (
    select k.id, k.timezone, k.quiet_from, k.quiet_until from public.locations k
    where k.organization_id = o.id
    union all
    select null, o.timezone, null, null) as l
  cross join lateral (
    select greatest(p_now, p_starts_local at time zone l.timezone) as at) as due
  cross join lateral (
    select private.after_quiet_hours(due.at, l.timezone, coalesce(l.quiet_from, o.quiet_from),
      coalesce(l.quiet_until, o.quiet_until)) as until) as held
  where o.id = p_organization
$$;
comment on function private.send_windows(uuid, text, timestamptz, timestamp) is
  'For each location, and once (null) for guests without one: from when a message of the kind may go that is due at p_now, or at p_starts_local of the location''s clock if that is later. detail: {until, location (when the quiet hours are its own, and not the group''s)} of one that has to wait.';

create or replace function private.detail_of(p_organization uuid, p_customer uuid, p_message uuid,
  p_channel text, p_address text, p_reason text, p_since timestamptz, p_claimed boolean, p_uncounted uuid[])
returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if p_reason = 'suppressed' then
    return (
      select jsonb_strip_nulls(jsonb_build_object('suppression', s.reason, 'opt_out', s.opt_out))
      from public.suppressions s
      where s.organization_id = p_organization and s.channel = p_channel
        and s.address in (p_address, case p_channel when 'whatsapp' then (
          select c.whatsapp_id from public.customers c where c.id = p_customer) end)
      order by private.suppression_rank(s.reason) desc limit 1);
  elsif p_reason in ('frequency_cap', 'recently_written') then
    return (
      select jsonb_build_object('message', m.id)
      from private.counted_messages(p_since, p_claimed, p_uncounted) as counted
      join public.messages m on m.id = counted.id
      where counted.customer_id = p_customer and m.id is distinct from p_message
      order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1);
  end if;
  return null;
end
$$;
comment on function private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]) is
  'What stands behind the reason why p_message (null: a planned one) does not go: {suppression: its reason, opt_out: the one behind a bounce}, or {message: the latest of counted_messages(p_since, p_claimed, p_uncounted)}; else null.';

create or replace function private.runs_of_step(a public.automations, p_run uuid) returns uuid[]
language sql stable set search_path = ''
as $$
  select case when a.campaign_id is null then array_remove(array[p_run], null) else array(
    select run.id from public.automations s join public.automation_runs run on run.automation_id = s.id
    where s.campaign_id = a.campaign_id and s.step = a.step) end
$$;
comment on function private.runs_of_step(public.automations, uuid) is
  'The runs among which an address gets one message: p_run, or of a campaign those of all versions of the step.';

create or replace function private.taken_by(m public.messages, a public.automations, p_channel text,
  p_address text)
returns text
language plpgsql stable set search_path = ''
as $$
begin
  -- One run has one message by a channel for a customer and a reservation (messages_run_key).
  if exists (
      select from public.messages other
      where other.run_id = m.run_id and other.customer_id = m.customer_id and other.channel = p_channel
        and other.reservation_id is not distinct from m.reservation_id) then
    return 'merged';
  elsif m.kind = 'marketing' and p_channel <> 'email' and exists (
      select from public.customers c
      join public.messages other on other.run_id = any(private.runs_of_step(a, m.run_id))
        and other.customer_id = c.id and other.channel <> 'email'
        and (other.status <> 'skipped' or other.reason = 'control_group')
      where c.organization_id = m.organization_id and (c.phone = p_address or c.whatsapp_id = p_address)
        and c.id <> m.customer_id and private.address_of(c, other.channel) = p_address) then
    return 'duplicate';
  end if;
  return null;
end
$$;
comment on function private.taken_by(public.messages, public.automations, text, text) is
  'Why a waiting message of the automation cannot move to the channel: merged (the guest was, with one who has it there), duplicate (another guest with p_address has it); null: it can.';
grant execute on function private.uncounted_for(public.automations, integer),
  private.counted_messages(timestamptz, boolean, uuid[], uuid[]),
  private.after_quiet_hours(timestamptz, text, time, time),
  private.send_windows(uuid, text, timestamptz, timestamp),
  private.detail_of(uuid, uuid, uuid, text, text, text, timestamptz, boolean, uuid[]),
  private.runs_of_step(public.automations, uuid),
  private.taken_by(public.messages, public.automations, text, text) to service_role;
-- << supabase/logic/messages/verdict.sql

-- >> supabase/logic/reservations/changes.sql
-- Creating and changing reservations by hand, in the caller's own locations.

create or replace function private.match_customer(p_organization uuid, p_email text, p_phone text,
  p_name text) returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_id uuid;
  v_is_new boolean;
begin
  select m.customer_id, m.is_new into v_id, v_is_new
  from private.match_people(p_organization, jsonb_build_array(jsonb_build_object('place', 1,
    'email', p_email, 'phone', p_phone, 'first_name', v_first, 'last_name', v_last))) as m;
  if v_is_new then
    insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
    values (v_id, p_organization, 'Manual', p_email, p_phone, v_first, v_last);
    perform private.suggest_for(v_id);
    perform private.audit(p_organization, 'customer.created', v_id);
    return v_id;
  end if;
  -- Contact data of one booking fills blanks, but replaces no value.
  update public.customers c set email = coalesce(c.email, p_email), phone = coalesce(c.phone, p_phone),
    first_name = case when coalesce(c.first_name, c.last_name) is null then v_first else c.first_name end,
    last_name = case when coalesce(c.first_name, c.last_name) is null then v_last else c.last_name end
  where c.id = v_id
    and ((c.email is null and p_email is not null) or (c.phone is null and p_phone is not null)
    or (coalesce(c.first_name, c.last_name) is null and v_first is not null));
  insert into public.customer_aliases (organization_id, customer_id, email)
  select p_organization, v_id, p_email from public.customers c where c.id = v_id and c.email <> p_email
  on conflict (organization_id, email) where email is not null do nothing;
  return v_id;
end
$$;
comment on function private.match_customer(uuid, text, text, text) is
  'The customer behind an e-mail (first) or phone, created when there is none; fills blanks and keeps a new e-mail as an alias. Call it under lock_identities.';

create or replace function private.contact_owners(p_organization uuid, p_email text, p_phone text,
  p_name text)
returns table (id uuid, name text, by_phone boolean, agrees boolean, is_same boolean)
language sql stable set search_path = ''
as $$
  with owned as (
    select c.id, false as by_phone from public.customers c where c.organization_id = p_organization
      and c.email = p_email
    union select a.customer_id, false from public.customer_aliases a
    where a.organization_id = p_organization and a.email = p_email
    union select o.customer_id, true from private.phone_owners(p_organization, array[p_phone]) as o
  )
  select c.id, nullif(concat_ws(' ', c.first_name, c.last_name), ''), o.by_phone,
    private.names_agree(named.typed, named.theirs),
    named.typed <> '' and named.typed = named.theirs
  from owned o join public.customers c on c.id = o.id
  cross join lateral (select private.name_key(p_name),
    private.name_key(concat_ws(' ', c.first_name, c.last_name)))
    as named (typed, theirs)
$$;
comment on function private.contact_owners(uuid, text, text, text) is
  'The customers whom an e-mail or a phone belongs to. agrees: not of a different name (one name has all words of the other, or one is missing); is_same: of the same name.';

create or replace function private.owners_of_another_name(p_organization uuid, p_email text, p_phone text,
  p_name text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_build_object('id', x.id, 'name', x.name) order by x.name, x.id)
  from (
    select distinct o.id, o.name
    from (
      select k.*, bool_or(k.agrees) over (partition by k.by_phone) as is_known
      from private.contact_owners(p_organization, p_email, p_phone, p_name) as k) as o
    where not o.is_known limit 20) as x
$$;
comment on function private.owners_of_another_name(uuid, text, text, text) is
  'The customers [{id, name}], at most 20, to whom the e-mail or the phone belongs when none of its owners has the name; else null.';

create or replace function private.own_customer(p_organization uuid, p_email text, p_phone text, p_name text)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v_first text := nullif(split_part(p_name, ' ', 1), '');
  v_last text := nullif(btrim(substr(p_name, length(split_part(p_name, ' ', 1)) + 2)), '');
  v_taken constant boolean[] := (
    select array[coalesce(bool_or(not o.by_phone), false), coalesce(bool_or(o.by_phone), false)]
    from private.contact_owners(p_organization, p_email, p_phone, p_name) as o);
  v_id uuid;
begin
  insert into public.customers (organization_id, source, email, phone, first_name, last_name)
  values (p_organization, 'Manual', case when not v_taken[1] then p_email end,
    case when not v_taken[2] then p_phone end, v_first, v_last)
  returning id into v_id;
  insert into public.customer_aliases (organization_id, customer_id, phone)
  select p_organization, v_id, p_phone where v_taken[2];
  perform private.suggest_for(v_id);
  perform private.audit(p_organization, 'customer.created', v_id);
  return v_id;
end
$$;
comment on function private.own_customer(uuid, text, text, text) is
  'A new customer of that name. A shared phone becomes a further phone of theirs; a shared e-mail stays with its owner.';

create or replace function private.take_contact(p_customer uuid, p_email text, p_phone text) returns void
language sql volatile set search_path = ''
as $$
  update public.customers c
    set phone = coalesce(c.phone, p_phone), email = coalesce(c.email, case when not exists (
    select from private.contact_owners(c.organization_id, p_email, null, null)) then p_email end)
  where c.id = p_customer
    and (c.phone is null and p_phone is not null or c.email is null and p_email is not null)
$$;
comment on function private.take_contact(uuid, text, text) is 'Fills a customer''s blanks with the contact data of a booking; takes no other''s e-mail.';

create or replace function private.reservation_json(p_reservation public.reservations) returns jsonb
language sql stable set search_path = ''
as $$
  select to_jsonb(p_reservation) - array['organization_id', 'customer_email', 'customer_phone', 'created_at',
      'updated_at', 'service_date', 'service_order', 'service_over', 'counts_unmarked', 'staff_marks',
      'search_name', 'erased_at', 'walk_in', 'arrived_at', 'seated_at', 'finished_at', 'guest_answer',
      'guest_answered_at', 'email_unread']
$$;
comment on function private.reservation_json(public.reservations) is 'A reservation as the API gives it.';

create or replace function private.marks_of(p_old public.reservations, p_next public.reservations)
  returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(mark.field, mark.pms), '{}')
  from (
    select field, case when p_old.staff_marks ? field then p_old.staff_marks -> field
      else to_jsonb(p_old) -> field end as pms
    from unnest(array['status', 'table_name', 'notes']) as field
  ) as mark
  where p_old.source = 'pms' and mark.pms <> to_jsonb(p_next) -> mark.field
$$;
comment on function private.marks_of(public.reservations, public.reservations) is
  'The marks of staff on a PMS reservation: each field that differs from the PMS''s value, with that value.';

create or replace function private.write_reservation(p_next public.reservations, p_counts_unmarked boolean)
  returns public.reservations
language plpgsql volatile set search_path = ''
as $$
declare
  v_saved public.reservations;
begin
  if p_next.id is null then
    insert into public.reservations (organization_id, location_id, customer_id, customer_name, customer_email,
      customer_phone, reservation_date, reservation_time, party_size, status, notes, total_amount, source,
      zone_name, table_name, service_over, counts_unmarked)
    values (p_next.organization_id, p_next.location_id, p_next.customer_id, p_next.customer_name,
      p_next.customer_email, p_next.customer_phone, p_next.reservation_date, p_next.reservation_time,
      p_next.party_size, p_next.status, p_next.notes, p_next.total_amount, 'manual', p_next.zone_name,
      p_next.table_name, p_next.service_over, p_counts_unmarked)
    returning * into v_saved;
  else
    update public.reservations r set location_id = p_next.location_id, customer_id = p_next.customer_id,
      customer_name = p_next.customer_name, customer_email = p_next.customer_email,
      customer_phone = p_next.customer_phone, reservation_date = p_next.reservation_date,
      reservation_time = p_next.reservation_time, party_size = p_next.party_size, status = p_next.status,
      notes = p_next.notes, total_amount = p_next.total_amount, zone_name = p_next.zone_name,
      table_name = p_next.table_name, staff_marks = p_next.staff_marks, service_over = p_next.service_over,
      counts_unmarked = p_counts_unmarked
    where r.id = p_next.id
    returning * into v_saved;
  end if;
  return v_saved;
end
$$;
comment on function private.write_reservation(public.reservations, boolean) is
  'Inserts a reservation made by hand (id null), or changes one; returns it as saved.';

create or replace function private.customer_of_contact(p_old public.reservations, p_next public.reservations,
  p_changed text[], p_link text, p_chosen uuid, p_is_floor boolean, out customer_id uuid, out refusal jsonb)
language plpgsql volatile set search_path = ''
as $$
declare
  -- A contact that was there before has been decided on.
  v_email constant text := case when 'customer_email' = any(p_changed) then p_next.customer_email end;
  v_phone constant text := case when 'customer_phone' = any(p_changed) then p_next.customer_phone end;
  v_owners jsonb;
begin
  if p_is_floor then
    -- Floor staff do not learn whether others have the contact: a guest of the typed name and contact, or
    -- none.
    customer_id := p_next.customer_id;
    if p_link = 'none' or p_old.customer_id is null or 'customer_name' = any(p_changed) then
      customer_id := (
        select o.id
        from private.contact_owners(p_next.organization_id, v_email, v_phone, p_next.customer_name) as o
        where p_link is null and o.is_same order by o.by_phone, o.id limit 1);
    end if;
    return;
  elsif p_link = 'none' or coalesce(p_next.customer_email, p_next.customer_phone) is null then
    return;
  elsif p_link = 'new' then
    customer_id := private.own_customer(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      p_next.customer_name);
    return;
  end if;
  v_owners := private.owners_of_another_name(p_next.organization_id, v_email, v_phone, p_next.customer_name);
  customer_id := p_chosen;
  if customer_id is not null and not exists (
    select from private.contact_owners(p_next.organization_id, p_next.customer_email, p_next.customer_phone,
      null) as o
    where o.id = customer_id) then
    refusal := jsonb_build_object('outcome', 'unknown_customer');
    return;
  elsif p_link = 'existing' and jsonb_array_length(v_owners) = 1 then
    customer_id := (v_owners #>> '{0,id}')::uuid;
  end if;
  if v_owners is not null and customer_id is null then
    refusal := jsonb_build_object('outcome', 'contact_of_another', 'candidates', case
      when exists (select from private.my_organizations('canAccessClientes')) then v_owners else '[]' end);
  elsif customer_id is not null then
    perform private.take_contact(customer_id, p_next.customer_email, p_next.customer_phone);
  else
    customer_id := private.match_customer(p_next.organization_id, p_next.customer_email,
      p_next.customer_phone, p_next.customer_name);
  end if;
end
$$;
comment on function private.customer_of_contact(public.reservations, public.reservations, text[], text, uuid, boolean) is
  'Whose a reservation is after its contact was changed by hand: customer_id, null for nobody. Creates a customer when p_link is new, or when nobody has the contact. p_link: as link of save_reservation; p_chosen: the customer_id that came with existing; p_is_floor: whether the caller is floor staff. refusal, in place of a customer: the answer of save_reservation (unknown_customer, contact_of_another). Call it under lock_identities.';

create or replace function private.logged_changes(p_old public.reservations, p_next public.reservations,
  p_changed text[]) returns jsonb
language sql stable set search_path = ''
as $$
  select case when p_old.id is null then '{}' else jsonb_strip_nulls(jsonb_build_object(
    'fields', to_jsonb(p_changed), 'status', case when p_old.status <> p_next.status then jsonb_build_object(
      'from', p_old.status, 'to', p_next.status, 'pms', p_next.staff_marks ->> 'status') end)) end
    -- A party without an amount spends the location's average each: its size buys a tier as an amount does.
    || (select case when count(*) > 0 then jsonb_build_object('before', jsonb_object_agg(f.name, f.old),
        'after', jsonb_object_agg(f.name, f.new)) else '{}' end
      from (values ('total_amount', to_jsonb(p_old.total_amount), to_jsonb(p_next.total_amount)),
        ('party_size', to_jsonb(p_old.party_size), to_jsonb(p_next.party_size))) as f (name, old, new)
      where f.old is distinct from f.new and (p_old.id is not null or f.name = 'total_amount'))
$$;
comment on function private.logged_changes(public.reservations, public.reservations, text[]) is
  'What the audit log keeps of a saved reservation (p_old null: a new one): fields (the names of those that changed), status (from, to, and the PMS''s own), and before and after of total_amount and party_size.';

create or replace function public.save_reservation(p_fields jsonb, p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_organization uuid := (select id from private.my_organizations('canAccessOperaciones') as id limit 1);
  v_locations uuid[] := array(select private.my_locations('canAccessOperaciones'));
  v_editable constant text[] := array['location_id', 'customer_id', 'customer_name', 'customer_email',
    'customer_phone', 'reservation_date', 'reservation_time', 'party_size', 'status', 'notes', 'total_amount',
    'zone_name', 'table_name'];
  v_fields jsonb := (select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) as f
    where f.key = any(v_editable));
  v_old public.reservations;
  v_next public.reservations;
  v_changed text[];
  v_location public.locations;
  v_table text;
  v_edited jsonb;
  v_link constant text := p_fields ->> 'link';
  v_chosen uuid;
  v_is_floor constant boolean := exists (
    select from public.profiles p where p.id = (select private.caller()) and p.role = 'sala');
  v_refusal jsonb;
  v_check text;
begin
  if v_organization is null or v_is_floor and v_link <> 'none' then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  if v_link = 'existing' then
    v_chosen := (p_fields ->> 'customer_id')::uuid;
    v_fields := v_fields - 'customer_id';
  end if;
  -- Needed even when no contact changes: of two simultaneous changes of one customer's bookings, the second
  -- must see the first.
  perform private.lock_identities(v_organization);
  if p_id is not null then
    select * into v_old from public.reservations
    where id = p_id and location_id = any(v_locations) and source <> 'import' for update;
    if v_old.id is null then
      return jsonb_build_object('outcome', 'not_found');
    end if;
  end if;
  v_next := jsonb_populate_record(v_old, v_fields);
  v_next.status := coalesce(v_next.status, 'pending');
  if p_id is not null and p_fields ? 'loaded' then
    v_edited := private.edited_meanwhile(to_jsonb(jsonb_populate_record(v_old, p_fields -> 'loaded')),
      to_jsonb(v_old), to_jsonb(v_next), v_fields);
    if v_edited is not null then
      return jsonb_build_object('outcome', 'edited_meanwhile', 'current', v_edited);
    end if;
  end if;
  select array_agg(n.key order by n.key) into v_changed from jsonb_each(to_jsonb(v_next)) as n
  where n.key = any(v_editable) and n.value is distinct from coalesce(to_jsonb(v_old) -> n.key, 'null');
  if p_id is not null and v_changed is null then
    return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_old));
  end if;
  -- The next sync would overwrite any other field.
  if v_old.source = 'pms' and not v_changed <@ array['status', 'total_amount', 'table_name', 'notes'] then
    return jsonb_build_object('outcome', 'managed');
  end if;
  if v_next.location_id is null or v_next.location_id <> all(v_locations) then
    return jsonb_build_object('outcome', 'unknown_location');
  end if;
  select * into v_location from public.locations where id = v_next.location_id;
  if 'total_amount' = any(v_changed) then
    if v_is_floor then
      return jsonb_build_object('outcome', 'forbidden');
    elsif v_next.total_amount > greatest(1000,
      10 * v_next.party_size * coalesce(v_location.average_spend_per_guest, 0))
      and not coalesce(p_fields -> 'confirm' ? 'unusual_amount', false) then
      return jsonb_build_object('outcome', 'asks', 'questions', '["UNUSUAL_AMOUNT"]'::jsonb);
    end if;
  end if;
  v_next.staff_marks := private.marks_of(v_old, v_next);
  -- A service that was closed stays closed, unless the reservation moves to another one.
  if p_id is null or v_changed && array['location_id', 'reservation_date', 'reservation_time'] then
    v_next.service_over := private.service_day(v_next.reservation_date, v_next.reservation_time)
      < private.current_service(v_location.timezone, now());
  end if;

  if 'customer_id' = any(v_changed) then
    v_next.customer_email := null;
    v_next.customer_phone := null;
    if v_next.customer_id is not null then
      -- Linking reveals the customer's name, so it needs the right to read customers.
      select coalesce(case when v_fields ? 'customer_name' then v_next.customer_name end,
        nullif(concat_ws(' ', c.first_name, c.last_name), '')) into v_next.customer_name
      from public.customers c
      where c.id = v_next.customer_id and c.organization_id = v_organization
        and c.organization_id = any(array(select private.my_organizations('canAccessClientes')));
      if not found then
        return jsonb_build_object('outcome', 'unknown_customer');
      end if;
    end if;
  end if;
  begin
    v_next.organization_id := v_organization;
    if v_changed && array['customer_email', 'customer_phone'] and not 'customer_id' = any(v_changed) then
      select k.customer_id, k.refusal into v_next.customer_id, v_refusal
      from private.customer_of_contact(v_old, v_next, v_changed, v_link, v_chosen, v_is_floor) as k;
      if v_refusal is not null then
        return v_refusal;
      end if;
    end if;
    v_next := private.write_reservation(v_next, v_location.count_unmarked_visits);
  exception
    when check_violation then
      get stacked diagnostics v_table = table_name, v_check = constraint_name;
      return jsonb_build_object('outcome', 'malformed', 'field', case
        when v_table <> 'customers' then private.checked_column(v_table, v_check)
        -- A new customer takes these from the reservation.
        when private.checked_column(v_table, v_check) = 'email' then 'customer_email'
        when private.checked_column(v_table, v_check) = 'phone' then 'customer_phone'
        else 'customer_name' end);
  end;

  perform private.refresh_customers(array_remove(array[v_old.customer_id, v_next.customer_id], null));
  perform private.audit(v_organization,
    case when p_id is null then 'reservation.created' else 'reservation.changed' end, v_next.id,
    private.logged_changes(v_old, v_next, v_changed));
  return jsonb_build_object('outcome', 'saved', 'reservation', private.reservation_json(v_next));
end
$$;
comment on function public.save_reservation(jsonb, uuid) is
  'Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have link (existing with customer_id, new, none), confirm and loaded. Outcome saved (with reservation), contact_of_another (with candidates), asks (with questions), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.';

create or replace function public.reservation_activity(p_reservation uuid)
returns table (id uuid, at timestamptz, action text, actor text, fields jsonb, status jsonb, answer jsonb)
language sql stable security definer set search_path = ''
as $$
  select g.id, g.created_at, g.action, private.actor_shown(g.actor, g.actor_id),
    coalesce(g.details -> 'fields', '[]'),
    g.details -> 'status',
    case g.action when 'reservation.answered' then jsonb_build_object('answer', g.details -> 'answer',
      'channel', g.details -> 'channel') end
  from public.reservations r
  join public.audit_log g on g.subject_id = r.id and g.subject_type = 'reservation'
  where r.id = p_reservation and r.source <> 'import'
    and r.location_id = any(array(select private.my_locations('canAccessOperaciones')))
  order by g.created_at desc, g.id desc limit 100
$$;
comment on function public.reservation_activity(uuid) is
  'The last 100 changes of a reservation in the caller''s locations, the latest first; overruled: the PMS replaced a staff mark; answered: the guest''s answer with its channel. status has from, to and the PMS''s own value.';

create or replace function public.log_reservations_export(p_filters jsonb) returns uuid
language sql volatile security definer set search_path = ''
as $$
  select private.start_export((select id from private.my_organizations('canReadReports') as id limit 1),
    'reservations',
    p_filters)
$$;
comment on function public.log_reservations_export(jsonb) is
  'Counts and logs that the caller starts to download the reservations that match the filters; returns the id by which end_export ends it. Null when they may not.';
grant execute on function public.save_reservation(jsonb, uuid), public.reservation_activity(uuid),
  public.log_reservations_export(jsonb) to authenticated;
-- << supabase/logic/reservations/changes.sql

-- >> supabase/logic/reservations/sync.sql
-- The sync. sync_reservations turns a batch of one location's PMS rows into customers, reservations,
-- statistics and tiers, in one transaction. record_sync and record_look_ahead keep which days of a location
-- the PMS has delivered. lib/pms calls them, with normalised rows.

create or replace function private.sync_read_rows(p_organization uuid, p_location uuid, p_rows jsonb,
  p_service date) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  drop table if exists pg_temp.sync_batch;
  create temp table sync_batch on commit drop as
  with given as (
    select distinct on (r.external_id) r.*
    from rows from (jsonb_to_recordset(p_rows) as (
      external_id text, email text, phone text, first_name text, last_name text, customer_name text,
      reservation_date date, reservation_time time, party_size integer, status text, pms_status text,
      notes text, zone_name text, table_name text, bad_email boolean, further_phones text[],
      phone_words text
    )) with ordinality as r (external_id, email, phone, first_name, last_name, customer_name,
      reservation_date, reservation_time, party_size, status, pms_status, notes, zone_name, table_name,
      bad_email, further_phones, phone_words, position)
    order by r.external_id, r.position desc
  ), incoming as (
    select b.external_id, b.position, b.reservation_date, b.reservation_time, b.party_size, b.pms_status,
      b.zone_name,
      case when marked.status then e.status else b.status end as status,
      case when marked.table_name then e.table_name else b.table_name end as table_name,
      personal.email, personal.phone, personal.first_name, personal.last_name, personal.customer_name,
      personal.bad_email, personal.further_phones,
      case when marked.notes then e.notes else personal.all_notes end as notes,
      coalesce(e.staff_marks, '{}') - array_remove(array[case when not marked.status then 'status' end,
        case when not marked.table_name then 'table_name' end, case when not marked.notes then 'notes' end],
          null)
        as staff_marks
    from given b
    left join public.reservations e on e.organization_id = p_organization and e.external_id = b.external_id
    -- A booking whose customer was erased takes no personal data from the PMS again.
    left join lateral (
      select b.email, b.phone, b.first_name, b.last_name, b.customer_name, b.notes, b.bad_email,
        b.further_phones, nullif(left(concat_ws(E'\n', b.notes, b.phone_words), 5000), '') as all_notes
      where e.erased_at is null
    ) as personal on true
    -- A value set by staff stays until the PMS sends something other than what it sent when staff set it. A
    -- status we do not know counts as no change.
    cross join lateral (select
      coalesce(e.staff_marks ? 'status' and coalesce(b.status = e.staff_marks ->> 'status', true), false)
      as status, coalesce(e.staff_marks ? 'table_name', false)
        and b.table_name is not distinct from e.staff_marks ->> 'table_name' as table_name,
      coalesce(e.staff_marks ? 'notes', false)
        and (personal.notes is not distinct from e.staff_marks ->> 'notes'
          or personal.all_notes is not distinct from e.staff_marks ->> 'notes') as notes
    ) as marked
  )
  select i.*, coalesce(i.status, e.status, 'pending') as next_status,
    case when e.id is null or (i.customer_name, i.email, i.phone)
        is distinct from (e.customer_name, e.customer_email, e.customer_phone)
      then private.name_key(coalesce(i.first_name, '') || ' ' || coalesce(i.last_name, '')) end as name_key,
    row_number() over (order by i.reservation_date, i.reservation_time, i.position) as recency,
    e.id as reservation_id, e.customer_id as previous_customer_id, e.customer_id,
    -- An e-mail that is none tells nothing: the booking stays its customer's.
    e.id is null or (case when i.bad_email then e.customer_email else i.email end, i.phone) is distinct
    from (e.customer_email, e.customer_phone) as contact_changed, e.id is null or i.customer_name is distinct
    from e.customer_name
      or (i.email, i.phone) is distinct from (e.customer_email, e.customer_phone) as person_changed,
    e.id is null or (p_location, i.customer_name, i.email, i.phone, i.reservation_date, i.reservation_time,
        i.party_size, coalesce(i.status, e.status), i.pms_status, i.notes, i.zone_name, i.table_name,
        i.staff_marks, coalesce(i.bad_email, false))
      is distinct from (e.location_id, e.customer_name, e.customer_email, e.customer_phone,
        e.reservation_date, e.reservation_time, e.party_size, e.status, e.pms_status, e.notes, e.zone_name,
        e.table_name, e.staff_marks, e.email_unread)
      as changed,
    private.service_day(i.reservation_date, i.reservation_time) < p_service as service_over,
    coalesce(i.bad_email, false) and e.email_unread is not true as email_broke,
    false as is_new
  from incoming i
  left join public.reservations e on e.organization_id = p_organization and e.external_id = i.external_id;
  -- A known reservation keeps its customer while its contact data stays the same.
  update pg_temp.sync_batch set customer_id = null where contact_changed and customer_id is not null;
  analyze pg_temp.sync_batch;
end
$$;
comment on function private.sync_read_rows(uuid, uuid, jsonb, date) is
  'Makes pg_temp.sync_batch, one row a reservation: the incoming values, the stored ones, and which changed. Services before p_service are over.';

create or replace function private.sync_match_people(p_organization uuid) returns bigint
language plpgsql volatile set search_path = ''
as $$
declare
  v_created bigint;
begin
  if not exists (select from pg_temp.sync_batch where contact_changed and coalesce(email, phone) is not null)
  then
    return 0;
  end if;
  update pg_temp.sync_batch b set customer_id = m.customer_id, is_new = m.is_new
  from private.match_people(p_organization, (
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('place', position, 'recency', recency,
      'email', email, 'phone', phone, 'first_name', first_name, 'last_name', last_name,
      'customer_id', customer_id)))
    from pg_temp.sync_batch where contact_changed or customer_id is not null)) as m
  where b.position = m.place;

  insert into public.customers (id, organization_id, source, email, phone, first_name, last_name)
  select b.customer_id, p_organization, 'PMS', b.own_email,
    (array_agg(b.phone order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.phone is not null))[1],
    (array_agg(b.first_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1],
    (array_agg(b.last_name order by (b.email = b.own_email) is true desc, b.recency desc)
      filter (where b.name_key <> ''))[1]
  from (
    select *, first_value(email) over (partition by customer_id order by email is null, position) as own_email
    from pg_temp.sync_batch where is_new
  ) as b
  group by b.customer_id, b.own_email;
  get diagnostics v_created = row_count;
  return v_created;
end
$$;
comment on function private.sync_match_people(uuid) is
  'Gives rows of the batch with a new contact their customers, and creates those who are new: under their first e-mail, with the latest phone and name. Returns how many are new.';

create or replace function private.sync_update_profiles(p_organization uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A booking under the customer's own e-mail replaces name and phone; a name that differs only in case or
  -- accents is kept. A booking matched by phone or alias only fills a blank name or e-mail. A booking's
  -- e-mail that differs becomes an alias. Materialized: while the planner still thinks the table is empty, it
  -- would recompute this query for every customer.
  with news as materialized (
    select c as known,
      bool_or(b.email = c.email and b.name_key <> '') is true as own_name,
      (array_agg(b.first_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as first_name,
      (array_agg(b.last_name order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as last_name,
      (array_agg(b.name_key order by (b.email = c.email) is true desc, b.recency desc)
        filter (where b.name_key <> ''))[1] as name_key,
      (array_agg(b.phone order by b.recency desc) filter (where b.email = c.email and b.phone is not null))[1]
      as phone, (array_agg(b.email order by b.position) filter (where b.email is not null))[1] as email
    from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
    where b.person_changed
    group by c.id
  ), profile as materialized (
    select (n.known).id, coalesce((n.known).email, n.email) as email,
      coalesce(n.phone, (n.known).phone) as phone,
      case when takes.name then n.first_name else (n.known).first_name end as first_name,
      case when takes.name then n.last_name else (n.known).last_name end as last_name
    from news n
    cross join lateral private.name_key(coalesce((n.known).first_name, '') || ' ' ||
      coalesce((n.known).last_name, '')) as held (name_key)
    cross join lateral (select n.name_key <> held.name_key and (n.own_name or held.name_key = ''))
      as takes (name)
  )
  update public.customers c
  set email = p.email, phone = p.phone, first_name = p.first_name, last_name = p.last_name
  from profile p
  where c.id = p.id and (c.email, c.phone, c.first_name, c.last_name)
    is distinct from (p.email, p.phone, p.first_name, p.last_name);
  insert into public.customer_aliases (organization_id, customer_id, email)
  select distinct p_organization, b.customer_id, b.email
  from pg_temp.sync_batch b join public.customers c on c.id = b.customer_id
  where b.contact_changed and b.email <> c.email
  on conflict (organization_id, email) where email is not null do nothing;
  perform private.add_phones(p_organization, array_agg(b.customer_id order by b.position, f.place),
    array_agg(f.phone order by b.position, f.place))
  from pg_temp.sync_batch b cross join unnest(b.further_phones) with ordinality as f (phone, place)
  having count(*) > 0;
end
$$;
comment on function private.sync_update_profiles(uuid) is
  'Customers take the latest name and phone of the batch''s new or changed bookings under their own e-mail; other bookings only fill a blank name or e-mail. No e-mail is replaced. Further phones are kept as such.';

create or replace function private.sync_write_reservations(p_organization uuid, p_location uuid,
  p_counts_unmarked boolean, out created integer, out updated integer)
language plpgsql volatile set search_path = ''
as $$
begin
  insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
    customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
    source, zone_name, table_name, service_over, counts_unmarked, email_unread)
  select p_organization, p_location, customer_id, external_id, customer_name, email, phone, reservation_date,
    reservation_time, party_size, next_status, pms_status, notes, 'pms', zone_name, table_name, service_over,
    p_counts_unmarked, coalesce(bad_email, false)
  from pg_temp.sync_batch where reservation_id is null
  order by reservation_date, reservation_time;
  get diagnostics created = row_count;

  -- The audit log records a mark that the PMS replaces.
  insert into public.audit_log (organization_id, action, subject_type, subject_id, details)
  select p_organization, 'reservation.overruled', 'reservation', e.id, jsonb_strip_nulls(jsonb_build_object(
    'fields', replaced.fields, 'status', case when 'status' = any(replaced.fields) then
      jsonb_build_object('from', e.status, 'to', b.next_status) end))
  from pg_temp.sync_batch b
  join public.reservations e on e.id = b.reservation_id
  cross join lateral (
    select array_agg(mark.field order by mark.field) as fields
    from (values ('status', e.status, b.next_status), ('table_name', e.table_name, b.table_name),
      ('notes', e.notes, b.notes)) as mark (field, ours, theirs)
    where e.staff_marks ? mark.field and mark.ours is distinct from mark.theirs
  ) as replaced
  where b.changed and e.staff_marks <> b.staff_marks and replaced.fields is not null;

  update public.reservations r set location_id = p_location, customer_id = b.customer_id,
    customer_name = b.customer_name, customer_email = b.email, customer_phone = b.phone,
    reservation_date = b.reservation_date, reservation_time = b.reservation_time, party_size = b.party_size,
    status = b.next_status, pms_status = b.pms_status, notes = b.notes,
    zone_name = b.zone_name, table_name = b.table_name, staff_marks = b.staff_marks,
    service_over = b.service_over, counts_unmarked = p_counts_unmarked,
    email_unread = coalesce(b.bad_email, false)
  from pg_temp.sync_batch b where r.id = b.reservation_id and b.changed;
  get diagnostics updated = row_count;
end
$$;
comment on function private.sync_write_reservations(uuid, uuid, boolean) is
  'Inserts the new reservations of the batch and updates the changed ones; does not touch the others. Returns how many were inserted and updated.';

create or replace function private.sync_learn_tables(p_organization uuid, p_location uuid) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- A party at "4+5" sits at two tables joined. A name with control characters could not be saved again by
  -- staff, nor more tables than the API accepts.
  insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
  select p_organization, p_location,
    (array_agg(b.zone order by b.recency desc) filter (where b.zone <> ''))[1],
    b.name, max(b.party_size)
  from (
    select left(t.name, 100) as name, recency,
      nullif(least(ceil(party_size::numeric / array_length(names, 1)), 999), 0)::integer as party_size,
      left(btrim(regexp_replace(zone_name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), 100) as zone
    from pg_temp.sync_batch
    cross join lateral regexp_split_to_array(btrim(table_name), '\s*\+\s*') as names
    cross join lateral unnest(names) as t (name)
    where changed and t.name <> '' and table_name !~ '[\u0001-\u001f\u007f-\u009f]'
  ) as b
  where not exists (select from public.dining_tables t where t.location_id = p_location and t.name = b.name)
  group by b.name
  order by b.name
  limit greatest(0, 1000 - (select count(*) from public.dining_tables t where t.location_id = p_location))
  on conflict (location_id, name) do nothing;
end
$$;
comment on function private.sync_learn_tables(uuid, uuid) is
  'Adds the tables that the batch names and the location does not have yet, up to 1000 in all; the largest party seen is their first capacity.';

create or replace function public.sync_reservations(p_location uuid, p_rows jsonb,
  p_now timestamptz default now()) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_organization uuid;
  v_service date;
  v_counts_unmarked boolean;
  v_new_customers bigint;
  v_written record;
begin
  select organization_id, private.current_service(timezone, p_now), count_unmarked_visits
  into v_organization, v_service, v_counts_unmarked
  from public.locations where id = p_location;
  if v_organization is null then
    raise exception 'unknown location' using errcode = '22023';
  end if;
  -- One writer of identities at a time: two batches never create the same person twice.
  perform private.lock_identities(v_organization);

  -- Each step reads and completes pg_temp.sync_batch.
  perform private.sync_read_rows(v_organization, p_location, p_rows, v_service);
  v_new_customers := private.sync_match_people(v_organization);
  perform private.sync_update_profiles(v_organization);
  select * into v_written from private.sync_write_reservations(v_organization, p_location, v_counts_unmarked);
  perform private.sync_learn_tables(v_organization, p_location);
  -- Recounts the customers, present and former, of every new or changed reservation.
  perform private.refresh_customers(array(
    select customer_id from pg_temp.sync_batch where changed and customer_id is not null
    union
    select previous_customer_id from pg_temp.sync_batch where changed and previous_customer_id is not null));

  return jsonb_build_object('created', v_written.created, 'updated', v_written.updated,
    'customers', (select count(distinct customer_id) from pg_temp.sync_batch), 'customers_created',
    v_new_customers, 'bad_emails', (
      select coalesce(jsonb_agg(external_id order by external_id), '[]') from pg_temp.sync_batch
      where email_broke));
end
$$;
comment on function public.sync_reservations(uuid, jsonb, timestamptz) is
  'Saves one location''s normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before.';

create or replace function private.known_days(p_from date, p_until date, p_asked daterange) returns daterange
language sql immutable set search_path = ''
as $$
  select case when p_from is null then p_asked
    when known.days && p_asked or known.days -|- p_asked then known.days + p_asked
    else p_asked end
  from (select daterange(p_from, p_until, '[]') as days) as known
$$;
comment on function private.known_days(date, date, daterange) is
  'Joins the known days with those just fetched. If there is a gap between them, only the days just fetched stay known: one range cannot have a gap.';

create or replace function public.record_sync(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_failure text default null) returns void
language sql volatile set search_path = ''
as $$
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1, synced_at = p_at,
    sync_failing_since = null, sync_failure = null
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_failure is null;
  update public.locations
  set sync_failing_since = coalesce(sync_failing_since, p_at), sync_failure = p_failure
  where id = p_location and p_failure is not null;
$$;
comment on function public.record_sync(uuid, timestamptz, date, date, text) is
  'Records that the PMS delivered a location''s days from p_from to p_to, or with p_failure why it did not.';

create or replace function public.record_look_ahead(p_location uuid, p_at timestamptz, p_from date, p_to date,
  p_outcome text) returns void
language sql volatile set search_path = ''
as $$
  update public.locations set ahead_tried_at = p_at where id = p_location;
  update public.locations l
  set known_from = lower(known.days), known_until = upper(known.days) - 1,
    looked_ahead_at = case when p_outcome = 'done' then p_at else l.looked_ahead_at end,
    ahead_until = case when p_outcome = 'more' then p_to end
  from (
    select private.known_days(known_from, known_until, daterange(p_from, p_to, '[]')) as days
    from public.locations where id = p_location for no key update
  ) as known
  where l.id = p_location and p_outcome in ('done', 'more')
$$;
comment on function public.record_look_ahead(uuid, timestamptz, date, date, text) is
  'Records a request for some of a location''s days ahead: done (the last part), more (parts are left) or failed.';
grant execute on function private.sync_read_rows(uuid, uuid, jsonb, date),
  private.sync_match_people(uuid), private.sync_update_profiles(uuid),
  private.sync_write_reservations(uuid, uuid, boolean), private.sync_learn_tables(uuid, uuid),
  public.sync_reservations(uuid, jsonb, timestamptz),
  private.known_days(date, date, daterange), public.record_sync(uuid, timestamptz, date, date, text),
  public.record_look_ahead(uuid, timestamptz, date, date, text) to service_role;
-- << supabase/logic/reservations/sync.sql

-- >> supabase/logic/service/table_offers.sql
-- A table that was given back is offered to the waitlist by SMS or WhatsApp, one party after the other, where
-- the organization wants it (offer_tables_minutes). A clear yes books it. All that takes a table holds
-- lock_identities, as do staff's changes and the sync, so a table is never given to two.

create or replace function private.stay_of(p_party_size integer) returns interval
language sql immutable set search_path = ''
as $$
  select case when p_party_size <= 2 then interval '90 minutes'
    when p_party_size <= 6 then interval '120 minutes'
    else interval '150 minutes' end
$$;
comment on function private.stay_of(integer) is
  'How long a party of that size usually stays, as components/service/table-model.ts assumes.';

create or replace function private.table_names(p_table text) returns text[]
language sql immutable set search_path = ''
as $$ select array(select btrim(name) from unnest(string_to_array(p_table, '+')) as name
  where btrim(name) <> '') $$;
comment on function private.table_names(text) is 'The tables of a reservation: 4+5 are two joined ones.';

create or replace function private.table_is_free(p_location uuid, p_table text, p_from timestamptz,
  p_party_size integer, p_now timestamptz, p_except uuid default null)
returns boolean
language sql stable set search_path = ''
as $$
  select not exists (
    select 1 from public.reservations r
    join public.locations l on l.id = r.location_id
    cross join lateral (
      select r.service_order at time zone l.timezone as booked, private.stay_of(r.party_size) as stay) as s
    where r.location_id = p_location
      and r.service_date between (p_from at time zone l.timezone)::date - 1
        and (p_from at time zone l.timezone)::date + 1
      and r.source <> 'import' and r.status in ('pending', 'confirmed', 'seated')
      and private.table_names(r.table_name) && private.table_names(p_table)
      and tstzrange(case r.status when 'seated' then least(coalesce(r.seated_at, s.booked), p_now)
        else s.booked end,
        case when r.status = 'seated'
          then greatest(coalesce(r.seated_at, s.booked) + s.stay, p_now + interval '15 minutes')
          when p_now - s.booked between interval '0' and interval '60 minutes' then p_now + s.stay
          else s.booked + s.stay end) && tstzrange(p_from, p_from + private.stay_of(p_party_size)))
    and not exists (
      select 1 from private.table_offers o
      where o.location_id = p_location and o.outcome is null and o.expires_at > p_now and o.id is distinct
        from p_except
        and private.table_names(o.table_name) && private.table_names(p_table))
$$;
comment on function private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid) is
  'Whether no party that comes or sits has one of these tables during a usual stay from p_from, and none is offered it (but by the offer p_except).';

create or replace function private.close_offers(p_organization uuid, p_now timestamptz) returns void
language sql volatile set search_path = ''
as $$
  update private.table_offers o set ended_at = p_now,
    outcome = case when o.expires_at <= p_now then 'expired' else 'gone' end
  from public.waitlist w, public.reservations r
  where o.organization_id = p_organization and o.outcome is null and w.id = o.waitlist_id
    and r.id = o.reservation_id
    and (o.expires_at <= p_now or w.outcome is not null or w.called_at is not null
      or r.status not in ('cancelled', 'no_show'))
$$;
comment on function private.close_offers(uuid, timestamptz) is
  'Ends offers whose time is over, whose party no longer waits, or whose reservation is on again.';

create or replace function public.offer_freed_tables(p_organization uuid, p_channels text[],
  p_now timestamptz default now())
returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  o public.organizations;
  v_channels text[];
begin
  select * into o from public.organizations where id = p_organization;
  if o.offer_tables_minutes is null then
    return '{}';
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_now);
  with slots as (
    select r.id, r.location_id, r.table_name, l.name as place, l.timezone,
      greatest(r.service_order at time zone l.timezone, p_now) as starts_at, coalesce((
        select sum(coalesce(d.capacity, r.party_size)) from public.dining_tables d
        where d.location_id = r.location_id and d.is_active
        and d.name = any(private.table_names(r.table_name))), r.party_size) as seats
    from public.locations l
    join public.reservations r on r.location_id = l.id
      and r.service_date = private.current_service(l.timezone, p_now)
    where l.organization_id = p_organization and l.is_active and r.source <> 'import'
      and r.status in ('cancelled', 'no_show') and not r.walk_in and r.table_name is not null
      and r.service_order at time zone l.timezone > p_now - interval '60 minutes'
      and r.service_order at time zone l.timezone <= p_now + interval '2 hours'
      and not exists (
        select 1 from private.table_offers f
        where f.reservation_id = r.id and (f.outcome is null or f.outcome = 'accepted'))
  ), pairs as (
    select s.*, w.id as waitlist_id, w.phone, w.party_size, w.joined_at, by.channel
    from slots s
    join public.waitlist w on w.location_id = s.location_id and w.outcome is null and w.called_at is null
      and w.phone is not null and w.party_size <= s.seats
    cross join lateral (
      -- WhatsApp allows free text only within 24 hours of the person's last message.
      select c.channel from unnest(array['whatsapp', 'sms']) with ordinality as c (channel, place)
      where c.channel = any(p_channels)
        and (c.channel = 'sms' or public.whatsapp_open(p_organization, w.phone, p_now))
        and not exists (
          select 1 from public.suppressions x
          where x.organization_id = p_organization and x.channel = c.channel and x.address = w.phone)
      order by c.place limit 1) as by
    where not exists (
        select 1 from private.table_offers f
        where f.waitlist_id = w.id and (f.outcome is null or f.reservation_id = s.id))
      and private.table_is_free(s.location_id, s.table_name, s.starts_at, w.party_size, p_now)
  -- The first who came for each table, one table for each party; of two reservations of one table, one.
  ), first_come as (
    select distinct on (p.id) p.* from pairs p order by p.id, p.joined_at, p.waitlist_id
  ), one_each as (
    select distinct on (f.waitlist_id) f.* from first_come f order by f.waitlist_id, f.starts_at, f.id
  ), chosen as (
    select e.*, gen_random_uuid() as offer_id, gen_random_uuid() as message_id,
      p_now + make_interval(mins => o.offer_tables_minutes) as expires_at
    from one_each e
    where not exists (
      select 1 from one_each other
      where other.location_id = e.location_id and other.id <> e.id
        and (other.starts_at, other.id) < (e.starts_at, e.id)
        and private.table_names(other.table_name) && private.table_names(e.table_name))
  ), told as (
    insert into public.messages (id, organization_id, kind, purpose, about_type, about_id, location_id,
      channel, recipient, dedupe_key, content, not_before, created_at)
    select c.message_id, p_organization, 'transactional', 'table_offer', 'table_offer', c.offer_id,
      c.location_id, c.channel, c.phone, 'offer:' || c.offer_id,
      private.guest_text('table_offer', private.in_english(c.phone), jsonb_build_object('party_size',
        c.party_size, 'location', c.place, 'time', to_char(c.starts_at at time zone c.timezone, 'HH24:MI'),
        'until', to_char(c.expires_at at time zone c.timezone, 'HH24:MI')), c.expires_at), p_now, p_now
    from chosen c
  ), offered as (
    insert into private.table_offers (id, organization_id, location_id, waitlist_id, reservation_id,
      table_name, starts_at, message_id, offered_at, expires_at)
    select c.offer_id, p_organization, c.location_id, c.waitlist_id, c.id, c.table_name, c.starts_at,
      c.message_id, p_now, c.expires_at
    from chosen c
  )
  select array_agg(distinct c.channel order by c.channel) into v_channels from chosen c;
  return coalesce(v_channels, '{}');
end
$$;
comment on function public.offer_freed_tables(uuid, text[], timestamptz) is
  'Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.';

create or replace function private.book_offer(o private.table_offers, w public.waitlist, l public.locations)
  returns uuid
language plpgsql volatile set search_path = ''
as $$
declare
  v public.reservations;
begin
  v.organization_id := o.organization_id;
  v.location_id := o.location_id;
  v.customer_name := w.name;
  v.customer_phone := w.phone;
  -- A phone of a guest with another name makes no guest of them: floor staff typed both.
  if private.owners_of_another_name(o.organization_id, null, w.phone, w.name) is null then
    v.customer_id := private.match_customer(o.organization_id, null, w.phone, w.name);
  end if;
  v.reservation_date := (o.starts_at at time zone l.timezone)::date;
  v.reservation_time := date_trunc('minute', o.starts_at at time zone l.timezone)::time;
  v.party_size := w.party_size;
  v.status := 'confirmed';
  v.notes := w.notes;
  v.table_name := o.table_name;
  v.service_over := false;
  v := private.write_reservation(v, l.count_unmarked_visits);
  perform private.refresh_customers(array_remove(array[v.customer_id], null));
  perform private.audit(o.organization_id, 'reservation.created', v.id, '{}');
  return v.id;
end
$$;
comment on function private.book_offer(private.table_offers, public.waitlist, public.locations) is
  'Books an offered table for the waiting party, like a reservation by staff; returns its id.';

create or replace function private.ticket_for_offer(o private.table_offers, w public.waitlist, p_channel text,
  p_reason text, p_text text, p_at timestamptz, p_words jsonb)
returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_channel text := case p_channel when 'whatsapp' then 'WhatsApp' else 'SMS' end;
  v_values jsonb := jsonb_build_object('name', w.name, 'table', o.table_name, 'channel', v_channel,
    'reason', p_words -> 'reasons' ->> p_reason,
    'text', coalesce(nullif(btrim(left(p_text, 500)), ''), p_words ->> 'no_text'));
  v_ticket uuid;
begin
  -- One ticket per offer: further messages are added while it is open.
  select t.id into v_ticket from public.tickets t
  where t.id = o.ticket_id and t.status in ('open', 'in_progress', 'waiting') for update;
  if v_ticket is not null then
    if (select count(*) from public.ticket_comments c where c.ticket_id = v_ticket) < 50 then
      insert into public.ticket_comments (ticket_id, author_name, body, created_at)
      values (v_ticket, v_channel, private.worded(p_words ->> 'comment', v_values), p_at);
      update public.tickets set changes = changes + 1 where id = v_ticket;
    end if;
    return;
  end if;
  insert into public.tickets (organization_id, subject, description, priority, location_id, customer_id,
    created_at)
  values (o.organization_id, left(private.worded(p_words ->> 'subject', v_values), 200),
    private.worded(p_words ->> 'description', v_values), 'urgent', o.location_id, (
      select (array_agg(c.id))[1] from public.customers c
      where c.organization_id = o.organization_id and c.phone = w.phone having count(*) = 1), p_at)
  returning id into v_ticket;
  update private.table_offers set ticket_id = v_ticket where id = o.id;
end
$$;
comment on function private.ticket_for_offer(private.table_offers, public.waitlist, text, text, text, timestamptz, jsonb) is
  'Passes a message about an offer to staff: as a comment on the offer''s open ticket, else as a new one, of the guest who alone has the phone. p_words: those of lib/tickets/guest-ticket-words.json for offers, in one language.';

create or replace function public.take_offer_reply(p_organization uuid, p_reply jsonb, p_words jsonb,
  p_at timestamptz default now()) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_channel text := p_reply ->> 'channel';
  v_intent text := p_reply ->> 'intent';
  v_addresses text[] := private.sender_addresses(p_organization, v_channel, p_reply ->> 'phone',
    p_reply ->> 'whatsapp_id');
  v_last public.messages;
  o private.table_offers;
  w public.waitlist;
  l public.locations;
  v_booking uuid;
  v_english boolean;
  v_answered boolean;
  v_theirs boolean;
begin
  -- A reply of "1" can only mean our last message to the guest.
  select * into v_last from public.messages m
  where m.organization_id = p_organization and m.recipient = any(v_addresses) and m.channel = v_channel
    and m.created_at > p_at - interval '1 day' and m.status in ('sending', 'sent', 'delivered', 'unknown')
  order by coalesce(m.sent_at, m.created_at) desc, m.id desc limit 1;
  v_answered := coalesce(v_last.purpose = 'table_offer_answer', false);
  select * into o from private.table_offers f
  where f.organization_id = p_organization and case when v_answered
    then f.id = v_last.about_id else f.message_id = v_last.id end;
  if o.id is null or p_reply ->> 'answers' is not null and v_last.provider_id is distinct
    from p_reply ->> 'answers' then
    return jsonb_build_object('outcome', 'not_asked');
  end if;
  insert into public.webhook_receipts (organization_id, receipt, received_at, opens)
  values (p_organization, 'reply:' || (p_reply ->> 'id'), p_at, true) on conflict do nothing;
  if not found then
    return jsonb_build_object('outcome', 'repeated');
  end if;
  perform private.lock_identities(p_organization);
  perform private.close_offers(p_organization, p_at);
  select * into o from private.table_offers f where f.id = o.id for update;
  select * into w from public.waitlist e where e.id = o.waitlist_id for update;
  select * into l from public.locations p where p.id = o.location_id;
  v_theirs := private.is_senders(v_last, p_reply ->> 'phone', p_reply ->> 'whatsapp_id');
  v_english := coalesce(p_reply ->> 'language' = 'en', private.in_english(w.phone));
  if v_intent = 'courtesy' or v_intent = 'confirm' and (v_answered or o.outcome = 'accepted') then
    return jsonb_build_object('outcome', 'nothing');
  elsif v_intent = 'cancel' and o.outcome is null and v_theirs then
    update private.table_offers set outcome = 'declined', ended_at = p_at where id = o.id;
    return jsonb_build_object('outcome', 'declined');
  elsif v_intent = 'confirm' and o.outcome is null and v_theirs
    and private.table_is_free(o.location_id, o.table_name, o.starts_at, w.party_size, p_at, o.id) then
    v_booking := private.book_offer(o, w, l);
    update private.table_offers set outcome = 'accepted', ended_at = p_at, booking_id = v_booking
      where id = o.id;
    update public.waitlist set outcome = 'booked', ended_at = p_at where id = w.id;
  else
    perform private.ticket_for_offer(o, w, v_channel, case
      when not v_theirs then 'another_number'
      when v_intent = 'confirm' and w.outcome is null then 'too_late'
      when v_intent = 'confirm' then 'not_waiting'
      when o.outcome = 'accepted' then 'booked'
      else 'unclear' end, p_reply ->> 'text', p_at,
      p_words -> case when private.in_english(w.phone) then 'en' else 'es' end);
    if v_intent is distinct from 'confirm' or not v_theirs then
      return jsonb_build_object('outcome', 'ticket');
    end if;
    update private.table_offers set outcome = 'gone', ended_at = p_at where id = o.id and outcome is null;
  end if;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, reservation_id,
    location_id, channel, recipient, dedupe_key, content, not_before, created_at)
  select p_organization, 'transactional', 'table_offer_answer', 'table_offer', o.id, v_booking, o.location_id,
    v_channel, v_last.recipient, 'offer-answer:' || o.id || ':' || (p_reply ->> 'id'),
    private.guest_text(case when v_booking is not null then 'table_taken' when w.outcome is null
      then 'table_gone' else 'table_gone_not_waiting' end, v_english,
      jsonb_build_object('location', l.name, 'time', to_char(o.starts_at at time zone l.timezone, 'HH24:MI')),
      p_at + interval '1 hour'), p_at, p_at;
  return jsonb_build_object('outcome', case when v_booking is null then 'gone' else 'accepted' end,
    'reservation_id', v_booking);
end
$$;
comment on function public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) is
  'Handles a guest''s reply to an offer of a freed table, or to our answer about that offer; it must be our last message to the guest. p_reply: as for take_reply. p_words: the texts for offers in lib/tickets/guest-ticket-words.json, by language. Returns {outcome, reservation_id (only when booked)}. Outcomes: accepted (booked, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (staff must read it: unclear, from another number, or the offer has ended), nothing (thanks, or a second yes), not_asked (our last message was no offer, or the reply quotes another message), repeated (the provider delivered this reply before; nothing changes).';
grant execute on function private.stay_of(integer), private.table_names(text),
  private.table_is_free(uuid, text, timestamptz, integer, timestamptz, uuid),
  private.close_offers(uuid, timestamptz) to service_role;
grant execute on function public.offer_freed_tables(uuid, text[], timestamptz),
  public.take_offer_reply(uuid, jsonb, jsonb, timestamptz) to service_role;
-- << supabase/logic/service/table_offers.sql

reset check_function_bodies;
