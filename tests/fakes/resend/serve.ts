// Resend in a process of its own: RESEND_PORT, RESEND_API_KEY, RESEND_WEBHOOK_SECRET; `/__control/` takes
// `PUT|DELETE fault`, `GET ledger`, `POST report {id, type, url, data?}`.
import { portOf, run } from '../providers/main'
import { startFakeResend } from './server'

const { RESEND_API_KEY: apiKey, RESEND_WEBHOOK_SECRET: webhookSecret } = process.env
if (!apiKey || !webhookSecret) throw new Error('RESEND_API_KEY and RESEND_WEBHOOK_SECRET are required')
run(
  'Resend',
  await startFakeResend({ apiKey, webhookSecret, port: portOf('RESEND_PORT', 4030), control: true }),
)
