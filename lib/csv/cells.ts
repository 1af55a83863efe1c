/** Text that a spreadsheet would run as a formula, except a phone number in E.164. */
const FORMULA = /^(?!\+\d{4,15}$)[=+\-@\t\r]/
const ESCAPED = /^'(?=[=+\-@\t\r])/

/**
 * A cell that no spreadsheet runs as a formula: what begins with `=`, `+`, `-`, `@`, tab or CR gets a leading
 * apostrophe. A `+` followed by digits only stays: it is a phone number, harmless, and other programs would not
 * accept it with an apostrophe.
 */
export function escapeCell(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value
}

/** Removes the apostrophe that `escapeCell` adds, so that our own files can be imported. */
export function unescapeCell(value: string): string {
  return value.replace(ESCAPED, '')
}

/** The cell separator that spreadsheets expect by language: no comma where it is the decimal mark. */
export const SEPARATORS = { es: ';', en: ',' } as const

/** One line of a CSV file, ended by CRLF, its cells escaped and quoted where they must be. */
export function csvLine(cells: readonly string[], separator: string = SEPARATORS.es): string {
  return `${cells.map((cell) => quote(escapeCell(cell), separator)).join(separator)}\r\n`
}

function quote(cell: string, separator: string): string {
  const quoted = cell.includes(separator) || /["\r\n\t]|^\s|\s$/.test(cell)
  return quoted ? `"${cell.replaceAll('"', '""')}"` : cell
}
