import { createFormatter, createTranslator } from 'next-intl'
import { z } from 'zod'
import { shownName } from '@/lib/customers/person-name'
import en from '@/lib/i18n/en/push.json'
import es from '@/lib/i18n/es/push.json'
import { calendarDate, formats } from '@/lib/i18n/formats'
import { LOCALES, type Locale } from '@/lib/i18n/locales'
import { PUSH_KINDS } from './kinds'

const TEXTS: Record<Locale, { push: typeof es }> = { es: { push: es }, en: { push: en } }

/** The content of a claimed notice, written by SQL (push.sql). */
export const claimedSchema = z.object({
  id: z.string(),
  kind: z.enum([...PUSH_KINDS, 'test']),
  content: z.object({
    name: z.string().optional(),
    party_size: z.number().optional(),
    date: z.string().optional(),
    time: z.string().optional(),
    table: z.string().optional(),
    location: z.string().optional(),
  }),
  tag: z.string(),
  seconds: z.number(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  language: z.enum(LOCALES),
})
export type ClaimedNotice = z.infer<typeof claimedSchema>

/**
 * The notice for `public/sw.js`: `path` is the page that a tap opens, `tag` makes a repeated notice replace the first.
 */
export interface PushPayload {
  title: string
  body: string
  tag: string
  path: string
  lang: Locale
}

/** A notice in the device's language. It is short on personal data, because lock screens show it. */
export function payloadOf({ kind, content, language, tag }: ClaimedNotice): PushPayload {
  const shared = { locale: language, formats, timeZone: 'UTC' }
  const t = createTranslator({ ...shared, namespace: 'push', messages: TEXTS[language] })
  const format = createFormatter(shared)
  const { party_size: covers = 0, table, location = '', time = '' } = content
  const name = content.name ? shownName(content.name) : t('somebody')
  const notice = { tag, lang: language }
  if (kind === 'vip_arrived')
    return {
      ...notice,
      title: t('vip.title', { name, covers }),
      body: table ? t('vip.atTable', { location, time, table }) : t('vip.body', { location, time }),
      path: '/service',
    }
  if (kind === 'large_cancellation') {
    const day = content.date ? format.dateTime(calendarDate(content.date), 'shortDate') : ''
    return {
      ...notice,
      title: t('cancellation.title', { covers }),
      body: t('cancellation.body', { name, day, time, location }),
      path: '/reservations',
    }
  }
  if (kind === 'failed_sync') return { ...notice, title: t('sync.title'), body: t('sync.body'), path: '/' }
  return { ...notice, title: t('test.title'), body: t('test.body'), path: '/account' }
}
