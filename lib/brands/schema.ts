import { z } from 'zod'
import { line } from '@/lib/http/fields'
import { fold } from '@/lib/text/fold'

/** A brand as the API returns it. */
export const brandSchema = z
  .object({ id: z.string(), name: z.string(), slug: z.string() })
  .meta({ id: 'Brand' })

const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and hyphens only')

export const newBrandSchema = z.strictObject({
  name: line(120),
  slug: slug.optional().meta({ description: 'Made from the name when left out' }),
})
export const brandChangesSchema = z.strictObject({ name: line(120), slug }).partial()

/** A brand's slug from its name; empty when the name has no Latin letter or digit. */
export function slugOf(name: string): string {
  return fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-|-$/g, '')
}
