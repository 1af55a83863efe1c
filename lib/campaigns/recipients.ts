import 'server-only'
import type { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { SEPARATORS } from '@/lib/csv/cells'
import { csvDownload } from '@/lib/csv/download'
import { unwrap } from '@/lib/db/errors'
import { parseRows } from '@/lib/db/rows'
import { serviceDb } from '@/lib/db/service'
import { pageOf } from '@/lib/http/cursor'
import { HttpError } from '@/lib/http/errors'
import { decodeInstantCursor, encodeInstantCursor } from '@/lib/http/instant'
import enReasons from '@/lib/i18n/en/client/message-reasons.json'
import esReasons from '@/lib/i18n/es/client/message-reasons.json'
import type { RecipientOutcome } from './limits'
import { type CampaignRecipient, recipientSchema, type recipientsQuery } from './outcomes-schema'
import { getCampaign } from './reads'
import en from './recipients-header/en.json'
import es from './recipients-header/es.json'

type Reader = Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>
type Query = z.infer<typeof recipientsQuery>
type Page = { data: CampaignRecipient[]; next_cursor: string | null }

const CHUNK = 1000

/**
 * A keyset page of a campaign's messages with their guests, in the locations the caller works in, the newest first.
 * @throws HttpError 404 when there is no such campaign that the caller may see.
 */
export async function listRecipients(
  session: Reader,
  id: string,
  { cursor, limit = 50, outcome }: Partial<Pick<Query, 'cursor' | 'limit' | 'outcome'>> = {},
): Promise<Page> {
  const before = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  await getCampaign(session, id)
  const parameters = {
    p_organization: session.organization.id,
    p_campaign: id,
    p_outcome: outcome,
    p_locations: (await boundTo(session)) ?? undefined,
    p_before: before?.key,
    p_before_id: before?.id,
    p_limit: limit + 1,
  }
  const rows = parseRows(recipientSchema, unwrap(await serviceDb().rpc('campaign_recipients', parameters)))
  return pageOf(rows, limit, (last) => encodeInstantCursor(last.created_at, last.id))
}

const WORDS = { es: { ...es, reasons: esReasons }, en: { ...en, reasons: enReasons } }
type Words = (typeof WORDS)['es']

const CELLS: Record<keyof typeof es.columns, (recipient: CampaignRecipient, words: Words) => string> = {
  id: (r) => r.customer_id ?? '',
  name: (r) => r.customer_name ?? '',
  channel: (r, { channels }) => channels[r.channel],
  step: (r) => String(r.step),
  variant: (r) => r.variant.toUpperCase(),
  outcome: (r, { outcomes }) => outcomes[r.outcome],
  reason: (r, { reasons }) => (r.reason && (reasons as Record<string, string>)[r.reason]) || (r.reason ?? ''),
  sent_at: (r) => r.sent_at ?? '',
  opened: (r, words) => words[r.opened ? 'yes' : 'no'],
  clicked: (r, words) => words[r.clicked ? 'yes' : 'no'],
  unsubscribed: (r, words) => words[r.unsubscribed ? 'yes' : 'no'],
}
const NAMES = Object.keys(CELLS) as (keyof typeof CELLS)[]

/**
 * The same recipients as a CSV download, in chunks. The audit log records the person, the filter and the number of rows.
 * @throws HttpError 404; 403 without access to customers; 429 for more than ten an hour.
 */
export async function exportRecipients(
  session: Reader,
  id: string,
  { outcome, language }: { outcome?: RecipientOutcome | undefined; language: keyof typeof WORDS },
): Promise<Response> {
  await getCampaign(session, id)
  const logged = { p_campaign: id, p_filters: outcome ? { outcome } : {} }
  const started = unwrap(await session.db.rpc('log_recipients_export', logged))
  if (!started) throw new HttpError('FORBIDDEN')
  const words = WORDS[language]
  return csvDownload({
    fileName: `recipients-${new Date().toISOString().slice(0, 10)}.csv`,
    separator: SEPARATORS[language],
    header: NAMES.map((name) => words.columns[name]),
    page: (cursor?: string) => listRecipients(session, id, { cursor, outcome, limit: CHUNK }),
    row: (recipient) => NAMES.map((name) => CELLS[name](recipient, words)),
    ended: async (rows) => unwrap(await session.db.rpc('end_export', { p_export: started, p_rows: rows })),
  })
}
