import Papa from 'papaparse'

/** The cells of a CSV file of ours, line by line, without the byte order mark. */
export function csvRows(text: string, delimiter = ';'): string[][] {
  return Papa.parse<string[]>(text.replace(/^\ufeff/, '').trimEnd(), { delimiter, newline: '\r\n' }).data
}
