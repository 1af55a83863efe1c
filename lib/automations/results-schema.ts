import { z } from 'zod'

export const resultsSchema = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    messages: z.object({
      total: z.int(),
      /** Delivered ones included. */
      sent: z.int(),
      delivered: z.int(),
      /** Those of the sent ones that the sandbox took. */
      simulated: z.int(),
      skipped: z.int(),
      /** Those with an unknown outcome included. */
      failed: z.int(),
      pending: z.int(),
    }),
    reservations: z.int(),
    covers: z.int(),
    revenue: z.number(),
    estimated_revenue: z
      .number()
      .meta({ description: 'The part of `revenue` that is guests × average spend, for want of an amount' }),
  })
  .meta({
    id: 'AutomationResults',
    description:
      'Reservations made within 30 days after a customer’s last marketing message, credited to that message; cancelled ' +
      'ones and no-shows are left out. Revenue (EUR) is that of those that became visits.',
  })
export type AutomationResults = z.infer<typeof resultsSchema>

export const resultsQuery = z.object({
  days: z.coerce.number().int().min(1).max(365).default(90).meta({ description: 'Messages of so many days' }),
})
