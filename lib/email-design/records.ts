import { z } from 'zod'
import { brokenMark } from '@/lib/db/broken'
import { line } from '@/lib/http/fields'
import { storedInstant } from '@/lib/http/instant'
import { emailLookSchema } from './look-schema'
import { emailDesignSchema, storedDesign } from './schema'

export const emailImageRow = z.object({
  id: z.string(),
  path: z.string().meta({ description: 'As designs and looks name it' }),
  name: z.string(),
  content_type: z.string(),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  created_at: storedInstant,
})

export const emailImageSchema = emailImageRow
  .extend({ url: z.string().meta({ description: 'Where mail programs load it' }) })
  .meta({ id: 'EmailImage' })
export type EmailImage = z.infer<typeof emailImageSchema>

/** The look of a brand, or of the group (`brand_id` null). */
export const brandLookSchema = emailLookSchema
  .extend({ brand_id: z.string().nullable(), logo_url: z.string().nullable() })
  .meta({ id: 'BrandLook', description: 'The look of a brand, or of the group (`brand_id` null).' })
export type BrandLook = z.infer<typeof brandLookSchema>

export const newTemplateSchema = z.strictObject({ name: line(120), design: emailDesignSchema })
export const templateChangesSchema = newTemplateSchema.partial()

export const emailTemplateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    design: storedDesign
      .nullable()
      .meta({ description: 'An EmailDesign; null: it cannot be read any more (`broken`)' }),
    created_at: storedInstant,
    updated_at: storedInstant,
    broken: brokenMark,
  })
  .meta({ id: 'EmailTemplate', description: 'A design under a name, to start an e-mail from.' })
export type EmailTemplate = z.infer<typeof emailTemplateSchema>
