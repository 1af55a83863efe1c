-- Parties that sit together: bookings of one service day that share their tables. Each stays a booking of its
-- own, with its covers, guest, state and money; joined_to is only a link between them.

create or replace function private.sits_with(p_party public.reservations) returns uuid[]
language sql stable set search_path = ''
as $$
  select array(
    select r.id
    from (select coalesce(p_party.joined_to, p_party.id) as id) as f
    join public.reservations r on r.id = f.id and r.joined_to is null or r.joined_to = f.id
    where r.id <> p_party.id and r.location_id = p_party.location_id
      and r.service_date = private.service_day(p_party.reservation_date, p_party.reservation_time)
      and r.status in ('pending', 'confirmed', 'seated'))
$$;
comment on function private.sits_with(public.reservations) is
  'The other parties that sit together with one: joined to the same first party, of the same service day, and still to come or seated. Who comes again, or to this day again, sits with them again.';

create or replace function private.seating(p_party public.reservations, out tables text[], out covers bigint)
language sql stable set search_path = ''
as $$
  with own as materialized (
    select private.table_names(p_party.table_name) as names
  ), others as materialized (
    select r.party_size, private.table_names(r.table_name) as names from public.reservations r
    where r.id = any(private.sits_with(p_party)) and r.table_name is not null
  )
  select o.names || array(
      select distinct name from others t cross join unnest(t.names) as name where name <> all(o.names)),
    p_party.party_size + coalesce((select sum(t.party_size) from others t), 0)
  from own o
$$;
comment on function private.seating(public.reservations) is
  'The tables of a party and of those who sit with it and have tables, and how many people these are together.';

create or replace function private.links_after(p_party public.reservations, p_to uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with named as (
    select r as party, r.id, r.joined_to from public.reservations r
    -- A walk-in that was tapped without a connection has no id yet: its key stands for it.
    where r.id in (p_to, (select t.reservation_id from private.service_taps t where t.key = p_to))
      and r.id <> p_party.id and r.location_id = p_party.location_id
      and r.service_date = p_party.service_date and r.source <> 'import'
      and r.status in ('pending', 'confirmed', 'seated')
      and p_party.status in ('pending', 'confirmed', 'seated')
    order by r.id = p_to desc limit 1
  ), moved as (
    select p_party.id union all
    select unnest(private.sits_with(p_party)) from named
  ), staying as (
    select n.id, n.joined_to from named n union
    select r.id, r.joined_to from named n join public.reservations r on r.id = any(private.sits_with(n.party))
  ), left_behind as (
    -- Who was joined to somebody who goes, and does not go along: they stay together.
    select r.id, first_value(r.id) over (order by r.service_order, r.customer_name, r.id) as first
    from public.reservations r
    where r.joined_to in (select id from moved) and r.id not in (select id from moved)
      and r.location_id = p_party.location_id
  )
  select case when p_to is null or exists (select from named) then (
    select jsonb_object_agg(l.id, nullif(l.first, l.id)) from (
      select m.id, (select coalesce(n.joined_to, n.id) from named n) as first from moved m
      union all select s.id, s.joined_to from staying s where s.id not in (select id from moved)
      union all select b.id, b.first from left_behind b) as l) end
$$;
comment on function private.links_after(public.reservations, uuid) is
  'The joined_to of all parties, by id, once a party and those who sit with it sit with another one (its id, or the key of its tap) and with those of that one; with null, once the party sits on its own. Null when the other one does not come, or is of another service day. components/service/board-model.ts has the same.';

create or replace function private.joined_fields(p_party public.reservations) returns jsonb
language sql immutable set search_path = ''
as $$ select jsonb_build_object('joined_to', p_party.joined_to, 'table_name', p_party.table_name) $$;
comment on function private.joined_fields(public.reservations) is
  'What joining parties changes: joined_to and table_name.';

create or replace function private.link_parties(p_links jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  perform private.audit(r.organization_id, 'reservation.changed', r.id, '{"fields": ["joined_to"]}')
  from jsonb_each_text(p_links) as l join public.reservations r on r.id = l.key::uuid
  where r.joined_to is distinct from l.value::uuid;
  update public.reservations r set joined_to = l.value::uuid
  from jsonb_each_text(p_links) as l where r.id = l.key::uuid and r.joined_to is distinct from l.value::uuid;
end
$$;
comment on function private.link_parties(jsonb) is
  'Writes the joined_to of parties, by id, and logs each that changes.';

create or replace function private.links_before(p_party public.reservations,
  p_undone private.service_taps) returns jsonb
language sql stable set search_path = ''
as $$
  with parties as (
    select r.id, r.joined_to, o.before from (
      select p_party.id, p_undone.before, p_undone.after union all
      select o.* from jsonb_to_recordset(p_undone.others) as o (id uuid, before jsonb, after jsonb)) as o
    join public.reservations r on r.id = o.id and r.location_id = p_party.location_id
      and private.joined_fields(r) @> o.after
  ), links as (
    select id,
      case when before ? 'joined_to' then (before ->> 'joined_to')::uuid else joined_to end as joined_to
    from parties
  )
  select jsonb_object_agg(l.id, l.joined_to) from links l
  having count(*) = 1 + jsonb_array_length(p_undone.others)
    -- Nobody is joined to a party that is joined itself: others have chosen differently meanwhile.
    and bool_and(l.joined_to is null or exists (
      select from public.reservations f left join links k on k.id = f.id
      where f.id = l.joined_to and case when k.id is null then f.joined_to else k.joined_to end is null)
      and not exists (
        select from public.reservations r where r.joined_to = l.id and r.id not in (select id from links)))
$$;
comment on function private.links_before(public.reservations, private.service_taps) is
  'The joined_to that a party and others had before its tap, by id; null when one of them has changed since, or somebody else is joined to one that would be joined itself.';

create or replace function private.take_join(p_party public.reservations, p_tap jsonb,
  p_undone private.service_taps, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_undoes constant boolean := p_undone.key is not null;
  v_joins constant boolean := case when v_undoes then p_undone.action = 'separate'
    else p_tap ->> 'to' is not null end;
  v_links constant jsonb := case when v_undoes then private.links_before(p_party, p_undone)
    else private.links_after(p_party, (p_tap ->> 'to')::uuid) end;
  v_before jsonb;
  v_saved jsonb := '{"outcome": "conflict"}';
begin
  if v_links is null then
    return private.refused_tap((p_tap ->> 'key')::uuid, p_party.id, v_saved);
  end if;
  select jsonb_object_agg(r.id, private.joined_fields(r)) into v_before
  from jsonb_object_keys(v_links) as k join public.reservations r on r.id = k::uuid;
  -- A refusal of one takes back all.
  begin
    -- Nobody is in the way of who shares a table: who parts by an undo gets back other tables first.
    if v_joins or not v_undoes then
      perform private.link_parties(v_links);
    end if;
    v_saved := private.save_joined(p_party, p_tap, p_undone, p_now);
    if v_saved ->> 'outcome' <> 'saved' then
      raise exception using errcode = 'JO001';
    end if;
    perform private.link_parties(v_links);
    v_saved := private.asked_of_joined(p_party.id, p_tap -> 'confirm', v_joins, p_now);
    if v_saved ->> 'code' is not null then
      raise exception using errcode = 'JO001';
    end if;
  exception when sqlstate 'JO001' then
    return private.refused_tap((p_tap ->> 'key')::uuid, p_party.id, v_saved);
  end;
  with changes as (
    select r.id, c.* from jsonb_each(v_before) as b
    join public.reservations r on r.id = b.key::uuid
    cross join lateral (
      select jsonb_object_agg(f.key, f.value) as before, jsonb_object_agg(f.key, n.value) as after
      from jsonb_each(b.value) as f join jsonb_each(private.joined_fields(r)) as n on n.key = f.key
      where f.value <> n.value or r.id = p_party.id and f.key = 'joined_to') as c
    where c.before is not null
  )
  insert into private.service_taps
    (key, organization_id, reservation_id, action, before, after, others, taken_at)
  select (p_tap ->> 'key')::uuid, p_party.organization_id, p_party.id,
    case when v_joins then 'join' else 'separate' end, c.before, c.after,
    coalesce((select jsonb_agg(to_jsonb(o)) from changes o where o.id <> p_party.id), '[]'), p_now
  from changes c where c.id = p_party.id;
  return jsonb_build_object('key', p_tap -> 'key', 'outcome', 'saved', 'reservation_id', p_party.id);
end
$$;
comment on function private.take_join(public.reservations, jsonb, private.service_taps, timestamptz) is
  'Applies the tap join, or the undo of one, to a party and to all whom it concerns, or to nobody: as take_tap.';

create or replace function private.save_joined(p_party public.reservations, p_tap jsonb,
  p_undone private.service_taps, p_now timestamptz) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_tables constant jsonb := private.tables_in(p_tap);
  v_parties jsonb;
  v_each record;
  v_saved jsonb := '{"outcome": "saved"}';
begin
  if p_undone.key is not null then
    select coalesce(jsonb_object_agg(o.id, jsonb_build_object('table_name', o.before -> 'table_name')), '{}')
      into v_parties
    from (select p_undone.reservation_id as id, p_undone.before union all
      select o.* from jsonb_to_recordset(p_undone.others) as o (id uuid, before jsonb)) as o
    where o.before ? 'table_name';
  else
    select coalesce(jsonb_object_agg(r.id, v_tables), '{}') into v_parties
    from public.reservations p
    join public.reservations r on r.id = any(p.id
      || case when p_tap ->> 'to' is not null then private.sits_with(p) else '{}' end)
    where p.id = p_party.id and v_tables <> '{}';
  end if;
  -- A few: those who sit at one table.
  for v_each in
    select p.* from jsonb_each(v_parties) as p join public.reservations r on r.id = p.key::uuid
    order by r.id <> p_party.id, r.service_order, r.customer_name, r.id
  loop
    v_saved := public.save_reservation(v_each.value
      || jsonb_build_object('by_tap', true, 'confirm', p_tap -> 'confirm'), v_each.key::uuid, p_now);
    exit when v_saved ->> 'outcome' <> 'saved';
  end loop;
  return v_saved;
end
$$;
comment on function private.save_joined(public.reservations, jsonb, private.service_taps, timestamptz) is
  'Gives the parties of the tap join its tables (by an undo: those from before). The answer of save_reservation: of the first that was not saved, else saved.';

create or replace function private.asked_of_joined(p_party uuid, p_confirmed jsonb, p_joins boolean,
  p_now timestamptz) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('outcome', 'asks', 'code', a.asked -> 'code', 'current', a.asked -> 'current',
    'questions', (a.asked -> 'questions') - 'CLOSED' - case when p_joins then 'TABLE_TAKEN' else '' end)
  from public.reservations r join public.locations l on l.id = r.location_id
  -- As if it got its table now; who joins others is in nobody's way who was not so before.
  cross join lateral private.reservation_questions(jsonb_populate_record(r, '{"table_name": null}'), r, l,
    coalesce(p_confirmed, '[]') || '["closed"]'
      || case when p_joins then jsonb '["table_taken"]' else '[]' end, p_now) as a (asked)
  where r.id = p_party
$$;
comment on function private.asked_of_joined(uuid, jsonb, boolean, timestamptz) is
  'What a party that was joined or parted is asked about the tables that it keeps, as reservation_questions: whether they have the seats (TABLE_TOO_SMALL), and of one that was parted whether others are there (TABLE_TAKEN).';
