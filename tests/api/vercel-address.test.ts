import { expect, it } from 'vitest'
import { automate, bySms, guest, resend, runAt, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'

withDelivery({ MESSAGE_SANDBOX: '0', APP_URL: '', VERCEL_PROJECT_PRODUCTION_URL: 'crm-ejemplo.vercel.app' })

it('without APP_URL, messages lead to the address that Vercel names', async () => {
  await sql(emptyTables('customers'))
  await guest({ email: 'ana@example.com', phone: '+34600000001' })
  await automate({ type: 'vip_reward', criteria: { min_spend: 100 } })
  await bySms()
  await runAt()
  expect(resend.accepted[0]?.email.headers).toMatchObject({
    'List-Unsubscribe': expect.stringMatching(
      /^<https:\/\/crm-ejemplo\.vercel\.app\/u\/[\w-]+\?m=[\w-]{21}>$/,
    ),
  })
  expect(twilio.accepted[0]?.form.StatusCallback).toMatch(
    /^https:\/\/crm-ejemplo\.vercel\.app\/api\/webhooks\/twilio\?message=/,
  )
})
