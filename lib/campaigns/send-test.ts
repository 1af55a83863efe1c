import 'server-only'
import type { Session } from '@/lib/auth/session'
import { planStored } from '@/lib/automations/preview'
import type { TestSend } from '@/lib/automations/schema'
import { sendPlan } from '@/lib/automations/send-test'
import { HttpError } from '@/lib/http/errors'
import { getCampaign } from './reads'
import type { CampaignTestInput } from './schema'

/**
 * Sends one of a campaign's messages to the person who asks or to colleagues, as a guest would get it (see sendTest).
 * @throws HttpError 404 for a campaign or step that is not there; 400 without an address it may go to.
 */
export async function sendCampaignTest(
  session: Pick<Session, 'db' | 'organization' | 'user_id' | 'role' | 'email' | 'full_name'>,
  id: string,
  { step, variant, ...input }: CampaignTestInput,
  now = new Date(),
): Promise<TestSend> {
  const { messages } = await getCampaign(session, id)
  const message = messages.find((one) => one.step === step && one.variant === variant)
  if (!message) throw new HttpError('NOT_FOUND')
  return sendPlan(session, await planStored(session, message.id, now), input, now)
}
