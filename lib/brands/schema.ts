import { z } from 'zod'
import { blankable, line } from '@/lib/http/fields'
import { fold } from '@/lib/text/fold'

/** A brand as the API returns it. */
export const brandSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    postal_address: z
      .string()
      .nullable()
      .meta({ description: 'At the end of its marketing e-mails; null: the group’s' }),
  })
  .meta({ id: 'Brand' })

const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and hyphens only')

export const newBrandSchema = z.strictObject({
  name: line(120),
  slug: slug.optional().meta({ description: 'Made from the name when left out' }),
  postal_address: blankable(line(300)).optional(),
})
export const brandChangesSchema = z
  .strictObject({ name: line(120), slug, postal_address: blankable(line(300)) })
  .partial()

/** A brand's slug from its name; empty when the name has no Latin letter or digit. */
export function slugOf(name: string): string {
  return fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-|-$/g, '')
}
