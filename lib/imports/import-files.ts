import 'server-only'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@/lib/auth/session'
import { slugOf } from '@/lib/brands/schema'
import { unwrap } from '@/lib/db/errors'
import { env } from '@/lib/env'
import type { HttpError } from '@/lib/http/errors'
import { DEFAULT_CONSENT } from './consents'
import { IMPORT_FILES } from './files'
import { csvReader, type ParsedFile } from './read-csv'
import { runImport } from './run-import'
import type { Report } from './schema'

type Detail = Report['details'][number]

/** A file of the import, and the name of its location; `id` where the caller works there. */
interface ImportFile {
  file: string
  location: string
  id?: string
}

/**
 * POST /api/admin/import-csv without a form: imports the five predefined files, and those of the group's other locations
 * that are in IMPORT_DIR, one after another, each for its location. It skips a file that is missing, has no known header,
 * or is for a location where the caller does not work; the file's status is the reason.
 */
export async function importFiles(session: Session, signal: AbortSignal) {
  const locations = unwrap(await session.db.from('locations').select('id, name').order('name')) ?? []
  const details: Detail[] = []
  for (const file of await filesToImport(locations)) details.push(await importFile(session, file, signal))
  const sum = (field: 'imported' | 'errors') => details.reduce((total, detail) => total + detail[field], 0)
  const report: Report = { details, totalSuccess: sum('imported'), totalErrors: sum('errors') }
  return { success: true, report }
}

/** The predefined files, whose report the contract fixes, then those of other locations, where there are any. */
async function filesToImport(locations: { id: string; name: string }[]): Promise<ImportFile[]> {
  const own = env().IMPORT_DIR === '' ? [] : filesOf(locations)
  const predefined = IMPORT_FILES.map(({ file, location }): ImportFile => {
    const found = locations.find(({ name }) => name === location)
    if (found) return { file, location, id: found.id }
    return own.find((one) => one.file === file) ?? { file, location }
  })
  const others = own.filter(({ file }) => !IMPORT_FILES.some((one) => one.file === file))
  const there = await Promise.all(others.map(({ file }) => exists(file)))
  return [...predefined, ...others.filter((_, index) => there[index])]
}

/** The file of each location, called like it; of two that would share a name the first has it. */
function filesOf<L extends { name: string }>(
  locations: readonly L[],
): (L & { file: string; location: string })[] {
  const files = new Map<string, L & { file: string; location: string }>()
  for (const location of locations) {
    const file = `${slugOf(location.name)}.csv`
    if (file !== '.csv' && !files.has(file)) files.set(file, { ...location, file, location: location.name })
  }
  return [...files.values()]
}

async function importFile(
  session: Session,
  { file, location, id: locationId }: ImportFile,
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
    for await (const chunk of createReadStream(pathOf(name))) reader.push(chunk as Buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  return reader.end()
}

/** A location's file, and whether it exists in the import's folder. */
export interface FoundFile {
  file: string
  location: string
  found: boolean
}

/** The files of these locations in IMPORT_DIR, and whether each exists; null without that setting. */
export async function findFiles(
  locations: readonly { name: string }[],
): Promise<{ directory: string; files: FoundFile[] } | null> {
  const directory = env().IMPORT_DIR
  if (directory === '') return null
  const files = filesOf(locations).map(async ({ file, location }) => ({
    file,
    location,
    found: await exists(file),
  }))
  return { directory, files: await Promise.all(files) }
}

/** Without IMPORT_DIR the folder the app runs in. */
const pathOf = (file: string) => join(/* turbopackIgnore: true */ env().IMPORT_DIR || '.', file)

const exists = (file: string): Promise<boolean> =>
  stat(pathOf(file)).then(
    (entry) => entry.isFile(),
    () => false,
  )
