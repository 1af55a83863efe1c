import 'server-only'
import { z } from 'zod'
import type { Json } from '@/lib/db/database.types'
import { DatabaseError, unwrap } from '@/lib/db/errors'
import { type HalvingBudget, saveByHalves } from '@/lib/db/save-by-halves'
import { serviceDb } from '@/lib/db/service'
import type { Consent } from './consents'
import type { ImportRow } from './parse-row'
import type { ParsedFile, RowError } from './read-csv'
import { sentence } from './reasons'
import type { ImportStatus } from './schema'

/** E-mails and phones of one known customer, former ones included. */
export type Link = readonly string[]

/** The importing person, and the location that the customers are linked to, if any. */
export interface ImportTarget {
  organizationId: string
  profileId: string
  locationId: string | null
  fileName: string
  /** The basis for marketing that the importing person declares. */
  consent: Consent
}

/** The maximum number of error lines in the log. */
const KEPT_ERRORS = 200
const ATTEMPTS = 3
const UNIQUE_VIOLATION = '23505'

const linksSchema = z.array(z.array(z.string()))
const savedSchema = z.union([
  z.object({ running: z.literal(false) }),
  z.object({ running: z.literal(true), created: z.number(), updated: z.number(), unchanged: z.number() }),
])

/** Creates the log entry of an import, after the file has been read. Returns its id. */
export async function openImport(
  { organizationId, profileId, locationId, fileName, consent }: ImportTarget,
  { total, failed, incomplete }: ParsedFile,
  failedRows: number,
  lines: readonly string[],
  now: Date,
): Promise<string> {
  const run = {
    organization_id: organizationId,
    profile_id: profileId,
    location_id: locationId,
    file_name: fileName,
    consent,
    total,
    processed: failedRows,
    incomplete,
    error_count: lines.length,
    errors: lines.slice(0, KEPT_ERRORS),
    failed_rows: failed.rows.length > 0 ? { ...failed } : null,
    failed_row_count: failed.rows.length,
    started_at: now.toISOString(),
  }
  return unwrap(await serviceDb().from('import_runs').insert(run).select('id').single())?.id ?? ''
}

/** The groups of the file's e-mails and phones that belong to one known customer. */
export async function findLinks(organizationId: string, rows: readonly ImportRow[]): Promise<Link[]> {
  const parameters = {
    p_organization: organizationId,
    p_emails: rows.flatMap(({ email }) => email ?? []),
    p_phones: rows.flatMap(({ phone }) => phone ?? []),
  }
  return linksSchema.parse(unwrap(await serviceDb().rpc('import_links', parameters)))
}

/**
 * Saves a chunk in one transaction; in smaller ones where the database refuses a row, so that only that row fails.
 * Null when the import has been cancelled: then it saves nothing. Else the refused rows, each with its reason.
 * @throws DatabaseError; rows saved before stay.
 */
export async function saveRows(
  id: string,
  rows: readonly ImportRow[],
  budget: HalvingBudget,
): Promise<RowError[] | null> {
  const refused: RowError[] = []
  let running = true
  const save = async (part: ImportRow[]) => {
    running &&= await saveOnce(id, part)
  }
  const refuse = ({ line }: ImportRow, reason: string) => {
    refused.push({ line, message: sentence('refused', { problem: reason }) })
  }
  await saveByHalves(rows, save, refuse, budget)
  return running ? refused : null
}

async function saveOnce(id: string, rows: readonly ImportRow[]): Promise<boolean> {
  const parameters = { p_import: id, p_rows: rows as unknown as Json }
  for (let attempt = 1; ; attempt++) {
    const answer = await serviceDb().rpc('import_customers', parameters)
    // A customer with one of these e-mails was created at the same time: the next attempt finds it.
    if (answer.error?.code === UNIQUE_VIOLATION && attempt < ATTEMPTS) continue
    if (answer.error) throw new DatabaseError(answer.error)
    return savedSchema.parse(answer.data).running
  }
}

/** Closes the log (`processed` null: keeps the stored count). A cancelled import stays cancelled. */
export async function closeImport(
  id: string,
  status: Exclude<ImportStatus, 'running'>,
  lines: readonly string[],
  processed: number | null,
  now: Date,
): Promise<void> {
  const runs = () => serviceDb().from('import_runs')
  const dealtWith = processed === null ? {} : { processed }
  const errors = { ...dealtWith, error_count: lines.length, errors: lines.slice(0, KEPT_ERRORS) }
  unwrap(await runs().update(errors).eq('id', id))
  const over = { status, finished_at: now.toISOString() }
  unwrap(await runs().update(over).eq('id', id).eq('status', 'running'))
}
