import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { DatabaseError, unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { readUpload } from './read-upload'
import { runImport } from './run-import'
import type { ImportEvent } from './schema'

const NDJSON = 'application/x-ndjson'

/**
 * POST /api/admin/import-csv with a form: imports the file of its field `file`; with `location_id` its
 * customers are linked to that location. Answers the counts, or with `Accept: application/x-ndjson` a line an
 * event. A client that goes away cancels the import at the next chunk.
 * @throws HttpError 400 for what cannot be imported (nothing is written), 413 for too large a body.
 */
export async function importUpload(request: Request, session: Session): Promise<Response | object> {
  const { fileName, file, fields } = await readUpload(request, new Date())
  const locationId = await locationOf(session, fields.get('location_id')?.trim() ?? '')
  const target = {
    organizationId: session.organization.id,
    profileId: session.user_id,
    locationId,
    fileName,
  }
  const events = runImport(target, file, request.signal)
  if (request.headers.get('accept')?.includes(NDJSON)) return streamOf(events)
  let result: object = {}
  for await (const event of events) {
    if (event.type === 'done') result = { total: event.total, imported: event.imported, errors: event.errors }
  }
  return result
}

async function locationOf({ db }: Session, id: string): Promise<string | null> {
  if (id === '') return null
  const unknown = new HttpError(400, { error: 'Unknown location' })
  if (!z.uuid().safeParse(id).success) throw unknown
  const found = unwrap(await db.from('locations').select('id').eq('id', id).maybeSingle())
  if (!found) throw unknown
  return found.id
}

/** One line an event, each asked for as the client reads. */
function streamOf(events: AsyncGenerator<ImportEvent, void>): Response {
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
          const message = error instanceof DatabaseError ? error.message : 'Unexpected error'
          line({ type: 'failed', error: message })
          controller.close()
        }
      },
      cancel: async () => {
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(lines, { headers: { 'Content-Type': `${NDJSON}; charset=utf-8` } })
}
