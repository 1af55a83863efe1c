/** A name for a value and how it stands in JSON; `raw` because half of them JSON.stringify would mend. */
export interface Hostile {
  name: string
  json: string
}

const of = (name: string, value: unknown): Hostile => ({ name, json: JSON.stringify(value) })

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const NUMBERS = [
  of('NaN', 'NaN'),
  of('infinity', 'Infinity'),
  of('-infinity', '-Infinity'),
  { name: '2^63', json: '9223372036854775808' },
  { name: 'a number of 400 digits', json: `1${'0'.repeat(399)}` },
]
const INTEGERS = [...NUMBERS, of('2^31', 2 ** 31), of('the largest integer', 2 ** 31 - 1)]
const TIMES = [
  of('infinity', 'infinity'),
  of('-infinity', '-infinity'),
  of('the year 20000', '20000-01-01'),
  of('the year 4000 before', '4000-01-01 BC'),
]
const LONG = of('30 kB', 'x'.repeat(30_000))
/** Costly to send: for one argument of each function. */
export const HUGE = of('10 MB', 'x'.repeat(10_000_000))
const ARRAYS = [
  of('an array of null', [null]),
  of('an array of arrays', [['x'], ['y']]),
  of(
    '100,000 elements',
    Array.from({ length: 100_000 }, () => '00000000-0000-4000-8000-000000000000'),
  ),
]
const DOCUMENTS = [
  { name: '20,000 levels', json: deep(20_000) },
  { name: '1,000 levels', json: deep(1000) },
  of(
    '100,000 elements',
    Array.from({ length: 100_000 }, () => ({ a: null })),
  ),
]

/** What no column of the type may take. Types as Postgres' format_type names them. */
export function unstorable(type: string): Hostile[] {
  if (type.endsWith('[]')) return ARRAYS
  if (type === 'integer') return INTEGERS
  if (/^(bigint|smallint|numeric|double precision)/.test(type)) return NUMBERS
  if (/^(date|timestamp)/.test(type)) return TIMES
  if (type.startsWith('time ')) return [of('24:00', '24:00:00')]
  if (type === 'jsonb') {
    const object = { name: '1,000 levels in an object', json: `{"a":${deep(1000)}}` }
    const large = of('17 MB in an object', { a: 'x'.repeat(17_000_000) })
    return [object, large, { name: '1,000 levels', json: deep(1000) }]
  }
  if (type === 'text') return [{ name: 'NUL', json: '"a\\u0000b"' }, LONG]
  return []
}

/** What an argument of the type is tried with: the same and what is only strange. */
export function hostileArguments(type: string): Hostile[] {
  const own = type === 'jsonb' ? [...DOCUMENTS, LONG] : unstorable(type)
  const strange = [of('null', null), of('a newline', 'a\nb')]
  const marks = [of('right to left', '\u202Exx'), { name: 'half a pair', json: '"\\ud800"' }, of('-1', -1)]
  return [...own, ...strange, ...marks]
}
