import { z } from 'zod'
import { instant } from '@/lib/http/instant'
import { reservationSchema } from '@/lib/reservations/schema'
import { pointsEntrySchema } from './points-schema'
import { customerSchema } from './schema'

const nullable = z.string().nullable()
const details = z.record(z.string(), z.unknown())

/** Everything held about one person. */
export const customerExportSchema = z
  .object({
    exported_at: instant,
    customer: customerSchema,
    former_addresses: z.array(z.string()),
    reservations: z.array(
      z.object({
        ...reservationSchema.omit({ location_id: true, customer_id: true }).shape,
        location: z.string(),
        customer_email: nullable,
        customer_phone: nullable,
        created_at: instant,
      }),
    ),
    points: z.array(pointsEntrySchema),
    messages: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        automation: nullable,
        channel: z.string(),
        recipient: nullable,
        status: z.string(),
        reason: nullable,
        content: details,
        created_at: instant,
        sent_at: instant.nullable(),
        delivered_at: instant.nullable(),
      }),
    ),
    suppressions: z.array(
      z.object({ channel: z.string(), address: z.string(), reason: z.string(), created_at: instant }),
    ),
    audit: z.array(z.object({ action: z.string(), details, created_at: instant })),
  })
  .meta({ id: 'CustomerExport' })
