import 'server-only'
import type { Content } from '@/lib/messaging/schema'
import { imagesBase } from './address'
import { NO_LOOK } from './look'
import { type EmailLook, emailLookSchema } from './look-schema'
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
export const lookOf = (stored: unknown): EmailLook => emailLookSchema.safeParse(stored).data ?? NO_LOOK

/** The HTML and the plain text of a design with rendered texts; null when it is too long. */
export async function designedContent(
  design: EmailDesign,
  texts: readonly string[],
  look: EmailLook,
  organization: string,
): Promise<{ html: string; body: string } | null> {
  const sender = look.sender_name ?? organization
  const { html, text } = await renderDesign({ design, texts, look, sender, images: imagesBase() })
  return html.length > MAX_HTML ? null : { html, body: text }
}
