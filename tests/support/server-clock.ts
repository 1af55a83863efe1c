import { readFileSync } from 'node:fs'

const FOUNDATION = new URL('../../supabase/logic/foundation/foundation.sql', import.meta.url)
const HEAD = 'function private.clock(p_given timestamptz) returns timestamptz\nlanguage sql stable'

/**
 * The statement by which a test's database works with the app's clock, which a test may stop, also in a person's calls.
 * The product's function ignores a person's clock: `ofProduct` brings it back.
 */
export const OF_TESTS = `create or replace ${HEAD} set search_path = '' as $$ select p_given $$`

/** The product's own function, for a test of what a person's clock can do. */
export function ofProduct(): string {
  const text = readFileSync(FOUNDATION, 'utf8')
  const start = text.indexOf(`create or replace ${HEAD}`)
  const end = text.indexOf('$$;', start)
  if (start < 0 || end < 0) throw new Error('private.clock is not where it was')
  return text.slice(start, end + 3)
}
