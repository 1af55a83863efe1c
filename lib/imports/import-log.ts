import 'server-only'
import { createTranslator } from 'next-intl'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import { unwrap } from '@/lib/db/errors'
import { parseRow, parseRows } from '@/lib/db/rows'
import { serviceDb } from '@/lib/db/service'
import { afterCursor, pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import en from '@/lib/i18n/en/client/import.json'
import es from '@/lib/i18n/es/client/import.json'
import type { Locale } from '@/lib/i18n/locales'
import { readReasons } from './reasons'
import { IMPORT_COLUMNS, type Import, type ImportDetail, importDetailSchema, importSchema } from './schema'

/** A keyset page of the organization's imports, the latest first. */
export async function listImports(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<{ data: Import[]; next_cursor: string | null }> {
  await tidyImports(organization.id, new Date())
  let query = db.from('import_runs').select(IMPORT_COLUMNS).eq('organization_id', organization.id)
  if (cursor) query = query.or(afterCursor('started_at', decodeInstantCursor(cursor), false))
  const found = await query
    .order('started_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(limit + 1)
  const rows = parseRows(importSchema, unwrap(found))
  return pageOf(rows, limit, (last) => encodeInstantCursor(last.started_at, last.id))
}

/**
 * An import with its error lines.
 * @throws HttpError 404 when the caller can see no such import.
 */
export async function getImport(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
): Promise<ImportDetail> {
  await tidyImports(organization.id, new Date())
  const found = await db.from('import_runs').select(`${IMPORT_COLUMNS}, errors`).eq('id', id).maybeSingle()
  const run = parseRow(importDetailSchema, unwrap(found))
  if (!run) throw new HttpError('NOT_FOUND')
  return run
}

const failedSchema = z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })
const TEXTS: Record<Locale, typeof es & typeof en> = { es, en }

/**
 * The rows of an import that have a problem, as a CSV download: the columns of the file, and last the reason in the
 * reader's language.
 * @throws HttpError 404 when there is no such import, no row of it had a problem, or they are no longer kept.
 */
export async function downloadFailedRows(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
  language: Locale,
): Promise<Response> {
  await tidyImports(organization.id, new Date())
  const run = unwrap(await db.from('import_runs').select('failed_rows').eq('id', id).maybeSingle())
  // What cannot be read any more is as good as no longer kept.
  const kept = failedSchema.safeParse(run?.failed_rows).data
  if (!kept) throw new HttpError('NOT_FOUND')
  const { columns, rows } = kept
  const messages = { client: { import: TEXTS[language] } }
  const t = createTranslator({ locale: language, namespace: 'client.import', messages })
  const inWords = (text: string) => readReasons(text).map(({ key, count }) => t(`reasons.${key}`, { count }))
  return csvDownload({
    fileName: `failed-rows-${id}.csv`,
    separator: SEPARATORS[language],
    header: [...columns, t('reason')],
    page: async () => ({ data: rows, next_cursor: null }),
    row: (row) => [...row.slice(0, -1), inWords(row.at(-1) ?? '').join('; ')],
  })
}

/**
 * Cancels a running import: it stops before its next chunk, and saved rows stay.
 * @throws HttpError 404 when the caller can see no such import, 409 when it has ended.
 */
export async function cancelImport(session: Session, id: string): Promise<ImportDetail> {
  const outcome = unwrap(await session.db.rpc('cancel_import', { p_import: id }))
  if (outcome === 'unknown') throw new HttpError('NOT_FOUND')
  if (outcome !== 'cancelled') throw new HttpError('IMPORT_OVER')
  return getImport(session, id)
}

/** No import runs longer (maxDuration is 5 minutes): if one is still `running` after this, its process died. */
const STALE_MS = 10 * 60_000

/** Closes the organization's imports whose process died, as failed. */
export async function tidyImports(organizationId: string, now: Date): Promise<void> {
  const dead = { status: 'failed', finished_at: now.toISOString() }
  unwrap(
    await serviceDb()
      .from('import_runs')
      .update(dead)
      .eq('organization_id', organizationId)
      .eq('status', 'running')
      .lt('started_at', new Date(now.getTime() - STALE_MS).toISOString()),
  )
}
