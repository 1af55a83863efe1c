import { z } from 'zod'

/** The least guests in each group, and visits in both together, for an interval. */
export const LIFT_MINIMUM = { guests: 20, visits: 10 } as const

const group = z.object({
  guests: z.int(),
  came: z.int().meta({ description: 'Guests with a visit' }),
  visits: z.int(),
  revenue: z.number(),
  estimated_revenue: z.number().meta({
    description: 'The part of `revenue` that is party size × average spend, where no amount is known',
  }),
})

const difference = z.object({
  known: z.enum(['no_control', 'no_treated', 'too_few', 'unclear', 'more', 'less']).meta({
    description:
      'more or less: the interval lies above or below 0. Otherwise not known yet: unclear when the interval contains 0, ' +
      `too_few below ${LIFT_MINIMUM.guests} guests in a group or ${LIFT_MINIMUM.visits} visits in both`,
  }),
  per_thousand: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

export const liftSchema = z
  .object({
    control_share: z.int().meta({ description: 'The control group’s share now, in per cent; 0: none' }),
    days: z
      .int()
      .meta({ description: 'Visits count that were booked and made in these days after the guest began' }),
    waiting: z.int().meta({ description: 'Guests whose days are not over: they do not count yet' }),
    treated: group.meta({ description: 'The guests it wrote to' }),
    control: group.meta({ description: 'The guests in the control group' }),
    visits: difference.meta({
      description:
        'Extra visits per 1,000 guests, with the interval that holds in 95 % of comparisons, however often one looks',
    }),
    revenue: difference.meta({
      description:
        'Extra EUR per 1,000 guests, with the interval that holds in 95 % of comparisons, however often one looks',
    }),
  })
  .meta({
    id: 'AutomationLift',
    description:
      'The lift of an automation: visits and revenue of the guests it wrote to compared with those of a random control ' +
      'group, which gets no message.',
  })
export type AutomationLift = z.infer<typeof liftSchema>

/** Whether a control group was drawn, or still is to be: without one the lift is never known. */
export const hasControl = ({ control_share, treated, control, waiting }: AutomationLift): boolean =>
  control_share > 0 || treated.guests + control.guests + waiting > 0

export type LiftDifference = z.infer<typeof difference>
