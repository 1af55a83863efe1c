import metadata from 'libphonenumber-js/max/metadata'
import { digitMachine, type Machine, type State } from './digit-machine'

// The beginnings of phone numbers that belong to fixed lines, from the metadata of libphonenumber-js: SQL has no such
// library, and decides about messages.

type Types = readonly ([pattern?: string, ...unknown[]] | 0 | null | undefined)[]
const { country_calling_codes: codes, countries } = metadata as unknown as {
  country_calling_codes: Record<string, string[]>
  countries: Record<string, { 2: string; 11?: Types }>
}

// The places of the types in the metadata.
const [FIXED, MOBILE] = [0, 1]
const [TOLL_FREE, PREMIUM, SHARED_COST] = [2, 3, 9]
/** What takes no SMS beside fixed lines: in Spain all that begins with 8 or 9, but for the mobile numbers in there. */
const AS_FIXED: Readonly<Record<string, readonly number[]>> = { ES: [TOLL_FREE, PREMIUM, SHARED_COST] }
/** Digits behind the code of the country. More would find few further numbers in more text. */
const DEPTH = 4
const HOME = { code: '34', depth: 7 }

/**
 * The shortest beginnings, as digits of E.164, of which every number that is assigned is of a fixed line: no pattern of
 * another kind can match behind them. Where a number may be of either kind, there is none.
 */
export function landlines(): string[] {
  return Object.entries(codes).flatMap(([code, regions]) => {
    const fixed: Machine[] = []
    const others: Machine[] = []
    for (const region of regions) {
      const { 2: any, 11: types = [[any]] } = countries[region] ?? { 2: '' }
      // Without a pattern of its own, mobile is the same as fixed.
      const isEither = !patternOf(types[MOBILE])
      for (const [type, one] of types.entries()) {
        const pattern = patternOf(one)
        const isFixed = type === FIXED ? !isEither : AS_FIXED[region]?.includes(type)
        if (pattern) (isFixed ? fixed : others).push(digitMachine(pattern))
      }
    }
    const depth = code === HOME.code ? HOME.depth : DEPTH
    return surely(
      { machines: fixed, states: starts(fixed) },
      { machines: others, states: starts(others) },
      depth,
    ).map((digits) => code + digits)
  })
}

const patternOf = (type: Types[number]): string | undefined => (type ? type[0] : undefined) || undefined
const starts = (machines: readonly Machine[]) => machines.map(({ start }) => start)

interface Running {
  machines: readonly Machine[]
  states: readonly State[]
}
const isOver = ({ states }: Running) => states.every((state) => state.size === 0)
const after = ({ machines, states }: Running, digit: string): Running => ({
  machines,
  states: machines.map((machine, n) => machine.step(states[n] ?? new Set(), digit)),
})

function surely(fixed: Running, others: Running, depth: number): string[] {
  if (isOver(fixed)) return []
  if (isOver(others)) return ['']
  if (depth === 0) return []
  return [...'0123456789'].flatMap((digit) =>
    surely(after(fixed, digit), after(others, digit), depth - 1).map((rest) => digit + rest),
  )
}

/** A regular expression for texts that begin with one of these digits; branches that end alike are one. */
export function beginningWith(texts: readonly string[]): string {
  if (texts.includes('')) return ''
  const rests = new Map<string, string[]>()
  for (const text of texts) rests.set(text[0] ?? '', [...(rests.get(text[0] ?? '') ?? []), text.slice(1)])
  const branches = new Map<string, string>()
  for (const [digit, rest] of [...rests].toSorted()) {
    const tail = beginningWith(rest)
    branches.set(tail, (branches.get(tail) ?? '') + digit)
  }
  const parts = [...branches].map(([tail, digits]) => oneOf(digits) + tail)
  return parts.length === 1 ? (parts[0] ?? '') : `(?:${parts.join('|')})`
}

/** One of the digits, which are in order. */
function oneOf(digits: string): string {
  if (digits.length === 1) return digits
  const runs: string[] = []
  for (const digit of digits) {
    const run = runs.at(-1)
    if (run !== undefined && Number(run.at(-1)) + 1 === Number(digit)) runs[runs.length - 1] = run + digit
    else runs.push(digit)
  }
  return `[${runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run)).join('')}]`
}

const WIDTH = 102

/** The text of supabase/logic/messages/landlines.sql. */
export function landlinesSql(): string {
  const all = landlines()
  // By the first digit: a session reads each pattern once, which takes it longer than the patterns are long.
  const branches = [...'123456789'].flatMap((first) => {
    const behind = all.filter((digits) => digits.startsWith(first))
    const lines = `^\\+${beginningWith(behind)}`.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? []
    const text = lines.map((line) => `      '${line}'`).join('\n')
    return behind.length === 0 ? [] : [`    when p_phone like '+${first}%' then p_phone ~\n${text}`]
  })
  return `-- Written by \`npm run gen:landlines\` from the metadata of libphonenumber-js, which its update changes.
-- A rule and no column: phones are written by forms, imports, syncs, merges and their undoing.

create or replace function private.is_landline(p_phone text) returns boolean
-- In plpgsql, as consent_basis: the patterns would stand in each statement that asks.
language plpgsql immutable set search_path = ''
as $$
begin
  -- Most guests have a Spanish mobile.
  return case when p_phone like '+346%' then false
${branches.join('\n')}
    else false end;
end
$$;
comment on function private.is_landline(text) is
  'Whether a number (E.164) is surely of a fixed line, which takes no SMS. False where it may be a mobile, and for what is no number.';
grant execute on function private.is_landline(text) to service_role;
`
}
