import 'server-only'
import type { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { exampleUnsubscribe, renderSample } from '@/lib/automations/preview'
import { addDays } from '@/lib/dates'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { withUnsubscribe } from '@/lib/email-design/render'
import { HttpError } from '@/lib/http/errors'
import { missingLink, textWithLink } from '@/lib/messaging/email-foot'
import { smsOptOut } from '@/lib/messaging/opt-out-line'
import { providersFor } from '@/lib/messaging/providers'
import { type Content, type Facts, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { spoken } from '@/lib/messaging/spoken'
import type { SentMessage, sentQuery } from './outcomes-schema'
import { getCampaign } from './reads'
import type { Campaign } from './schema'

const frozenSchema = factsSchema
  .pick({ organization_name: true, group_language: true, location_name: true, tier: true })
  .extend({ template: templateSchema })

/** An invented guest: whoever looks at a sent message sees no real guest's name or links. */
const EXAMPLE_GUEST = { first_name: 'Ana', last_name: 'Ruiz', birth_date: '1988-05-14', total_visits: 4 }
const DAYS_SINCE_VISIT = 30

/**
 * A message of a campaign as it was sent: its template and look as they were approved, for an example guest, of that
 * language where one is asked for. Its HTML is not kept for each guest.
 * @throws HttpError 404 when there is no such message, or the campaign has not begun.
 */
export async function sentMessage(
  session: Pick<Session, 'db' | 'organization'>,
  id: string,
  query: z.infer<typeof sentQuery>,
): Promise<SentMessage> {
  return renderSent(session, await getCampaign(session, id), query)
}

/**
 * The same of a campaign that is read already.
 * @throws as sentMessage
 */
export async function renderSent(
  session: Pick<Session, 'organization'>,
  { messages, started_at }: Campaign,
  { variant, step, language: wanted }: z.infer<typeof sentQuery>,
): Promise<SentMessage> {
  const message = messages.find((one) => one.step === step && (step > 1 || one.variant === variant))
  if (!message || started_at === null) throw new HttpError('NOT_FOUND')
  const db = serviceDb()
  const asked = { p_organization: session.organization.id, p_automation: message.id }
  const frozen = frozenSchema.parse(unwrap(await db.rpc('campaign_template', asked)))
  const { template, ...names } = frozen
  const facts: Facts = {
    ...EXAMPLE_GUEST,
    ...names,
    language: wanted,
    last_visit: addDays(started_at.slice(0, 10), -DAYS_SINCE_VISIT),
    ...{ reservation_date: null, reservation_time: null, party_size: null },
  }
  const { channel } = message
  const link = exampleUnsubscribe('marketing')
  const { sms } = await providersFor(db, session.organization.id)
  const content = await renderSample({
    ...{ template, channel, facts, isMarketing: true },
    optOut: (language) => smsOptOut(sms, undefined, language),
    unsubscribeUrl: link ?? undefined,
  })
  return {
    ...{ step, variant: message.variant, channel, subject: content.subject ?? null },
    language: spoken(template, facts).language,
    ...(channel === 'email' ? withLink(content, link) : { html: null, text: content.body ?? null }),
    content_sid: content.content_sid ?? null,
    content_variables: content.content_variables ?? {},
  }
}

/** Both parts of an e-mail, with the link at their end as the provider gets them. */
function withLink(
  { body = '', html, language }: Content,
  link: string | null,
): Pick<SentMessage, 'html' | 'text'> {
  const missing = missingLink(body, link)
  return {
    html: html === undefined ? null : withUnsubscribe(html, missing),
    text: textWithLink(body, missing, language),
  }
}
