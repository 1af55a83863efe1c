import 'server-only'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { boundTo, type Session } from '@/lib/auth/session'
import { exampleUnsubscribe, renderSample, smsPriceOf } from '@/lib/automations/preview'
import { checkGuest } from '@/lib/automations/test-guest'
import { personName } from '@/lib/customers/person-name'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import type { Db } from '@/lib/db/types'
import { withUnsubscribe } from '@/lib/email-design/render'
import { storedInstant } from '@/lib/http/instant'
import { type OptOutLine, smsOptOut } from '@/lib/messaging/opt-out-line'
import { closedChannels, providersFor } from '@/lib/messaging/providers'
import { byPlanReason } from '@/lib/messaging/reasons'
import { CHANNELS, factsSchema, type Template } from '@/lib/messaging/schema'
import { checkSending } from '@/lib/sending-check/check'
import { guestToCheckSchema, type SendingCheck } from '@/lib/sending-check/schema'
import { checkCampaign } from './check'
import { getCampaign } from './reads'
import type { Campaign, CampaignMessageInput, CampaignPreview, CampaignPreviewInput } from './schema'
import { contentOf, toRow } from './writes'

const plannedSchema = z.object({
  matched: z.int(),
  to_send: z.int(),
  held: z.int(),
  skipped: z.record(z.string(), z.int()),
  variants: z.object({ a: z.int(), b: z.int(), rest: z.int() }),
  starts_at: storedInstant.nullable(),
  asks_again: z.boolean(),
  approve_above: z.int().nullable(),
  email_look: z.record(z.string(), z.unknown()),
  held_until: storedInstant.nullable(),
  check: z.array(guestToCheckSchema),
  guest: z
    .object({
      customer_id: z.string(),
      reason: z.string().nullable(),
      channel: z.enum(CHANNELS).nullable(),
      goes_at: storedInstant.nullable(),
      group: z.enum(['a', 'b', 'rest', 'control']).nullable(),
      facts: factsSchema,
    })
    .nullable(),
})
type Planned = z.infer<typeof plannedSchema>
type Guest = NonNullable<Planned['guest']> & Pick<Planned, 'email_look'> & { optOut: OptOutLine }

/**
 * What a campaign in a form would do now: counts, and its messages as a guest would get them (`customer_id`, else the
 * first one). With an `id` its fields are changes to that campaign. Someone bound to locations gets what concerns these.
 * @throws HttpError 404 for a campaign or guest that the caller may not see; 400 (see checkCampaign).
 */
export async function previewCampaign(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  { id, customer_id, seed: given, language, ...fields }: CampaignPreviewInput,
  now = new Date(),
): Promise<CampaignPreview> {
  const seed = id === undefined ? (given ?? randomUUID()) : null
  const saved = id === undefined ? null : await getCampaign(session, id)
  if (customer_id !== undefined) await checkGuest(session, customer_id)
  await checkCampaign(session, fields)
  const db = serviceDb()
  const locations = await boundTo(session)
  const providers = await providersFor(db, session.organization.id)
  const optOut: OptOutLine = (language) => smsOptOut(providers.sms, undefined, language)
  const answer = await db.rpc('preview_campaign', {
    p_organization: session.organization.id,
    p_fields: toRow({ ...fields, seed: seed ?? undefined }),
    p_id: id,
    p_customer: customer_id,
    p_now: now.toISOString(),
    p_closed: closedChannels(providers),
    p_locations: locations ?? undefined,
  })
  const planned = plannedSchema.parse(unwrap(answer))
  const { held, guest, skipped, email_look, held_until, check: guests, ...counts } = planned
  const { to_send, approve_above } = counts
  // Whoever is bound to its locations reads the number: it is not one that counts the others.
  const spoken = language ? { language } : {}
  const isForAll = locations !== null || saved?.location_ids.length === 0
  if (saved && isForAll && isAsSaved(saved, fields)) await noteGuests(db, saved, to_send)
  return {
    ...counts,
    held_by_quiet_hours: held,
    control: skipped.control_group ?? 0,
    skipped: { ...byPlanReason(0), recently_written: 0, ...skipped },
    needs_approval: approve_above !== null && to_send > approve_above,
    seed,
    guest:
      guest &&
      (await asGuest(
        { ...guest, facts: { ...guest.facts, ...spoken }, email_look, optOut },
        fields.messages,
      )),
    check: await checkSending({
      isMarketing: true,
      messages: fields.messages.map((message, index) => ({
        at: `messages.${index}.`,
        step: message.step,
        channel: message.channel,
        fallback_channel: message.fallback_channel,
        template: templateOf(message, email_look),
      })),
      guests,
      isPast: counts.starts_at !== null && new Date(counts.starts_at) <= now,
      capped: (skipped.frequency_cap ?? 0) + (skipped.guest_frequency ?? 0),
      heldUntil: held_until,
      smsPrice: await smsPriceOf(session.organization.id),
      smsOptOut: optOut,
    }),
  }
}

/**
 * What is wrong with a saved campaign, as it would be launched now.
 * @throws as previewCampaign
 */
export async function campaignCheck(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role'>,
  id: string,
  now = new Date(),
): Promise<SendingCheck> {
  const campaign = await getCampaign(session, id)
  return (await previewCampaign(session, { ...contentOf(campaign), id }, now)).check
}

/** Whether the fields are those of the saved draft, so that its number of guests is known. */
function isAsSaved(
  saved: Campaign,
  fields: Omit<CampaignPreviewInput, 'id' | 'customer_id' | 'seed' | 'language'>,
): boolean {
  const { name: _, ...content } = contentOf(saved)
  const { name: __, ...asked } = fields
  return saved.status === 'draft' && isDeepStrictEqual(content, asked)
}

/** Keeps the number of guests of a draft for the list, unless the draft was changed meanwhile. */
async function noteGuests(db: Db, { id, version, guests }: Campaign, to_send: number): Promise<void> {
  if (guests === to_send) return
  const draft = db.from('campaigns').update({ guests: to_send }).match({ id, version, status: 'draft' })
  await draft.throwOnError()
}

function templateOf(message: CampaignMessageInput, email_look: Planned['email_look']): Template {
  const { subject, body, content_sid, content_variables, email_design, versions } = message
  const texts = { subject, body, content_sid, content_variables, email_design, versions }
  return { id: '-', ...texts, email_look, question: null }
}

async function asGuest(guest: Guest, messages: readonly CampaignMessageInput[]) {
  const { customer_id, reason, group, facts } = guest
  const rendered = await Promise.all(messages.map((message) => rendering(guest, message)))
  return { customer_id, customer_name: personName(facts), reason, group, messages: rendered }
}

async function rendering(
  { reason, group, channel, goes_at, facts, email_look, optOut }: Guest,
  message: CampaignMessageInput,
) {
  const { step, variant } = message
  const isOwn = step > 1 || group === 'rest' || group === variant
  const gets = reason === null && isOwn
  const used = (step === 1 && isOwn ? channel : null) ?? message.channel
  const template = templateOf(message, email_look)
  const content = await renderSample({ template, channel: used, facts, isMarketing: true, optOut })
  return {
    ...{ step, variant, gets, channel: used },
    subject: content.subject ?? null,
    body: content.body ?? null,
    html: content.html === undefined ? null : withUnsubscribe(content.html, exampleUnsubscribe('marketing')),
    content_sid: content.content_sid ?? null,
    content_variables: content.content_variables ?? {},
    goes_at: gets && step === 1 && group !== 'rest' ? goes_at : null,
  }
}
