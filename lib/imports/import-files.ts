import 'server-only'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import type { HttpError } from '@/lib/http/errors'
import { DEFAULT_CONSENT } from './consents'
import { IMPORT_FILES } from './files'
import { csvReader, type ParsedFile } from './read-csv'
import { runImport } from './run-import'
import type { Report } from './schema'

type Detail = Report['details'][number]
type ImportFile = (typeof IMPORT_FILES)[number]

/**
 * POST /api/admin/import-csv without a form: imports the five predefined files from IMPORT_DIR, one after
 * another, each for its location. It skips a file that is missing, has no known header, or is for a location where
 * the caller does not work; the file's status is the reason.
 */
export async function importFiles(session: Session, signal: AbortSignal) {
  const names = IMPORT_FILES.map(({ location }) => location)
  const found = unwrap(await session.db.from('locations').select('id, name').in('name', names)) ?? []
  const details: Detail[] = []
  for (const file of IMPORT_FILES) {
    const location = found.find(({ name }) => name === file.location)
    details.push(await importFile(session, file, location?.id, signal))
  }
  const sum = (field: 'imported' | 'errors') => details.reduce((total, detail) => total + detail[field], 0)
  const report: Report = { details, totalSuccess: sum('imported'), totalErrors: sum('errors') }
  return { success: true, report }
}

async function importFile(
  session: Session,
  { file, location }: ImportFile,
  locationId: string | undefined,
  signal: AbortSignal,
): Promise<Detail> {
  const skipped = (status: string, errors = 0) => ({ file, location, imported: 0, errors, status })
  if (signal.aborted) return skipped('Skipped - Cancelled')
  const parsed = await readFile(file)
  if (!parsed) return skipped('Skipped - Not Found')
  if (!locationId) return skipped('Skipped - Unknown Location')
  if ('problem' in parsed) return skipped(`Skipped - ${parsed.problem.message}`, 1)
  const organizationId = session.organization.id
  const target = {
    organizationId,
    profileId: session.user_id,
    locationId,
    fileName: file,
    consent: DEFAULT_CONSENT,
  }
  const detail: Detail = { file, location, imported: 0, errors: 0 }
  for await (const event of runImport(target, parsed, signal)) {
    if (event.type !== 'done') continue
    detail.imported = event.imported
    detail.errors = event.errors.length
  }
  return detail
}

async function readFile(name: string): Promise<ParsedFile | { problem: HttpError } | null> {
  const reader = csvReader(new Date())
  try {
    const path = join(/* turbopackIgnore: true */ env().IMPORT_DIR, name)
    for await (const chunk of createReadStream(path)) reader.push(chunk as Buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  return reader.end()
}

/** One of the predefined files, and whether it exists in the import's directory. */
export interface FoundFile {
  file: string
  location: string
  found: boolean
}

/** The predefined files, whether each exists, and their directory; null for the project's root. */
export async function findFiles(): Promise<{ directory: string | null; files: FoundFile[] }> {
  const directory = env().IMPORT_DIR
  const files = IMPORT_FILES.map(async ({ file, location }) => {
    const found = await stat(join(/* turbopackIgnore: true */ directory, file)).then(
      (entry) => entry.isFile(),
      () => false,
    )
    return { file, location, found }
  })
  return { directory: directory === '.' ? null : directory, files: await Promise.all(files) }
}
