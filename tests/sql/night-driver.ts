/**
 * The SQL of the test: plays the calls of one night as the person and as the service, reads everything back after each,
 * and takes all of it back. One statement for a night: thousands of them go by.
 */
export const DRIVER = [
  `create or replace function pg_temp.place(p_name text) returns uuid language sql stable as $$
     select id from public.locations where name = p_name $$`,
  `create or replace function pg_temp.name_of(r public.reservations) returns text language sql immutable as $$
     select coalesce(r.external_id, r.notes, r.customer_name) $$`,
  `create or replace function pg_temp.booking(p_name text) returns uuid language sql stable as $$
     select r.id from public.reservations r where pg_temp.name_of(r) = p_name $$`,
  `create or replace function pg_temp.ms(p_at timestamptz) returns bigint language sql immutable as $$
     select (extract(epoch from p_at) * 1000)::bigint $$`,
  `create or replace function pg_temp.state() returns jsonb language sql stable as $$
     select jsonb_build_object('bookings', (
       select coalesce(jsonb_agg(jsonb_build_array(pg_temp.name_of(r), l.name, r.reservation_date,
         to_char(r.reservation_time, 'HH24:MI'), r.party_size, r.status, r.table_name, pg_temp.ms(r.arrived_at),
         pg_temp.ms(r.seated_at), pg_temp.ms(r.finished_at), r.total_amount::float, r.visited, r.pms_status, r.walk_in,
         r.staff_marks, (select pg_temp.name_of(f) from public.reservations f where f.id = r.joined_to)) order by pg_temp.name_of(r) collate "C"), '[]')
       from public.reservations r join public.locations l on l.id = r.location_id),
     'days', (
       select coalesce(jsonb_agg(jsonb_build_array(l.name || ' ' || f.service_date, f.booked, f.reservations, f.covers,
         f.visits, f.cancelled, f.no_shows, f.walk_ins, f.known_revenue::float, f.unknown_covers)
         order by l.name, f.service_date), '[]')
       from private.figures_of(array(select id from public.locations), '2020-01-01', '2030-01-01') as f
       join public.locations l on l.id = f.location_id),
     'guests', (
       select coalesce(jsonb_agg(jsonb_build_array(c.email, c.total_visits, c.total_spend::float, c.last_visit_on)
         order by c.email collate "C"), '[]') from public.customers c)) $$`,
  `create or replace function pg_temp.call(p jsonb) returns jsonb language plpgsql as $$
   declare
     v_place constant uuid := pg_temp.place(p ->> 'place');
     v_now constant timestamptz := p ->> 'now';
     v_asked constant jsonb := case p ->> 'do'
       when 'taps' then (select jsonb_agg(t || jsonb_build_object('reservation_id', pg_temp.booking(t ->> 'reservation'))
         || case when t ->> 'action' = 'join' then jsonb_build_object('to', coalesce(pg_temp.booking(t ->> 'to')::text,
           t ->> 'to')) else '{}' end
         order by n) from jsonb_array_elements(p -> 'taps') with ordinality as x (t, n))
       when 'save' then p -> 'fields' || case when v_place is null then '{}'
         else jsonb_build_object('location_id', v_place) end end;
     v_target constant uuid := case p ->> 'do' when 'save' then pg_temp.booking(p ->> 'reservation')
       when 'reopen' then (select c.id from public.closed_days c where c.location_id = v_place
         and c.day = (p #>> '{closing,day}')::date and c.shift is not distinct from p #>> '{closing,shift}'
         and c.zone is not distinct from p #>> '{closing,zone}') end;
     v_group constant uuid := (select organization_id from public.locations where name = 'A');
     v_answer jsonb;
     v_table text;
   begin
     perform set_config('role', case when p ->> 'do' in ('sync', 'close') then 'service_role' else 'authenticated' end,
       true);
     case p ->> 'do'
       when 'taps' then v_answer := public.take_taps(v_place, v_asked, v_now);
       when 'save' then
         v_answer := public.save_reservation(v_asked, v_target, v_now) - 'reservation';
         if v_answer -> 'current' = 'null' then v_answer := v_answer - 'current'; end if;
       when 'sync' then
         v_answer := public.sync_reservations(v_place, p -> 'rows', v_now)
             - array['customers', 'customers_created', 'bad_emails']
           || case when p -> 'ids' = 'null' then '{}' else public.take_out_missing(v_place, v_now,
             (p ->> 'from')::date, (p ->> 'to')::date, array(select jsonb_array_elements_text(p -> 'ids')), 10,
             'requests') end;
       when 'close' then v_answer := to_jsonb(not public.close_services(v_group, v_now));
       when 'shut' then
         v_answer := public.add_closing(v_place, p -> 'closing') - 'closing';
         if v_answer ? 'reservations' then
           v_answer := v_answer || jsonb_build_object('reservations', (
             select coalesce(jsonb_agg(x ->> 'id'), '[]') from jsonb_array_elements(v_answer -> 'reservations') as x));
         end if;
       when 'reopen' then v_answer := to_jsonb(public.remove_closing(v_place, v_target));
       when 'report' then v_answer := public.report_weeks(null, v_now);
     end case;
     perform set_config('role', 'none', true);
     -- They go with the transaction, of which the product has one for each call.
     for v_table in select relname from pg_class where relnamespace = pg_my_temp_schema() and relkind = 'r' loop
       execute format('drop table pg_temp.%I', v_table);
     end loop;
     return v_answer;
   end $$`,
  `create or replace function pg_temp.set_up(p_group uuid, p jsonb) returns void language sql as $$
     with places as (
       insert into public.locations (organization_id, name, pms_id, timezone, average_spend_per_guest,
         count_unmarked_visits, stay_minutes)
       select p_group, n, n, p ->> 'zone', (p ->> 'average')::numeric, (p ->> 'unmarked')::boolean,
         nullif(p -> 'stays', 'null') from unnest('{A,B}'::text[]) as n returning id
     ), shifts as (
       insert into public.shifts (organization_id, location_id, name, weekdays, opens, closes)
       select p_group, l.id, s.name, '{1,2,3,4,5,6,7}', s.opens, s.closes
       from places l, jsonb_to_recordset(p -> 'shifts') as s (name text, opens time, closes time)
     )
     insert into public.dining_tables (organization_id, location_id, zone, name, capacity)
     select p_group, l.id, t.zone, t.name, t.capacity
     from places l, jsonb_to_recordset(p -> 'tables') as t (zone text, name text, capacity int) $$`,
  `create or replace function pg_temp.play(p_group uuid, p_claims text, p_setup jsonb, p_calls jsonb) returns jsonb
   language plpgsql as $$
   declare
     v_call jsonb;
     v_answer jsonb;
     v_moves jsonb[] := '{}';
     v_ids jsonb;
   begin
     perform set_config('request.jwt.claims', p_claims, true);
     -- The embedded stack asks here.
     perform set_config('request.jwt.claim.sub', p_claims::jsonb ->> 'sub', true);
     begin
       perform pg_temp.set_up(p_group, p_setup);
       for v_call in select value from jsonb_array_elements(p_calls) loop
         v_answer := pg_temp.call(v_call);
         v_moves := v_moves || jsonb_build_object('answer', v_answer, 'state', pg_temp.state());
       end loop;
       select jsonb_object_agg(id, name) into v_ids from (
         select r.id, pg_temp.name_of(r) as name from public.reservations r
         union all select l.id, l.name from public.locations l) as x;
       raise exception using errcode = 'NIGHT';
     exception when sqlstate 'NIGHT' then null;
     end;
     return jsonb_build_object('moves', to_jsonb(v_moves), 'ids', v_ids);
   end $$`,
]
