import { z } from 'zod'
import { GUEST_LANGUAGES, type GuestLanguage } from '@/lib/i18n/guest-languages'
import texts from './guest-texts.json'

type Template = keyof (typeof texts)['es']
// A text that a language does not have is a type error.
const TEXTS: Record<GuestLanguage, Record<Template, string>> = texts

/** `messages.content` of a text to a guest about their booking or table; `private.guest_text` writes it. */
export const guestTextSchema = z.object({
  template: z.enum(Object.keys(texts.es) as [Template, ...Template[]]),
  language: z.enum(GUEST_LANGUAGES),
  /** A date is YYYY-MM-DD and a time HH:MM, local. */
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  expires_at: z.string(),
})

const PLACEHOLDER = /\{(\w+)\}/g

/** The text for the guest; null when a value is missing. */
export function renderGuestText({
  template,
  language,
  values,
}: z.infer<typeof guestTextSchema>): string | null {
  const text = TEXTS[language][template]
  const worded = { ...values, date: String(values.date).replace(/^\d{4}-(\d{2})-(\d{2})$/, '$2/$1') }
  if ([...text.matchAll(PLACEHOLDER)].some(([, name]) => values[String(name)] === undefined)) return null
  return text.replace(PLACEHOLDER, (_, name: keyof typeof worded) => String(worded[name]))
}
