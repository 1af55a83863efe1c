// Twilio in a process of its own: TWILIO_PORT, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN; `/__control/` takes
// `PUT|DELETE fault`, `GET ledger`, `POST report {sid, status, errorCode?, url?}`, `POST inbound {from, to, body, url,
// externalUserId?, answers?, optOutType?, button?, sid?}`.
import { portOf, run } from '../providers/main'
import { startFakeTwilio } from './server'

const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = process.env
if (!accountSid || !authToken) throw new Error('TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN are required')
run(
  'Twilio',
  await startFakeTwilio({ accountSid, authToken, port: portOf('TWILIO_PORT', 4020), control: true }),
)
