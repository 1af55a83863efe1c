import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { errorText, HttpError, invalidInput } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { CONSENTS, type Consent, DEFAULT_CONSENT } from './consents'
import { getImport } from './import-log'
import { isForm, readUpload } from './read-upload'
import { runImport } from './run-import'
import type { ImportEvent } from './schema'

const NDJSON = 'application/x-ndjson'

/**
 * POST /api/admin/import-csv with a form: imports the file of its field `file` and returns the counts, or with
 * `Accept: application/x-ndjson` each event as a line. When the client disconnects, the import stops at the next chunk.
 * @throws HttpError 400 when the file cannot be imported (no row is written), 413 when the body is too large.
 */
export async function importUpload(request: Request, session: Session): Promise<Response | object> {
  const events = await startImport(request, session)
  if (wantsLines(request)) return streamOf(events, 200)
  let result: object = {}
  for await (const event of events) {
    if (event.type === 'done') result = { total: event.total, imported: event.imported, errors: event.errors }
  }
  return result
}

/**
 * POST /api/imports: imports the file like `importUpload`, and returns the import.
 * @throws HttpError as `importUpload`, and 415 for a body that is not a form.
 */
export async function createImport(request: Request, session: Session): Promise<Response> {
  if (!isForm(request))
    throw new HttpError('UNSUPPORTED_CONTENT_TYPE', { error: 'Content-Type must be multipart/form-data' })
  const events = await startImport(request, session)
  if (wantsLines(request)) return streamOf(events, 201)
  let id = ''
  for await (const event of events) if (event.type === 'started') id = event.import_id
  return Response.json({ data: await getImport(session, id) }, { status: 201 })
}

async function startImport(request: Request, session: Session): Promise<AsyncGenerator<ImportEvent, void>> {
  const { fileName, file, fields } = await readUpload(request, new Date())
  const consent = consentOf(fields.get('consent')?.trim() ?? '')
  const locationId = await locationOf(session, fields.get('location_id')?.trim() ?? '')
  const organizationId = session.organization.id
  const target = { organizationId, profileId: session.user_id, locationId, fileName, consent }
  return runImport(target, file, request.signal)
}

function consentOf(given: string): Consent {
  const known = CONSENTS.find((consent) => consent === given)
  if (!known && given !== '')
    throw invalidInput({ path: 'consent', code: 'unknown_value', message: `one of ${CONSENTS.join(', ')}` })
  return known ?? DEFAULT_CONSENT
}

async function locationOf({ db }: Session, id: string): Promise<string | null> {
  if (id === '') return null
  const unknown = new HttpError('INVALID_INPUT', {
    error: 'Unknown location',
    issues: [{ path: 'location_id', code: 'unknown' }],
  })
  if (!z.guid().safeParse(id).success) throw unknown
  const found = unwrap(await db.from('locations').select('id').eq('id', id).maybeSingle())
  if (!found) throw unknown
  return found.id
}

const wantsLines = (request: Request) => request.headers.get('accept')?.includes(NDJSON) ?? false

/** Streams each event as a line. The import continues only as fast as the client reads. */
function streamOf(events: AsyncGenerator<ImportEvent, void>, status: number): Response {
  const encoder = new TextEncoder()
  const lines = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const line = (event: ImportEvent) => controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
        try {
          const { done, value } = await events.next()
          if (done) controller.close()
          else line(value)
        } catch (error) {
          log().error({ err: error }, 'import failed')
          line({ type: 'failed', error: errorText(error) })
          controller.close()
        }
      },
      cancel: async () => {
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(lines, { status, headers: { 'Content-Type': `${NDJSON}; charset=utf-8` } })
}
