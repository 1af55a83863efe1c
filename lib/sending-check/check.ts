import 'server-only'
import { designOf, lookOf } from '@/lib/email-design/content'
import { type Block, type EmailDesign, textsOfDesign } from '@/lib/email-design/schema'
import en from '@/lib/i18n/en/client/email-design.json'
import es from '@/lib/i18n/es/client/email-design.json'
import { GUEST_LANGUAGES } from '@/lib/i18n/guest-languages'
import { GAP, withoutGaps } from '@/lib/messaging/gaps'
import type { OptOutLine } from '@/lib/messaging/opt-out-line'
import type { Channel, Template } from '@/lib/messaging/schema'
import { smsLength } from '@/lib/messaging/sms-length'
import { isForeign, type Spoken, spoken } from '@/lib/messaging/spoken'
import { renderMessages, renderTemplates, templateVariables } from '@/lib/messaging/template'
import { VARIABLES, variablesOf } from '@/lib/messaging/variables'
import type { Blocking, GuestToCheck, SendingCheck, Warning } from './schema'

/** A message of the send. `at` stands before its fields' names, such as `messages.0.`. */
interface MessageToCheck {
  at: string
  step: number
  channel: Channel
  fallback_channel: Channel | null
  template: Template
}

/** What a send would do now. */
export interface SendingToCheck {
  isMarketing: boolean
  messages: readonly MessageToCheck[]
  /** Those it would go to, each for all of their kind. */
  guests: readonly GuestToCheck[]
  /** Its start has passed. */
  isPast: boolean
  /** How many the frequency cap leaves out. */
  capped: number
  /** Until when the first of those wait whom the quiet hours hold. */
  heldUntil: string | null
  /** EUR a segment of an SMS. */
  smsPrice: number | null
  /** The line that ends a marketing SMS. */
  smsOptOut: OptOutLine
}

/**
 * What is wrong with a send, before it is launched: what blocks it, and what may stay once seen. Counts are of guests, exact
 * up to about 1,000 guests, and of more as far as guests of whom as much is known get the same.
 */
export async function checkSending(sending: SendingToCheck): Promise<SendingCheck> {
  const { isMarketing, messages, capped, heldUntil, isPast } = sending
  const channels = new Set(messages.flatMap(channelsOf))
  const [found, rendered] = await Promise.all([unknownVariables(messages), renderAll(sending)])
  const hasAddress = messages.every(({ template }) => lookOf(template.email_look).postal_address !== null)
  const canOptOut = sending.smsOptOut(GUEST_LANGUAGES[0]) !== null
  const blocking: Blocking[] = [
    ...found,
    ...emptyFor(rendered),
    ...messages.flatMap(textVersions).flatMap(unfinished),
    ...(isMarketing && channels.has('email') && !hasAddress ? [{ code: 'no_postal_address' as const }] : []),
    ...(isMarketing && channels.has('sms') && !canOptOut ? [{ code: 'no_opt_out' as const }] : []),
    ...(isPast ? [{ code: 'past' as const, field: 'starts_local' }] : []),
  ]
  const foreign = countOf(
    sending.guests.filter(({ facts }) => messages.some(({ template }) => isForeign(template, facts))),
  )
  const nameless = countOf(
    sending.guests.filter((guest) => rendered.some((one) => one.guest === guest && one.lacksName)),
  )
  const noAlt = messages
    .flatMap(textVersions)
    .flatMap(({ template }) => imagesOf(template))
    .filter(({ alt }) => alt.trim() === '')
  const warnings: Warning[] = [
    ...(nameless > 0 ? [{ code: 'missing_name' as const, count: nameless }] : []),
    ...(noAlt.length > 0 ? [{ code: 'no_alt' as const, count: noAlt.length }] : []),
    ...((await isClipped(sending)) ? [{ code: 'clipped' as const }] : []),
    ...(heldUntil === null ? [] : [{ code: 'quiet_hours' as const, until: heldUntil }]),
    ...(capped > 0 ? [{ code: 'frequency_cap' as const, count: capped }] : []),
    ...(foreign > 0 ? [{ code: 'other_language' as const, count: foreign }] : []),
    ...costOf(sending, rendered),
  ]
  return { blocking: blocking.map((each) => withLanguage(each, messages)), warnings }
}

const channelsOf = ({ channel, fallback_channel }: MessageToCheck): Channel[] =>
  fallback_channel === null ? [channel] : [channel, fallback_channel]

const countOf = (guests: readonly GuestToCheck[]): number =>
  Math.round(guests.reduce((sum, { guests: each }) => sum + each, 0))

const designIn = ({ email_design }: Template): EmailDesign | null => email_design && designOf(email_design)

/** Where the fields of a message's version stand; null: of its own text. */
const placeOf = (at: string, version: number | null) => (version === null ? at : `${at}versions.${version}.`)

/** Names the language of the version in which the field stands. */
function withLanguage(blocking: Blocking, messages: readonly MessageToCheck[]): Blocking {
  const versions = messages.flatMap(({ at, template }) =>
    (template.versions ?? []).map(({ language }, index) => ({ language, place: placeOf(at, index) })),
  )
  const found = versions.find(({ place }) => blocking.field?.startsWith(place))
  return found ? { ...blocking, language: found.language } : blocking
}

/** The message in each of its languages, as messages of their own. */
function textVersions(message: MessageToCheck): MessageToCheck[] {
  const { versions, ...own } = message.template
  return [
    { ...message, template: { ...own, versions: [] } },
    ...(versions ?? []).map(({ language: _, ...texts }, index) => ({
      ...message,
      at: placeOf(message.at, index),
      template: { ...own, ...texts, versions: [] },
    })),
  ]
}

/** The texts of a message that its channels use, by field: in all its languages, and what it has once. */
function textsOf(message: MessageToCheck): { field: string; text: string }[] {
  const { content_sid, content_variables, question } = message.template
  const variables =
    channelsOf(message).includes('whatsapp') && content_sid !== null ? Object.entries(content_variables) : []
  const once = [
    ...variables.map(([name, text]) => ({ field: `content_variables.${name}`, text })),
    ...(question === null ? [] : [{ field: 'criteria.question', text: question }]),
  ]
  return [
    ...textVersions(message).flatMap(wordsOf),
    ...once.map(({ field, text }) => ({ field: `${message.at}${field}`, text })),
  ]
}

function wordsOf(message: MessageToCheck): { field: string; text: string }[] {
  const { subject, body, content_sid } = message.template
  const channels = channelsOf(message)
  const design = designIn(message.template)
  const isPlain = (channel: Channel) =>
    channel === 'email' ? design === null : channel === 'sms' || content_sid === null
  const texts = [
    ...(channels.includes('email') ? [{ field: 'subject', text: subject ?? '' }] : []),
    ...(channels.some(isPlain) ? [{ field: 'body', text: body }] : []),
    ...(channels.includes('email') && design
      ? textsOfDesign(design).map(({ path, text }) => ({ field: `email_design.${path}`, text }))
      : []),
  ]
  return texts.map(({ field, text }) => ({ field: `${message.at}${field}`, text }))
}

async function unknownVariables(messages: readonly MessageToCheck[]): Promise<Blocking[]> {
  const texts = messages.flatMap(textsOf)
  const used = await templateVariables(texts.map(({ text }) => text))
  const known = new Set<string>(VARIABLES)
  // Of a text, its length and ends may be asked.
  const isKnown = (name: string) => known.has(name.replace(/\.(size|first|last)$/, ''))
  return texts.flatMap(({ field }, at) =>
    used[at]?.every(isKnown) ? [] : [{ code: 'unknown_variable' as const, field }],
  )
}

/** One message as one guest would get it. */
interface Rendered {
  message: MessageToCheck
  said: Spoken
  guest: GuestToCheck
  channel: Channel
  subject: string
  text: string
  lacksName: boolean
}

/** What a guest with a name would have. */
const NAMED = { first_name: 'Ana', last_name: 'Ruiz', full_name: 'Ana Ruiz' }

const gapsIn = (text: string) => text.split(GAP).length - 1

// Rendering wants addresses for the links; these lead nowhere.
const LINKS = { unsubscribeUrl: 'https://unsubscribe.invalid/', feedbackUrl: 'https://feedback.invalid/' }

async function renderAll({ messages, guests }: SendingToCheck): Promise<Rendered[]> {
  const each = messages.flatMap((message) =>
    guests.map((guest) => ({
      ...{ message, guest, channel: channelFor(message, guest) },
      said: spoken(message.template, guest.facts),
    })),
  )
  const items = each.map(({ said: { template }, guest: { facts }, channel }) => {
    const design = channel === 'email' ? designIn(template) : null
    const words = design
      ? textsOfDesign(design).flatMap(({ text, isLink, path }) =>
          isLink || path === 'preheader' ? [] : [text],
        )
      : [template.body]
    return {
      texts: [template.subject ?? '', ...words],
      variables: variablesOf({ facts, ...LINKS }),
    }
  })
  const named = items.map(({ texts, variables }) => ({ texts, variables: { ...variables, ...NAMED } }))
  const [rendered, full] = [await renderTemplates('people', items), await renderTemplates('people', named)]
  return each.flatMap((one, index) => {
    const [marked, whole] = [rendered[index], full[index]]
    // What cannot be rendered at all is refused before.
    if (!Array.isArray(marked) || !Array.isArray(whole)) return []
    const lacksName = marked.some(
      (text, at) => (at > 0 || one.channel === 'email') && gapsIn(text) > gapsIn(whole[at] ?? ''),
    )
    const [subject = '', ...words] = marked.map(withoutGaps)
    return [{ ...one, subject, text: words.join('\n\n'), lacksName }]
  })
}

/** By which channel a guest gets it: as planned, where the message has that channel. */
const channelFor = (message: MessageToCheck, { channel }: GuestToCheck): Channel =>
  channelsOf(message).includes(channel) ? channel : message.channel

function emptyFor(rendered: readonly Rendered[]): Blocking[] {
  const counts = new Map<string, number>()
  const note = (field: string, { guests }: GuestToCheck) =>
    counts.set(field, (counts.get(field) ?? 0) + guests)
  for (const { message, said, guest, channel, subject, text } of rendered) {
    const { template } = said
    const at = placeOf(message.at, said.version)
    const hasText = channel !== 'whatsapp' || template.content_sid === null
    const isDesigned = channel === 'email' && designIn(template) !== null
    const hasImage = isDesigned && imagesOf(template).some(({ path }) => path !== null)
    if (channel === 'email' && subject.trim() === '') note(`${at}subject`, guest)
    if (hasText && text.trim() === '' && !hasImage)
      note(`${at}${isDesigned ? 'email_design' : 'body'}`, guest)
  }
  return [...counts].map(([field, count]) => ({
    code: 'empty_for_some' as const,
    field,
    count: Math.max(1, Math.round(count)),
  }))
}

/** What the editor puts into new blocks. */
const LEFTOVERS = new Set([es.start.text, en.start.text])

function unfinished({ at, template }: MessageToCheck): Blocking[] {
  const design = designIn(template)
  return blocksOf(design).flatMap(({ block, path }) => {
    const isOpen =
      (block.type === 'button' && block.href.trim() === '') ||
      (block.type === 'image' && block.path === null) ||
      (block.type === 'text' &&
        LEFTOVERS.has(
          block.runs
            .map(({ text }) => text)
            .join('')
            .trim(),
        ))
    return isOpen ? [{ code: 'unfinished_block' as const, field: `${at}email_design.${path}` }] : []
  })
}

const blocksOf = (design: EmailDesign | null): { block: Block; path: string }[] =>
  (design?.blocks ?? []).flatMap((block, index) => [
    { block, path: `blocks.${index}` },
    ...(block.type === 'columns'
      ? (['left', 'right'] as const).flatMap((side) =>
          block[side].map((inner, place) => ({ block: inner, path: `blocks.${index}.${side}.${place}` })),
        )
      : []),
  ])

const imagesOf = (template: Template) =>
  blocksOf(designIn(template)).flatMap(({ block }) => (block.type === 'image' ? [block] : []))

// Gmail cuts an e-mail off here.
const CLIPPED_AT = 102_000

async function isClipped({ messages, guests, isMarketing }: SendingToCheck): Promise<boolean> {
  const [first] = guests
  if (!first) return false
  const emails = messages.filter((message) => channelsOf(message).includes('email')).flatMap(textVersions)
  const contents = await renderMessages(
    'people',
    emails.map(({ template }) => ({
      ...{ template, channel: 'email' as const, facts: first.facts, isMarketing },
      ...LINKS,
    })),
  )
  return contents.some((content) => 'html' in content && Buffer.byteLength(content.html ?? '') > CLIPPED_AT)
}

/** The segments of SMS and their price, as if everybody got every step, each in its longest version. */
function costOf(
  { smsPrice, smsOptOut, isMarketing }: SendingToCheck,
  rendered: readonly Rendered[],
): Warning[] {
  const longest = new Map<GuestToCheck, Map<number, number>>()
  for (const { message, said, guest, channel, text } of rendered) {
    if (channel !== 'sms') continue
    const line = isMarketing ? smsOptOut(said.language) : null
    const end = line === null ? '' : `\n${line}`
    const steps = longest.get(guest) ?? new Map<number, number>()
    longest.set(guest, steps)
    const { segments } = smsLength(`${text}${end}`)
    steps.set(message.step, Math.max(steps.get(message.step) ?? 0, segments))
  }
  const total = [...longest].reduce(
    (sum, [{ guests }, steps]) => sum + guests * [...steps.values()].reduce((all, each) => all + each, 0),
    0,
  )
  const parts = Math.round(total)
  if (parts === 0) return []
  const amount = smsPrice === null ? {} : { amount: Math.round(parts * smsPrice * 100) / 100 }
  return [{ code: 'cost', parts, ...amount }]
}
