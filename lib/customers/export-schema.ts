import { z } from 'zod'
import { feedbackSchema } from '@/lib/feedback/schema'
import { instant } from '@/lib/http/instant'
import { reservationSchema } from '@/lib/reservations/schema'
import { factSchema } from './facts-schema'
import { pointsEntrySchema } from './points-schema'
import { customerSchema } from './schema'

const nullable = z.string().nullable()
const details = z.record(z.string(), z.unknown())

/** All data stored about one person. */
export const customerExportSchema = z
  .object({
    exported_at: instant,
    // Its facts say them, with their notes.
    customer: customerSchema.omit({ allergies: true }),
    recorded_consents: details.meta({ description: 'By channel, as staff or imports recorded them' }),
    former_addresses: z.array(z.string()),
    former_names: z.array(z.string()),
    merges: z
      .array(
        z.object({
          merged_at: instant,
          author: z.string(),
          undone_at: instant.nullable(),
          record: details.nullable(),
        }),
      )
      .meta({
        description: 'Records merged into this one in the last 30 days, as they were; null once undone',
      }),
    facts: z.array(factSchema.extend({ recorded_by: z.string(), recorded_at: instant })),
    rhythm: z
      .object({
        visit_days: z.int(),
        first_day: z.string(),
        last_day: z.string(),
        usual_days: z.number().nullable(),
        at_risk_on: nullable,
        lost_on: nullable,
      })
      .nullable()
      .meta({
        description:
          'How often they come, and from which days of silence on they count as at risk and as lost',
      }),
    reservations: z.array(
      z.object({
        ...reservationSchema.omit({ location_id: true, customer_id: true }).shape,
        location: z.string(),
        customer_email: nullable,
        customer_phone: nullable,
        created_at: instant,
      }),
    ),
    waitlist: z.array(
      z.object({
        location: z.string(),
        name: z.string(),
        phone: nullable,
        party_size: z.number(),
        notes: nullable,
        joined_at: instant,
        outcome: nullable,
      }),
    ),
    points: z.array(pointsEntrySchema),
    feedback: z.array(
      z.object({
        ...feedbackSchema.pick({ score: true, words: true, language: true }).shape,
        location: z.string(),
        answered_at: instant,
        changed_at: instant.nullable(),
      }),
    ),
    control_groups: z
      .array(z.object({ automation: nullable, held: z.boolean(), enrolled_at: instant }))
      .meta({
        description:
          'Automations and campaigns that compare who gets their messages with who does not; held: this person does not',
      }),
    messages: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        automation: nullable,
        channel: z.string(),
        recipient: nullable,
        status: z.string(),
        reason: nullable,
        simulated: z.boolean(),
        content: details,
        created_at: instant,
        sent_at: instant.nullable(),
        delivered_at: instant.nullable(),
      }),
    ),
    conversations: z.array(
      z.object({
        channel: z.string(),
        address: z.string(),
        sender_name: nullable,
        last_message_at: instant,
        texts: z.array(
          z.object({
            direction: z.string(),
            text: nullable,
            media: nullable,
            sent_by: nullable,
            at: instant,
          }),
        ),
      }),
    ),
    tickets: z.array(
      z.object({
        number: z.number(),
        subject: z.string(),
        description: nullable,
        status: z.string(),
        priority: z.string(),
        created_at: instant,
        resolved_at: instant.nullable(),
        former_subjects: z.array(z.string()),
        comments: z.array(z.object({ body: z.string(), created_at: instant })),
      }),
    ),
    calendar_events: z.array(
      z.object({
        title: z.string(),
        description: nullable,
        event_datetime: instant,
        ends_at: instant.nullable(),
        location: nullable,
        created_at: instant,
      }),
    ),
    suppressions: z.array(
      z.object({
        channel: z.string(),
        address: z.string(),
        reason: z.string(),
        author: nullable,
        note: nullable,
        created_at: instant,
      }),
    ),
    whatsapp_windows: z
      .array(z.object({ address: z.string(), last_inbound_at: instant }))
      .meta({ description: 'When they last wrote by WhatsApp, by number and by id' }),
    audit: z.array(z.object({ action: z.string(), details, created_at: instant })),
  })
  .meta({ id: 'CustomerExport' })
