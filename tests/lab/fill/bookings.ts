import { DAYS, PAST_DAYS } from './guests'
import type { Step } from './steps'

/**
 * The bookings as a narrow working table, by time. Friday and Saturday evenings are full, mostly at nine; a guest comes
 * to their usual place six times in seven; the weeks to come have a third of the bookings of past ones.
 */
export const bookingSteps = (): Step[] => [
  {
    name: 'bookings, by time',
    sql: `create unlogged table lab.bookings as
      with drawn as (
        select g.n as guest, g.home, mod(g.begins + floor(g.lasts * random())::integer, ${DAYS}) / 7 as week,
          random() as weekday, random() as part, random() as quarter, random() as elsewhere, random() as where_to,
          random() as guests, random() as fate, random() as paid, random() as each, random() as ahead
        from lab.guests g cross join lateral generate_series(1, g.bookings) as k
      ), placed as (
        select d.*, case when d.weekday < 0.08 then 0 when d.weekday < 0.17 then 1 when d.weekday < 0.28 then 2
            when d.weekday < 0.42 then 3 when d.weekday < 0.64 then 4 when d.weekday < 0.88 then 5 else 6 end as dow,
          case when d.elsewhere < 0.85 then d.home
            else floor((select count(*) from lab.places) * d.where_to ^ 1.5)::integer end as place
        from drawn d
      ), dated as (
        select p.*, date_trunc('week', current_date)::date - ${PAST_DAYS} + p.week * 7 + p.dow as day from placed p
      ), timed as (
        -- Two in three bookings of the weeks to come are not made yet: they are last year's.
        select t.*, case when t.day > current_date and t.ahead > 0.33 then t.day - 364 else t.day end as date,
          case when t.part < 0.32 then time '13:00' + floor(t.quarter * 11) * interval '15 minutes'
            when t.part > 0.99 then time '00:15'
            when t.dow in (4, 5) and t.part < 0.66 then time '21:00' + floor(t.quarter * 2) * interval '30 minutes'
            else time '20:00' + floor(t.quarter * 12) * interval '15 minutes' end as at
        from dated t
      ), held as (
        select h.guest, h.place::smallint as place, h.date, h.at,
          (case when h.guests < 0.5 then 2 when h.guests < 0.7 then 4 when h.guests < 0.82 then 3 when h.guests < 0.85 then 1
            when h.guests < 0.95 then 5 + floor(h.each * 2) else 7 + floor(h.each * 6) end)::smallint as party,
          h.over, case when not h.over then
              case when h.fate < 0.8 then 'confirmed' when h.fate < 0.92 then 'pending' else 'cancelled' end
            when h.fate < 0.6 then 'completed' when h.fate < 0.83 then 'confirmed' when h.fate < 0.95 then 'cancelled'
            when h.fate < 0.99 then 'no_show' else 'seated' end as status,
          case when h.paid < 0.9 then 'pms' when h.paid < 0.98 then 'manual' else 'import' end as source,
          case when h.paid < 0.45 then h.each end as each, h.ahead
        from (
          select t.*, case when t.at < '06:00' then t.date - 1 else t.date end
            < (select private.current_service('Europe/Madrid', now())) as over from timed t) as h
      )
      select (row_number() over (order by date, at))::integer as n, guest, place, date, at, party, over, status, source,
        case when status = 'completed' then round((party * (18 + 44 * each))::numeric, 2) end as amount,
        case when source = 'import' then false when status = 'completed' then true when not over then null
          else status in ('seated', 'confirmed') end as visited, ahead
      from held order by date, at`,
  },
  { sql: 'create index on lab.bookings (n)' },
  { sql: 'analyze lab.bookings' },
]

/** Reservations number `from` to `to`, in order of time. */
export const reservationStep = (organization: string, from: number, to: number): Step => ({
  sql: `insert into public.reservations (organization_id, location_id, customer_id, external_id, customer_name,
      customer_email, customer_phone, reservation_date, reservation_time, party_size, status, pms_status, notes,
      total_amount, source, zone_name, table_name, created_at, updated_at, service_over, walk_in)
    select $1, p.id, g.id, case when b.source = 'pms' then 'lab-' || b.n end, g.first_name || ' ' || g.last_name,
      g.email, g.phone, b.date, b.at, b.party, b.status, case when b.source = 'pms' then upper(b.status) end,
      case when b.n % 20 = 0 then 'Mesa tranquila, junto a la ventana si se puede' end,
      b.amount, b.source, (array['Sala', 'Terraza', 'Barra'])[1 + b.n % 3], 'M' || b.n % 40,
      b.date + time '11:00' - make_interval(days => floor(b.ahead * 20)::integer),
      b.date + time '11:00' - make_interval(days => floor(b.ahead * 20)::integer), b.over, false
    from lab.bookings b join lab.guests g on g.n = b.guest join lab.places p on p.n = b.place
    where b.n between $2 and $3`,
  values: [organization, from, to],
})
