import { drawName } from '../../bench/identity/spanish/names'
import { createRandom } from '../../fakes/pms/random'
import type { Step } from './steps'

/** Days of the lab before the Monday of this week, and all of its days. */
export const PAST_DAYS = 7 * 156
export const DAYS = PAST_DAYS + 21

const NAMES = 20_000

/** The names guests draw from: as common as they are in Spain. */
function names(): string {
  const draw = createRandom('lab')
  return JSON.stringify(
    Array.from({ length: NAMES }, () => {
      const { given, surnames } = drawName(draw, 'es')
      return [given.join(' '), surnames[0] ?? '', surnames.at(-1) ?? '']
    }),
  )
}

/**
 * Working tables: the places, the names and the guests with how often and when they come. Most come once or a few
 * times, one in eight more than twenty times, and three a thousand times.
 */
export const guestSteps = (organization: string, guests: number, reservations: number): Step[] => [
  { sql: 'create schema lab' },
  {
    sql: `create unlogged table lab.places as
      select (row_number() over (order by name) - 1)::integer as n, id, coalesce(average_spend_per_guest, 0) as average
      from public.locations where organization_id = $1`,
    values: [organization],
  },
  {
    sql: `create unlogged table lab.names as
      select (p.n - 1)::integer as n, p.name ->> 0 as given, p.name ->> 1 as surname1, p.name ->> 2 as surname2
      from jsonb_array_elements($1::jsonb) with ordinality as p (name, n)`,
    values: [names()],
  },
  { sql: 'create index on lab.names (n)' },
  { sql: 'analyze lab.places, lab.names' },
  {
    name: 'guests',
    sql: `create unlogged table lab.guests as
      with drawn as (
        select n, floor(random() * ${NAMES})::integer as given,
          floor(random() * ${NAMES})::integer as surname1, floor(random() * ${NAMES})::integer as surname2,
          floor((select count(*) from lab.places) * random() ^ 1.5)::integer as home,
          sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) as often,
          floor(random() * ${DAYS})::integer as begins, random() as lasts, random() as spare
        from generate_series(1, $1::integer) as n
      )
      select d.n, private.new_id(now() - interval '3 years' + d.spare * interval '2 years') as id, d.home, d.begins, d.spare, f.given as first_name, s.surname1 || ' ' || t.surname2 as last_name,
        greatest(1, floor(${DAYS} * d.lasts ^ 0.5))::integer as lasts,
        case when d.n <= 3 then 1000 when d.n % 50 = 7 then 0
          else least(300, greatest(1, round(exp(ln($2::float8 / $1) - 0.82 + 1.3 * d.often))))::integer end as bookings,
        -- A pair in fifty shares name and phone: the duplicates.
        case when d.n % 10 < 8 then '+346' || lpad((d.n - (d.n % 50 = 1)::integer)::text, 8, '0') end as phone,
        case when d.n % 4 <> 0 then lower(extensions.unaccent('extensions.unaccent'::regdictionary,
          rtrim(left(replace(f.given, ' ', '.'), 12), '.') || '.' || replace(s.surname1, ' ', ''))) || d.n ||
          (array['@gmail.com', '@hotmail.example', '@correo.example'])[1 + d.n % 3] end as email
      from drawn d
      join lab.names f on f.n = d.given join lab.names s on s.n = d.surname1 join lab.names t on t.n = d.surname2`,
    values: [guests, reservations],
  },
  { sql: 'create unique index on lab.guests (n)' },
  { sql: 'analyze lab.guests' },
  {
    sql: `update lab.guests g set first_name = o.first_name, last_name = o.last_name
      from lab.guests o where g.n % 50 = 1 and o.n = g.n - 1`,
  },
  {
    // The total comes out exactly: those with five and more give or take what is too much or too few.
    name: 'their number of bookings',
    sql: `with wrong as (select sum(bookings) - $1::bigint as n from lab.guests),
      many as (select n from lab.guests where bookings between 5 and 290 order by n
        limit (select count(*) from lab.guests where bookings between 5 and 290)),
      share as (select w.n / greatest(1, (select count(*) from many)) as each,
        mod(w.n, greatest(1, (select count(*) from many))) as rest from wrong w),
      numbered as (select m.n, row_number() over (order by m.n) as place from many m)
      update lab.guests g set bookings = g.bookings
        - (s.each + case when m.place <= abs(s.rest) then sign(s.rest) else 0 end)::integer
      from numbered m cross join share s where g.n = m.n`,
    values: [reservations],
  },
]
