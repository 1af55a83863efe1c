// `=`, `+`, `-`, `@` in every width and position that NFKC folds into them, and the minus sign; tab and line ends.
const STARTER =
  '[=+\\-@\\t\\r\\n\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20\u207A-\u207C\u208A-\u208C]'
// A spreadsheet may drop blanks and invisible characters before it looks at the first one.
const BLANK = '[\\s\\p{Cf}]*'
/** Matches text that a spreadsheet would run as a formula, except a phone number in E.164. */
const FORMULA = new RegExp(`^(?!\\+\\d{4,15}$)${BLANK}${STARTER}`, 'u')
const ESCAPED = new RegExp(`^'(?=${BLANK}${STARTER})`, 'u')
/** A cell that means the same with every separator: a number, a date, a time, or a phone number in E.164. */
const PLAIN = /^(\d+([.,]\d+)?|\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d{4}|\d\d:\d\d(:\d\d)?|\+\d{4,15})$/

/**
 * Escapes a cell so that no spreadsheet runs it as a formula: text that begins with `=`, `+`, `-` or `@` (also the
 * full-width ones), a tab or a line end gets a leading apostrophe. A `+` followed by digits only is unchanged: it is a
 * harmless phone number, which other programs would not accept with an apostrophe.
 */
export function escapeCell(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value
}

/** Removes the apostrophe that `escapeCell` adds, so that our own files can be imported. */
export function unescapeCell(value: string): string {
  return value.replace(ESCAPED, '')
}

/** The cell separator that spreadsheets expect in a language: a semicolon where the comma is the decimal mark. */
export const SEPARATORS = { es: ';', en: ',' } as const

/**
 * One line of a CSV file with CRLF, its cells escaped. Every cell is quoted that is not empty, a plain number, a date, a
 * time or a phone number: a file opened with another separator keeps its cells, and none of their ends becomes a formula.
 */
export function csvLine(cells: readonly string[], separator: string = SEPARATORS.es): string {
  return `${cells.map((cell) => quote(escapeCell(cell), separator)).join(separator)}\r\n`
}

function quote(cell: string, separator: string): string {
  const bare = cell === '' || (PLAIN.test(cell) && !cell.includes(separator))
  return bare ? cell : `"${cell.replaceAll('"', '""')}"`
}
