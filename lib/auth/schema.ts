import { z } from 'zod'
import { canonicalEmail } from '@/lib/contact/email'
import { blankable, emailAddress, line, text } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'

// In one Unicode form, so that a password is the same from every keyboard and system.
// Longer ones are refused first: the form of many accents takes time that grows with the square of their number.
const passwordText = z.string().max(1000, { abort: true }).normalize('NFKC')

export const credentialsSchema = z.object({
  // A text that is no e-mail gets the same answer as a wrong password.
  email: text(254)
    .min(1)
    .overwrite((value) => canonicalEmail(value) ?? value.toLowerCase()),
  password: passwordText.min(1).max(200),
})

const MIN_PASSWORD = 10
// bcrypt reads no further, and stops at a NUL.
const MAX_PASSWORD_BYTES = 72

export const newPassword = passwordText
  .min(MIN_PASSWORD, `at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD_BYTES)
  .refine(
    (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
    problemAs('too_long', 'at most 72 bytes', { maximum: MAX_PASSWORD_BYTES }),
  )
  .refine(
    (value) => !value.includes('\0'),
    problemAs('control_characters', 'control characters are not allowed'),
  )

export const signUpSchema = z.strictObject({
  email: emailAddress,
  password: newPassword,
  full_name: blankable(line(120)).optional(),
  token: z
    .string()
    .max(200)
    .default('')
    .meta({ description: 'From the link of the invitation, after its `#`; without it 403' }),
})

export const invitationTokenSchema = z.strictObject({
  token: z.string().min(1).max(200).meta({ description: 'From the link of the invitation, after its `#`' }),
})
export const openInvitationSchema = z
  .object({ email: z.string(), full_name: z.string().nullable(), organization: z.string() })
  .meta({ id: 'OpenInvitation' })
export type OpenInvitation = z.infer<typeof openInvitationSchema>

export const forgotPasswordSchema = z.strictObject({ email: emailAddress })

export const resetPasswordSchema = z.strictObject({
  token_hash: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'not one of ours')
    .meta({ description: 'From the link in the mail' }),
  password: newPassword,
})

export const changePasswordSchema = z.strictObject({
  current_password: passwordText.min(1).max(200),
  password: newPassword,
})

/** The six digits of an authenticator app; spaces between them are fine. */
export const codeText = z
  .string()
  .max(20)
  .overwrite((text) => text.replaceAll(/\s/g, ''))
  .regex(/^\d{6}$/, 'six digits')

const recoveryCode = z
  .string()
  .max(60)
  .regex(/^[A-Za-z2-7\s-]+$/, 'not one of ours')
  .meta({
    description: 'One of the ten shown when the second factor was set up; it removes the second factor',
  })

export const secondFactorSchema = z.union([
  z.strictObject({ code: codeText }),
  z.strictObject({ recovery_code: recoveryCode }),
])
