-- The figures of each service day of a location, kept as reservations change: a page adds up days, not
-- reservations.

create or replace function private.daily_figure_sums(p_rows text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select format('
    select r.location_id, r.service_date, sum(r.sign)::integer as booked,
      coalesce(sum(r.sign) filter (where r.comes), 0)::integer as reservations,
      coalesce(sum(r.sign * r.party_size) filter (where r.comes), 0)::integer as covers,
      coalesce(sum(r.sign) filter (where r.status = ''completed''), 0)::integer as completed,
      coalesce(sum(r.sign) filter (where r.visited), 0)::integer as visits,
      coalesce(sum(r.sign) filter (where r.status = ''cancelled''), 0)::integer as cancelled,
      coalesce(sum(r.sign) filter (where r.status = ''no_show''), 0)::integer as no_shows,
      coalesce(sum(r.sign) filter (where r.comes and r.walk_in), 0)::integer as walk_ins,
      coalesce(sum(r.sign * r.total_amount) filter (where r.visited), 0) as known_revenue,
      coalesce(sum(r.sign * r.party_size) filter (where r.visited and r.total_amount is null), 0)::integer as unknown_covers
    from (
      select s.*, s.status not in (''cancelled'', ''no_show'') as comes from (%s) as s where s.source <> ''import''
    ) as r
    group by r.location_id, r.service_date', p_rows)
$$;
comment on function private.daily_figure_sums(text) is
  'The query of the figures by location and service day of a query''s reservations, each with its sign.';

create or replace function private.figure_reservation_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from private.daily_figures;
  else
    execute format('
      insert into private.daily_figures (location_id, service_date, booked, reservations, covers, completed, visits,
        cancelled, no_shows, walk_ins, known_revenue, unknown_covers)
      select d.* from (%s) as d
      where (d.booked, d.reservations, d.covers, d.completed, d.visits, d.cancelled, d.no_shows, d.walk_ins,
        d.known_revenue, d.unknown_covers) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)',
      private.daily_figure_sums(private.signed_rows(tg_op)));
  end if;
  return null;
end
$$;
comment on function private.figure_reservation_changes() is 'Trigger: notes how a statement changed the figures of service days.';

create or replace trigger reservations_figures_new after insert on public.reservations
  referencing new table as new_rows for each statement execute function private.figure_reservation_changes();
create or replace trigger reservations_figures_changed after update on public.reservations
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.figure_reservation_changes();
create or replace trigger reservations_figures_gone after delete on public.reservations
  referencing old table as old_rows for each statement execute function private.figure_reservation_changes();
create or replace trigger reservations_figures_none after truncate on public.reservations
  for each statement execute function private.figure_reservation_changes();

create or replace function private.figures_of(p_locations uuid[], p_from date, p_until date)
returns table (location_id uuid, service_date date, booked bigint, reservations bigint, covers bigint,
  completed bigint, visits bigint, cancelled bigint, no_shows bigint, walk_ins bigint, known_revenue numeric,
  unknown_covers bigint)
language sql stable set search_path = ''
as $$
  select f.location_id, f.service_date, sum(f.booked), sum(f.reservations), sum(f.covers), sum(f.completed),
    sum(f.visits), sum(f.cancelled), sum(f.no_shows), sum(f.walk_ins), sum(f.known_revenue),
    sum(f.unknown_covers)
  from private.daily_figures f
  where f.location_id = any(p_locations) and f.service_date between p_from and p_until
  group by f.location_id, f.service_date having sum(f.booked) <> 0
$$;
comment on function private.figures_of(uuid[], date, date) is
  'The figures of locations by service day, for the days that have reservations.';
grant execute on function private.daily_figure_sums(text), private.figures_of(uuid[], date, date)
  to service_role;
