import { z } from 'zod'
import { line } from '@/lib/http/fields'

export const brandSchema = z
  .object({ id: z.string(), name: z.string(), slug: z.string() })
  .meta({ id: 'Brand' })

export const locationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    city: z.string().nullable(),
    address: z.string().nullable(),
    brand_id: z.string().nullable(),
    pms_id: z.string().nullable(),
    timezone: z.string(),
    average_spend_per_guest: z.coerce.number().nullable(),
    is_active: z.boolean(),
    known_until: z.string().nullable().meta({
      description:
        'Last day the PMS has been asked for; after it there is no data. Null: none yet, or without `pms_id`, where every day is known',
    }),
  })
  .meta({ id: 'Location' })

/** A location with its brand, as `?view=assignments` gives it. */
export const assignedLocationSchema = locationSchema
  .extend({ brand: brandSchema.nullable() })
  .meta({ id: 'AssignedLocation' })

/** Postgres adds seconds to a time of day. */
const minutes = z.string().overwrite((time) => time.slice(0, 5))

export const organizationSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    frequency_cap_days: z.int().meta({ description: 'One marketing message a customer in so many days' }),
    quiet_from: minutes.meta({ description: 'Marketing messages wait from here …' }),
    quiet_until: minutes.meta({ description: '… to here, local time' }),
  })
  .meta({ id: 'Organization' })

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm')

export const organizationChangesSchema = z
  .strictObject({
    name: line(120),
    frequency_cap_days: z.int().min(0).max(365),
    quiet_from: timeOfDay,
    quiet_until: timeOfDay,
  })
  .partial()
