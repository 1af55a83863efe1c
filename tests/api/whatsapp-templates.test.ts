import { beforeEach, describe, expect, it } from 'vitest'
import { HttpError } from '@/lib/http/errors'
import { listWhatsAppTemplates } from '@/lib/messaging/whatsapp-templates'
import { group, sql, twilio, withDelivery } from '../support/delivery'
import { answer, signedIn } from '../support/sign-in'

withDelivery()
beforeEach(() => {
  twilio.contents.length = 0
})

const sid = (n: number) => `HX${String(n).padStart(32, '0')}`
const content = (n: number, more: object = {}) => ({
  sid: sid(n),
  account_sid: 'AC',
  friendly_name: `plantilla_${String(n).padStart(4, '0')}`,
  language: 'es',
  variables: { 1: 'Ana' },
  types: { 'twilio/text': { body: 'Hola {{1}}, te esperamos en {{2}}' } },
  approval_requests: { status: 'approved', rejection_reason: '' },
  ...more,
})
const list = async () => {
  const boss = await signedIn(await group.person('marketing'))
  return answer(await boss.request('GET', '/api/whatsapp-templates'))
}
const session = () => ({ organization: group.organization })

describe('the WhatsApp templates', () => {
  it('come from Twilio with their text, language, variables and state', async () => {
    twilio.contents.push(
      content(2, {
        approval_requests: { status: 'rejected', rejection_reason: 'PROMOTIONAL' },
        language: 'en',
      }),
      content(1),
      content(3, { types: { 'twilio/quick-reply': { body: '¿Vienes?', actions: [] } }, variables: {} }),
      content(4, { approval_requests: { status: 'received' } }),
      content(5, { approval_requests: { status: 'paused' } }),
      content(6, { approval_requests: null, types: null }),
      { sid: 'no es una plantilla' },
    )
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body.data[0]).toEqual({
      sid: sid(1),
      name: 'plantilla_0001',
      language: 'es',
      state: 'approved',
      rejection_reason: null,
      body: 'Hola {{1}}, te esperamos en {{2}}',
      variables: ['1', '2'],
    })
    expect(body.data[1]).toMatchObject({ state: 'rejected', rejection_reason: 'PROMOTIONAL', language: 'en' })
    expect(body.data[2]).toMatchObject({ body: '¿Vienes?', variables: [] })
    expect(body.data.slice(3).map(({ state }: { state: string }) => state)).toEqual([
      'pending',
      'paused',
      'unsubmitted',
    ])
  })

  it('come page by page, from the configured host whatever the answer names', async () => {
    for (let n = 0; n < 450; n++) twilio.contents.push(content(n))
    expect((await list()).body.data).toHaveLength(450)
    expect(twilio.requests).toHaveLength(3)
  })

  it('are none without the integration, or when Twilio does not answer, and the reason is clear', async () => {
    twilio.setFault({ kind: 'error_before' })
    expect(await list()).toEqual({
      status: 502,
      body: expect.objectContaining({ code: 'TWILIO_UNAVAILABLE' }),
    })
    twilio.setFault({ kind: 'hang' })
    await expect(listWhatsAppTemplates(session(), 200)).rejects.toBeInstanceOf(HttpError)
    twilio.setFault({ kind: 'garbage' })
    expect((await list()).status).toBe(502)
    twilio.setFault(null)
    await sql(`update public.integration_configs set is_enabled = false where integration_type = 'twilio'`)
    expect(await list()).toEqual({
      status: 409,
      body: expect.objectContaining({ code: 'TWILIO_NOT_CONFIGURED' }),
    })
  })
})
