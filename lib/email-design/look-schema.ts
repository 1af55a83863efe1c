import { z } from 'zod'
import { blankable, emailAddress, line, text } from '@/lib/http/fields'
import { IMAGE_PATH } from './limits'

const color = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #a94a34')

const fields = {
  logo: z.string().regex(IMAGE_PATH).nullable(),
  color: color.nullable(),
  button_color: color.nullable(),
  sender_name: blankable(line(120)),
  from_email: blankable(emailAddress),
  reply_to: blankable(emailAddress),
  footer: blankable(text(300)),
}

/** What a brand's e-mails look like and who sends them; what is null is as in the group's look, else the usual. */
export const emailLookSchema = z
  .object({
    logo: z.string().nullable().meta({ description: 'The path of a stored image' }),
    color: z.string().nullable(),
    button_color: z.string().nullable(),
    sender_name: z.string().nullable(),
    from_email: z.string().nullable(),
    reply_to: z.string().nullable(),
    footer: z.string().nullable(),
  })
  .meta({ id: 'EmailLook', description: 'How e-mails look and who sends them; null: as usual.' })
export type EmailLook = z.infer<typeof emailLookSchema>

/** The look that an e-mail is sent in, as private.email_look_of gives it; one of an earlier launch has no address. */
export const sentLookSchema = emailLookSchema.extend({
  postal_address: z.string().nullable().default(null),
})
export type SentLook = z.infer<typeof sentLookSchema>

export const emailLookInput = z.strictObject(fields).partial()
export type EmailLookInput = z.output<typeof emailLookInput>
