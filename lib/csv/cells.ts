/** Matches text that a spreadsheet would run as a formula, except a phone number in E.164. */
const FORMULA = /^(?!\+\d{4,15}$)[=+\-@\t\r]/
const ESCAPED = /^'(?=[=+\-@\t\r])/

/**
 * Escapes a cell so that no spreadsheet runs it as a formula: text that begins with `=`, `+`, `-`, `@`, tab or CR gets
 * a leading apostrophe. A `+` followed by digits only is unchanged: it is a harmless phone number, which other programs
 * would not accept with an apostrophe.
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

/** One line of a CSV file with CRLF, its cells escaped and quoted where necessary. */
export function csvLine(cells: readonly string[], separator: string = SEPARATORS.es): string {
  return `${cells.map((cell) => quote(escapeCell(cell), separator)).join(separator)}\r\n`
}

function quote(cell: string, separator: string): string {
  const quoted = cell.includes(separator) || /["\r\n\t]|^\s|\s$/.test(cell)
  return quoted ? `"${cell.replaceAll('"', '""')}"` : cell
}
