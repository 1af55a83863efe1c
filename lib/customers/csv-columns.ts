import type { Channel } from '@/lib/messaging/schema'
import enConsent from './csv-consent/en.json'
import esConsent from './csv-consent/es.json'
import en from './csv-header/en.json'
import es from './csv-header/es.json'
import type { Customer } from './schema'

/** What a row is made with besides the customer. */
interface RowContext {
  /** Names of locations by id. */
  locations: Map<string, string>
  language: CsvLanguage
}

const text = (value: string | null) => value ?? ''
const HEADERS = { es, en }
const CONSENT = { es: esConsent, en: enConsent }
const DECIMAL_MARKS = { es: ',', en: '.' }
export type CsvLanguage = keyof typeof HEADERS

const consent =
  (channel: Channel) =>
  ({ consent }: Customer, { language }: RowContext): string =>
    CONSENT[language][consent[channel].opted_out ? 'opted_out' : consent[channel].basis]

// The headers of names, contact and birthday are among those that an import recognises.
const COLUMNS: Record<
  Exclude<keyof typeof es, 'yes' | 'no'>,
  (customer: Customer, context: RowContext) => string
> = {
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
  spend: (c, { language }) => c.total_spend.toFixed(2).replace('.', DECIMAL_MARKS[language]),
  spend_is_estimate: (c, { language }) => HEADERS[language][c.spend_is_estimate ? 'yes' : 'no'],
  points: (c) => String(c.points),
  last_visit: (c) => text(c.last_visit_at?.slice(0, 10) ?? null),
  location: (c, { locations }) => locations.get(c.location_id ?? '') ?? '',
  source: (c) => text(c.source),
  created: (c) => c.created_at.slice(0, 10),
  notes: (c) => text(c.notes),
  consent_email: consent('email'),
  consent_sms: consent('sms'),
  consent_whatsapp: consent('whatsapp'),
}
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** The first line of the export. */
export const csvHeader = (language: CsvLanguage): string[] => NAMES.map((name) => HEADERS[language][name])

/** A customer as a line of the export. */
export const csvRow = (customer: Customer, context: RowContext): string[] =>
  NAMES.map((name) => COLUMNS[name](customer, context))
