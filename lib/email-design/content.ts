import 'server-only'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { Content } from '@/lib/messaging/schema'
import { imagesBase } from './address'
import { NO_LOOK } from './look'
import { type EmailLook, type SentLook, sentLookSchema } from './look-schema'
import { renderDesign } from './render'
import { type EmailDesign, emailDesignSchema, textsOfDesign } from './schema'

/** A mail program cuts longer HTML off (Gmail at 102 kB), and the outbox stores it until it is sent. */
const MAX_HTML = 200_000

// Templates of one batch share their design: it is checked once.
const checked = new WeakMap<object, EmailDesign | null>()

/** The design of a stored template; null when it does not fit the schema. */
export function designOf(stored: object): EmailDesign | null {
  const known = checked.get(stored)
  if (known !== undefined) return known
  const design = emailDesignSchema.safeParse(stored).data ?? null
  checked.set(stored, design)
  return design
}

/** A design's texts in Liquid, in the order in which `designedContent` takes them rendered. */
export const designTexts = (design: EmailDesign): string[] => textsOfDesign(design).map(({ text }) => text)

/** The sender of a look; null when it names none. */
export function senderOf(look: EmailLook | null): NonNullable<Content['from']> | null {
  if (!look || !(look.sender_name || look.from_email || look.reply_to)) return null
  return { name: look.sender_name, email: look.from_email, reply_to: look.reply_to }
}

/** The look of a stored template; what is not there is as usual. */
export const lookOf = (stored: unknown): SentLook =>
  sentLookSchema.safeParse({ ...NO_LOOK, ...Object(stored) }).data ?? { ...NO_LOOK, postal_address: null }

/** Whose e-mail it is: its look, the organization's name, and whether it is marketing, which names its sender. */
export interface Sending {
  look: SentLook
  organization: string
  isMarketing: boolean
  /** The language of its texts; 'es' without one. */
  language?: GuestLanguage | undefined
}

/**
 * The HTML and the plain text of a design with rendered texts; null when it is too long. Marketing ends with the sender's
 * name and postal address, before the unsubscribe link, which the provider adds.
 */
export async function designedContent(
  design: EmailDesign,
  texts: readonly string[],
  { look, organization, isMarketing, language }: Sending,
): Promise<{ html: string; body: string } | null> {
  const sender = look.sender_name ?? organization
  const address = isMarketing ? look.postal_address : null
  const email = { design, texts, look, sender, address, images: imagesBase(), language }
  const { html, text } = await renderDesign(email)
  return html.length > MAX_HTML ? null : { html, body: text }
}

const designOfText = (text: string): EmailDesign => ({
  preheader: '',
  blocks: [{ id: 'text', type: 'text', runs: [{ text }], align: 'left' }],
})

/** The same of an e-mail in plain text: one text in the brand's look. */
export async function plainContent(
  text: string,
  sending: Sending,
): Promise<{ html: string; body: string } | null> {
  const design = designOfText(text)
  const content = await designedContent(design, designTexts(design), sending)
  // Word for word, where nothing follows it.
  return content && content.body === `${text}\n` ? { ...content, body: text } : content
}

/** The HTML of a text that comes without one: a notification, a mail with a link to an account. */
export async function plainHtml(text: string, sender: string, language?: GuestLanguage): Promise<string> {
  const design = designOfText(text)
  const texts = designTexts(design)
  const { html } = await renderDesign({ design, texts, look: NO_LOOK, sender, images: '', language })
  return html
}
