import type { Party } from '@/lib/service/schema'
import type { Stack } from '../support/stack'

/** What a party was after a change. */
export interface State {
  party: string
  status: Party['status']
  table: string | null
  arrived: number | null
  seated: number | null
  finished: number | null
  size: number
  time: string
  late: number | null
  notes: string | null
  /** The first of those with whom it sits. */
  joined: string | null
}

/** What one tap, or a form, made of one party, in the order in which the database took it. */
export interface Change {
  seq: number
  /** Its transaction; 0: it was so when the witness began. */
  tx: number
  /** When the transaction began, by which the rules go, and when the change was made. */
  began: number
  at: number
  state: State
  /** The key of the tap, also for the other parties of a join; null for a form's. */
  key: string | null
}

const FIELDS = `jsonb_build_object('party', r.id, 'status', r.status, 'table', r.table_name,
  'arrived', pg_catalog.date_part('epoch', r.arrived_at) * 1000, 'seated', pg_catalog.date_part('epoch', r.seated_at) * 1000,
  'finished', pg_catalog.date_part('epoch', r.finished_at) * 1000, 'size', r.party_size,
  'time', to_char(r.reservation_time, 'HH24:MI'), 'late', r.late_minutes, 'notes', nullif(btrim(r.notes), ''),
  'joined', r.joined_to)`

/** Has the database write down every change of a reservation and every tap that it takes, beginning with the day's. */
export async function startWitness(sql: Stack['sql'], day: string): Promise<void> {
  await sql('create schema witness')
  await sql(`create table witness.lines (seq bigint generated always as identity, tx bigint default txid_current(),
    began timestamptz default now(), at timestamptz default clock_timestamp(), party uuid, key uuid, state jsonb)`)
  await sql(`create function witness.note_party() returns trigger language plpgsql security definer as $$
    declare r public.reservations := new;
    begin insert into witness.lines (party, state) values (r.id, ${FIELDS}); return null; end $$`)
  await sql(`create function witness.note_tap() returns trigger language plpgsql security definer as $$
    begin
      insert into witness.lines (party, key) select new.reservation_id, new.key
        union all select (o ->> 'id')::uuid, new.key from jsonb_array_elements(new.others) as o;
      return null;
    end $$`)
  await sql(`create trigger witness after insert or update on public.reservations
    for each row execute function witness.note_party()`)
  await sql(`create trigger witness after insert on private.service_taps
    for each row execute function witness.note_tap()`)
  await sql(
    `insert into witness.lines (tx, party, state) select 0, r.id, ${FIELDS} from public.reservations r
    where r.service_date = $1`,
    [day],
  )
}

/** Every change of a party since the witness began, and what each was at its beginning. */
export async function readWitness(sql: Stack['sql']): Promise<Change[]> {
  const rows = await sql<Change & { party: string }>(
    `select seq::float8 as seq, tx::float8 as tx, extract(epoch from began)::float8 * 1000 as began,
       extract(epoch from at)::float8 * 1000 as at, party::text, key::text, state from witness.lines order by seq`,
  )
  const changes: Change[] = []
  const open = new Map<string, Change>()
  for (const { party, state, key, ...line } of rows) {
    const id = `${line.tx} ${party}`
    const before = open.get(id)
    if (state) open.set(id, { ...line, state, key: null })
    else if (before) changes.push({ ...before, key })
    if (!state) open.delete(id)
  }
  return [...changes, ...open.values()].sort((one, other) => one.seq - other.seq)
}

/** The changes that others can see: the last one of each party in a transaction. */
export function visible(changes: readonly Change[]): Change[] {
  const last = new Map(changes.map((change) => [`${change.tx} ${change.state.party}`, change]))
  return [...last.values()].sort((one, other) => one.seq - other.seq)
}

const ms = (instant: string | null) => (instant === null ? null : Date.parse(instant))

/** The same of a party on a board. */
const boardState = (party: Party): State => ({
  ...{ party: party.id, status: party.status, table: party.table_name, size: party.party_size },
  ...{ arrived: ms(party.arrived_at), seated: ms(party.seated_at), finished: ms(party.finished_at) },
  ...{ time: party.time, late: party.late_minutes, notes: party.notes },
  joined: party.joined_to,
})

const whole = (at: number | null) => (at === null ? null : Math.floor(at))
/** As a text to compare; to the millisecond, which is what a browser keeps. */
export const textOf = (s: State): string =>
  JSON.stringify([
    s.status,
    s.table,
    whole(s.arrived),
    whole(s.seated),
    whole(s.finished),
    s.size,
    s.time,
    s.late,
    s.notes,
    s.joined,
  ])
export const stateOf = (party: Party): string => textOf(boardState(party))
