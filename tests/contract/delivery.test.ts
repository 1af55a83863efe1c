import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { createAutomation, createCustomer } from '../factories/messaging'
import { type FakeResend, startFakeResend } from '../fakes/resend/server'
import { type FakeTwilio, startFakeTwilio } from '../fakes/twilio/server'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { signIn } from './http-client'

let stack: Stack
let twilio: FakeTwilio
let resend: FakeResend
let built: BuiltApp
let group: Group
beforeAll(async () => {
  stack = await startStack()
  twilio = await startFakeTwilio({ accountSid: TWILIO.account_sid, authToken: TWILIO.auth_token })
  resend = await startFakeResend({ apiKey: RESEND.api_key, webhookSecret: RESEND.webhook_secret })
  built = await startBuiltApp(stack, {
    APP_URL: 'https://crm.example',
    TWILIO_BASE_URL: twilio.url,
    RESEND_BASE_URL: resend.url,
  })
  group = await createGroup(stack, 'Grupo Envío', [{ name: 'Norte', slug: 'norte' }])
  await connect(stack, group.id, 'twilio', TWILIO)
  await connect(stack, group.id, 'resend', RESEND)
  await stack.sql(
    `update public.organizations set frequency_cap_days = 0, quiet_from = '00:00', quiet_until = '00:00'`,
  )
  for (const name of ['ana', 'bea'])
    await createCustomer(stack, group.id, {
      first_name: name,
      email: `${name}@correo.example`,
      phone: `+346000000${name.charCodeAt(0)}`,
      total_spend: 500,
    })
})
afterAll(async () => {
  await Promise.all([built?.stop(), twilio?.close(), resend?.close()])
  await stack?.close()
})

/** Runs an automation for everybody by that channel, as its manager does, and gives the answer. */
async function run(channel: 'email' | 'sms'): Promise<unknown> {
  const id = await createAutomation(stack, group.id, {
    type: 'vip_reward',
    channel,
    criteria: { min_spend: 100 },
  })
  const { email } = await group.person('marketing')
  const client = await signIn(built.url, email)
  const response = await client.request('POST', `/api/automations/${id}/run`)
  return response.json()
}

it('the built app sends by Resend, with a page of HTML and the plain text', async () => {
  expect(await run('email')).toMatchObject({ success: true, processed: 2, sent: 2, failed: 0 })
  expect(resend.accepted.map(({ email }) => email.to).sort()).toEqual([
    'ana@correo.example',
    'bea@correo.example',
  ])
  for (const { email } of resend.accepted) {
    expect(email.html).toMatch(/^<!DOCTYPE html.+Te esperamos.+<\/html>/s)
    expect(email.text).toContain('Te esperamos')
  }
  expect(new Set(resend.accepted.map(({ key }) => key)).size).toBe(1)
})

it('the built app sends by Twilio', async () => {
  expect(await run('sms')).toMatchObject({ success: true, processed: 2, sent: 2, failed: 0 })
  expect(twilio.accepted).toHaveLength(2)
})
