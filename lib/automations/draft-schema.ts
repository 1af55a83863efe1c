import { z } from 'zod'
import { newAutomationSchema } from './schema'
import { testSendInput } from './test-send-schema'

const id = z.uuid().toLowerCase().optional().meta({ description: 'The automation these are changes to' })

/** An automation as it stands in a form: not saved, without a name yet, perhaps not complete. */
export const draftSchema = newAutomationSchema.omit({ name: true, status: true }).extend({ id })
export type AutomationDraft = z.output<typeof draftSchema>

export const draftTestInput = testSendInput.extend({ automation: draftSchema })
