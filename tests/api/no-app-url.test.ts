import { beforeEach, describe, expect, it } from 'vitest'
import { connect, RESEND } from '../factories/integrations'
import { createReservation, noQuietHours } from '../factories/messaging'
import {
  app,
  automate,
  bySms,
  group,
  guest,
  later,
  NOON,
  phones,
  resend,
  runAt,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// Neither APP_URL nor Vercel's own: an unsubscribe link would lead nowhere.
withDelivery({ MESSAGE_SANDBOX: '0', APP_URL: '' })

beforeEach(() => sql(emptyTables('customers', 'reservations')))

const marketing = (more = {}) => automate({ type: 'vip_reward', criteria: { min_spend: 100 }, ...more })
const ana = () => guest({ first_name: 'Ana', email: 'ana@example.com', phone: '+34600000001' })

describe('while the app has no public address', () => {
  it('no marketing e-mail leaves, which uses up nothing, and the preview says so', async () => {
    await noQuietHours(app.stack)
    await ana()
    const id = await marketing()
    const { statistics } = await runAt()
    expect(statistics).toMatchObject({ totalProcessed: 1, totalSent: 0, totalSkipped: 1 })
    expect(await tally()).toEqual(['skipped no_app_url 1'])
    expect((await runAt(later(15))).statistics.totalProcessed).toBe(0)
    const boss = await signedIn(await group.person('marketing'))
    const preview = await answer(await boss.request('GET', `/api/automations/${id}/preview`))
    expect(preview.body.data).toMatchObject({ to_send: 0, skipped: { no_app_url: 1, no_provider: 0 } })
    const test = await answer(await boss.request('POST', `/api/automations/${id}/test`, { body: {} }))
    expect(test.body.data).toMatchObject({ status: 'skipped', reason: 'no_app_url' })
    expect(resend.requests).toEqual([])
  })

  it('a missing provider is said first', async () => {
    await connect(app.stack, group.id, 'resend', RESEND, false)
    await ana()
    await marketing()
    await runAt()
    expect(await tally()).toEqual(['skipped no_provider 1'])
  })

  it('it goes by the fallback channel, and SMS without a report address', async () => {
    await ana()
    await marketing({ fallback_channel: 'sms' })
    await runAt()
    expect(phones()).toEqual(['+34600000001'])
    expect(twilio.accepted[0]?.form).not.toHaveProperty('StatusCallback')
  })

  it('an e-mail that was planned when it had one does not leave either', async () => {
    await ana()
    const id = await bySms()
    await runAt(new Date('2026-11-20T22:00:00Z'))
    await sql(`update public.automations set channel = 'email' where id = $1`, [id])
    await sql(`update public.messages set channel = 'email'`)
    const { statistics } = await runAt(new Date('2026-11-21T09:00:00Z'))
    expect(statistics).toMatchObject({ totalSent: 0, totalSkipped: 1 })
    expect(await tally()).toEqual(['skipped no_app_url 1'])
    expect(resend.requests).toEqual([])
  })

  it('a confirmation of one’s own reservation leaves', async () => {
    const customer_id = await ana()
    await createReservation(app.stack, group.id, {
      customer_id,
      location_id: group.locations[0]?.id,
      reservation_date: '2026-11-21',
    })
    await automate({ type: 'reservation_confirmation' })
    await runAt(NOON)
    expect(resend.accepted.map(({ email }) => email.to)).toEqual(['ana@example.com'])
  })
})
