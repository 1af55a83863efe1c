import { z } from 'zod'
import answers from './answers.json'

/** `messages.content` of the answer to a guest who confirmed or cancelled; take_reply writes it. */
export const guestAnswerSchema = z.object({
  template: z.literal('guest_answer'),
  answer: z.enum(['confirmed', 'cancelled']),
  language: z.enum(['es', 'en']),
  location: z.string(),
  /** YYYY-MM-DD and HH:MM, local. */
  date: z.string(),
  time: z.string(),
  expires_at: z.string(),
})
type GuestAnswer = z.infer<typeof guestAnswerSchema>

/** The text for the guest: the understood answer, and how to undo it. */
export function renderAnswer({ answer, language, location, date, time }: GuestAnswer): string {
  const [, month, day] = date.split('-')
  const values = { location, date: `${day}/${month}`, time }
  return answers[language][answer].replace(
    /\{(location|date|time)\}/g,
    (_, name: keyof typeof values) => values[name],
  )
}
