import { z } from 'zod'
import { blankable, line } from '@/lib/http/fields'
import { problemAs } from '@/lib/http/issues'
import { FACT_CODES, FACT_KINDS, FACT_NOTE_LIMIT } from './fact-codes'

/** A guest's allergies beside their booking or name, in the API. */
export const allergiesField = z.array(z.string()).meta({
  description:
    'The codes of the guest’s recorded allergies, the same in every language: one of the fourteen allergens of EU law or `lactose`; empty where none is recorded. Their notes are in the facts',
})

/** A fact that staff recorded of a customer: an allergy, a diet or a preference. */
export const factSchema = z
  .object({ code: z.enum(FACT_CODES), kind: z.enum(FACT_KINDS), note: z.string().nullable() })
  .meta({ id: 'CustomerFact' })

export const suggestedFacts = z.array(z.enum(FACT_CODES)).meta({
  description: 'What the notes and tags seem to say, beyond the recorded facts; nobody has confirmed it',
})

export const customerFactsSchema = z
  .object({ facts: z.array(factSchema), suggested: suggestedFacts })
  .meta({ id: 'CustomerFacts' })
export type CustomerFacts = z.infer<typeof customerFactsSchema>

const noteField = blankable(line(FACT_NOTE_LIMIT)).optional()

/** Facts in a request: the kind follows from the code, and each code occurs once. */
export const factChangesSchema = z.strictObject({
  facts: z
    .array(z.strictObject({ code: z.enum(FACT_CODES), note: noteField }))
    .max(FACT_CODES.length)
    .refine(
      (facts) => new Set(facts.map(({ code }) => code)).size === facts.length,
      problemAs('not_unique', 'Each code once'),
    ),
})
