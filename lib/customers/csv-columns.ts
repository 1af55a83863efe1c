import en from './csv-header/en.json'
import es from './csv-header/es.json'
import type { Customer } from './schema'

/** What a row is made with besides the customer. */
interface RowContext {
  /** Names of locations by id. */
  locations: Map<string, string>
}

const text = (value: string | null) => value ?? ''
const HEADERS = { es, en }
export type CsvLanguage = keyof typeof HEADERS

// The headers of names, contact and birthday are among those that an import recognises.
const COLUMNS: Record<keyof typeof es, (customer: Customer, context: RowContext) => string> = {
  first_name: (c) => text(c.first_name),
  last_name: (c) => text(c.last_name),
  email: (c) => text(c.email),
  phone: (c) => text(c.phone),
  birth_date: (c) => text(c.birth_date),
  company: (c) => text(c.company),
  job_title: (c) => text(c.job_title),
  address: (c) => text(c.address),
  tags: (c) => c.tags.join(', '),
  tier: (c) => text(c.loyalty_tier?.name ?? null),
  visits: (c) => String(c.total_visits),
  spend: (c) => c.total_spend.toFixed(2),
  points: (c) => String(c.points),
  last_visit: (c) => text(c.last_visit_at?.slice(0, 10) ?? null),
  location: (c, { locations }) => locations.get(c.location_id ?? '') ?? '',
  source: (c) => text(c.source),
  created: (c) => c.created_at.slice(0, 10),
  notes: (c) => text(c.notes),
}
const NAMES = Object.keys(COLUMNS) as (keyof typeof es)[]

/** The first line of the export. */
export const csvHeader = (language: CsvLanguage): string[] => NAMES.map((name) => HEADERS[language][name])

/** A customer as a line of the export. */
export const csvRow = (customer: Customer, context: RowContext): string[] =>
  NAMES.map((name) => COLUMNS[name](customer, context))
