import 'server-only'
import { z } from 'zod'
import type { Session } from '@/lib/auth/session'
import { unwrap } from '@/lib/db/errors'
import { serviceDb } from '@/lib/db/service'
import { HttpError } from '@/lib/http/errors'
import { CHANNELS, factsSchema, templateSchema } from '@/lib/messaging/schema'
import { renderSample } from './preview'

const askedSchema = z.object({
  channels: z.partialRecord(z.enum(CHANNELS), z.int()),
  template: templateSchema.nullable(),
  channel: z.enum(CHANNELS).nullable(),
  facts: factsSchema.nullable(),
})

/** What a run that waits would send. `sample` is null when it cannot be rendered. */
export interface RunToApprove {
  channels: z.infer<typeof askedSchema>['channels']
  sample: { subject: string | null; body: string } | null
}

/** What a person has to know to approve a run; for one that this person may see. */
export async function runToApprove(
  { organization }: Pick<Session, 'organization'>,
  runId: string,
): Promise<RunToApprove> {
  const parameters = { p_organization: organization.id, p_run: runId }
  const asked = askedSchema.parse(unwrap(await serviceDb().rpc('run_to_approve', parameters)))
  const { channels, template, channel, facts } = asked
  if (!template || !channel || !facts) return { channels, sample: null }
  try {
    const content = await renderSample({ template, channel, facts })
    const body = content.body ?? content.content_sid ?? ''
    return { channels, sample: { subject: content.subject ?? null, body } }
  } catch (error) {
    if (error instanceof HttpError) return { channels, sample: null }
    throw error
  }
}
