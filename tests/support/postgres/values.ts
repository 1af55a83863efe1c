import { types } from 'pg'

type Parser = (text: string) => unknown

const asText: Parser = (text) => text
const integer: Parser = (text) => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
const numeric: Parser = (text) => {
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}

// Arrays are named by number: pg has no names for them.
const TEXT_ARRAY: number = 1009
const texts: (text: string) => string[] = types.getTypeParser(TEXT_ARRAY)

const PARSERS = new Map<number, Parser>([
  [types.builtins.INT8, integer],
  [1016, (text) => texts(text).map(integer)],
  [types.builtins.NUMERIC, numeric],
  [types.builtins.DATE, asText],
  [1182, texts],
  [types.builtins.TIMESTAMP, asText],
  [1115, texts],
  [types.builtins.TIMESTAMPTZ, asText],
  [1185, texts],
  [types.builtins.INTERVAL, asText],
])

/** How `pg` reads values here: as the embedded stack gives them. */
export const getTypeParser: typeof types.getTypeParser = (oid: number, format?: unknown) =>
  PARSERS.get(oid) ?? types.getTypeParser(oid, format as 'text')
