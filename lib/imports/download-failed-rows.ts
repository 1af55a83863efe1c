import 'server-only'
import { createTranslator } from 'next-intl'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { csvLine, SEPARATORS } from '@/lib/csv/cells'
import { unwrap } from '@/lib/db/errors'
import { HttpError } from '@/lib/http/errors'
import en from '@/lib/i18n/en/client/import.json'
import es from '@/lib/i18n/es/client/import.json'
import type { Locale } from '@/lib/i18n/locales'
import { readReasons } from './error-line'
import { tidyImports } from './tidy-imports'

const failedSchema = z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) })
const BYTE_ORDER_MARK = '\ufeff'
const TEXTS: Record<Locale, typeof es & typeof en> = { es, en }

/**
 * The rows of an import that have a problem, as a CSV download in the reader's language: the columns of the file and
 * the reason, last.
 * @throws HttpError 404 when there is no such import, no row of it had a problem, or they are no longer kept.
 */
export async function downloadFailedRows(
  { db, organization }: Pick<Session, 'db' | 'organization'>,
  id: string,
  language: Locale,
): Promise<Response> {
  await tidyImports(organization.id, new Date())
  const run = unwrap(await db.from('import_runs').select('failed_rows').eq('id', id).maybeSingle())
  if (!run?.failed_rows) throw new HttpError(404, { error: 'Not found' })
  const { columns, rows } = failedSchema.parse(run.failed_rows)
  const messages = { client: { import: TEXTS[language] } }
  const t = createTranslator({ locale: language, namespace: 'client.import', messages })
  const inWords = (text: string) => readReasons(text).map(({ key, count }) => t(`reasons.${key}`, { count }))
  const lines = rows.map((row) => [...row.slice(0, -1), inWords(row.at(-1) ?? '').join('; ')])
  const line = (cells: string[]) => csvLine(cells, SEPARATORS[language])
  // Spreadsheets take a file without the mark for Windows-1252.
  const text = BYTE_ORDER_MARK + [[...columns, t('reason')], ...lines].map(line).join('')
  return new Response(text, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="failed-rows-${id}.csv"`,
    },
  })
}
