/** What a spreadsheet would take for a formula, a phone number in E.164 excepted. */
const FORMULA = /^(?!\+\d{4,15}$)[=+\-@\t\r]/
const ESCAPED = /^'(?=[=+\-@\t\r])/

/**
 * A cell that no spreadsheet runs as a formula: what begins with `=`, `+`, `-`, `@`, tab or CR gets a leading
 * apostrophe. A `+` with nothing but digits stays as it is: it is a phone number, it can compute nothing, and
 * with an apostrophe no other program would take it.
 */
export function escapeCell(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value
}

/** Takes back what `escapeCell` put before a cell, so that our own files can be read again. */
export function unescapeCell(value: string): string {
  return value.replace(ESCAPED, '')
}

/** What spreadsheets of a language take for the end of a cell: where numbers have a decimal comma, no comma. */
export const SEPARATORS = { es: ';', en: ',' } as const

/** One line of a CSV file, ended by CRLF, its cells escaped and quoted where they must be. */
export function csvLine(cells: readonly string[], separator: string = SEPARATORS.es): string {
  return `${cells.map((cell) => quote(escapeCell(cell), separator)).join(separator)}\r\n`
}

function quote(cell: string, separator: string): string {
  const quoted = cell.includes(separator) || /["\r\n\t]|^\s|\s$/.test(cell)
  return quoted ? `"${cell.replaceAll('"', '""')}"` : cell
}
