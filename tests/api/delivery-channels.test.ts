import { beforeAll, describe, expect, it } from 'vitest'
import { aboutOf } from '@/lib/automations/types'
import { readSubscription } from '@/lib/messaging/unsubscribe'
import { TWILIO } from '../factories/integrations'
import type { NewAutomation } from '../factories/messaging'
import { matches } from '../support/audience-oracle'
import {
  app,
  automate,
  group,
  NOON,
  resend,
  runAt,
  SITE,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { drawPeople, type Person } from '../support/drawn-people'

withDelivery()

let drawn: Awaited<ReturnType<typeof drawPeople>>
beforeAll(async () => {
  drawn = await drawPeople(app.stack, group, 400)
})

const TYPES: NewAutomation[] = [
  { type: 'birthday', criteria: { days_before: 30 } },
  { type: 'reengagement', criteria: { inactive_days: 60 } },
  { type: 'vip_reward', criteria: { min_spend: 2000 } },
  { type: 'post_visit', criteria: { hours_after: 1, window_hours: 200 } },
  { type: 'no_show', criteria: { hours_after: 1, window_hours: 200 } },
  { type: 'reservation_confirmation', criteria: {} },
]
const CHANNELS = ['email', 'sms', 'whatsapp'] as const
const CASES = TYPES.flatMap((automation) =>
  CHANNELS.map((channel) => [automation.type, channel, automation] as const),
)

/** Who should hear of it: marketing once a person, a confirmation once a reservation. */
function audience(automation: NewAutomation, address: 'email' | 'phone'): Person[] {
  const found = matches(automation, drawn.guests, drawn.visits, drawn.tierRanks, NOON)
  const owners = new Map(drawn.visits.map((visit) => [visit.id, visit.customer_id]))
  const isVisit = aboutOf(automation.type) !== 'guest'
  const ids = found.map((id) => (isVisit ? owners.get(id) : id))
  const once = automation.type === 'reservation_confirmation' ? ids : [...new Set(ids)]
  return (
    once
      .map((id) => drawn.guests.find((person) => person.id === id))
      .filter((person) => person !== undefined)
      .filter((person) => person[address] !== null)
      // Those who never came have given no basis for marketing.
      .filter((person) => automation.type === 'reservation_confirmation' || person.total_visits > 0)
  )
}

describe('what arrives is what the audience says', () => {
  it.each(CASES)('%s by %s', async (type, channel, automation) => {
    await automate({
      ...automation,
      channel,
      subject: 'Hola {{ first_name }}',
      body: 'Te esperamos, {{ first_name }}. {{ unsubscribe_url }}',
      ...(channel === 'whatsapp'
        ? { content_sid: `HX${'0'.repeat(32)}`, content_variables: { '1': '{{ first_name }}' } }
        : {}),
    })
    const expected = audience(automation, channel === 'email' ? 'email' : 'phone')
    expect(expected.length).toBeGreaterThan(3)
    const { statistics } = await runAt()
    expect(statistics.totalSent).toBe(expected.length)
    const heard =
      channel === 'email'
        ? resend.accepted.map(
            ({ email }) => `${email.to} ${email.subject} ${String(email.text).split('.')[0]}`,
          )
        : twilio.accepted.map(
            ({ form }) => `${form.To} ${form.From} ${form.Body?.split('.')[0] ?? form.ContentVariables}`,
          )
    const said = expected.map(({ first_name, email, phone }) => {
      if (channel === 'email') return `${email} Hola ${first_name} Te esperamos, ${first_name}`
      if (channel === 'sms') return `${phone} ${TWILIO.sms_from} Te esperamos, ${first_name}`
      return `whatsapp:${phone} whatsapp:${TWILIO.whatsapp_from} {"1":"${first_name}"}`
    })
    expect(heard.sort()).toEqual(said.sort())
    expect((await tally()).filter((line) => line.startsWith('sent'))).toEqual([`sent ${expected.length}`])

    // The same again changes nothing: everyone has heard.
    expect((await runAt()).statistics.totalSent).toBe(0)
    expect(resend.accepted.length + twilio.accepted.length).toBe(expected.length)
    if (channel === 'email') for (const { email } of resend.accepted) await expectFarewell(email, type)
  })
})

/** Marketing can be left with one click, by the recipient's own link; a confirmation has none of it in its headers. */
async function expectFarewell(email: Record<string, unknown>, type: string) {
  const url = new RegExp(`${SITE}/u/[\\w-]+\\?m=[\\w-]{21}`).exec(String(email.text))?.[0] ?? ''
  const subscription = await readSubscription(new URL(url).pathname.slice('/u/'.length))
  expect(subscription).toMatchObject({
    recipient: { organizationId: group.id, channel: 'email', address: email.to },
  })
  const headers = { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  expect(email.headers).toEqual(type === 'reservation_confirmation' ? {} : headers)
}
