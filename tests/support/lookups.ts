import type { Stack } from './stack'

/** How the results of messages find reservations: of few guests one by one, of many by the days (private.by_guest). */
export const LOOKUPS = ['by guest', 'by days'] as const

/** Makes the database choose this one, whatever the number of guests. */
export const lookUp = (sql: Stack['sql'], how: (typeof LOOKUPS)[number]) =>
  sql(`create or replace function private.by_guest(p_guests bigint) returns boolean
    language sql stable set search_path = '' as $$ select ${how === 'by guest'} $$`)
