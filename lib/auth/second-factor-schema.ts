import { z } from 'zod'

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
