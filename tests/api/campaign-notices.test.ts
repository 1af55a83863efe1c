import { expect, it } from 'vitest'
import { noQuietHours } from '../factories/messaging'
import { app, group, guests, sql, withDelivery } from '../support/delivery'
import { answer, signedIn } from '../support/sign-in'

// The bell: campaigns that wait for the approval of the person who looks.
withDelivery()

it('counts waiting campaigns for those who may approve them, not for the person who launched them', async () => {
  const asker = await signedIn(await group.person('marketing'))
  const boss = await signedIn(await group.person('ceo'))
  const bound = await signedIn(await group.person('marketing', [String(group.locations[0]?.id)]))
  const waiter = await signedIn(await group.person('operaciones'))
  await noQuietHours(app.stack)
  await sql('update public.organizations set campaign_approve_above = 1, control_share = 0')
  await guests(2)
  const segment = await answer(
    await asker.request('POST', '/api/segments', {
      body: { name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
    }),
  )
  const made = await answer(
    await asker.request('POST', '/api/campaigns', {
      body: {
        name: 'Otoño',
        segment_id: segment.body.data.id,
        messages: [{ step: 1, channel: 'sms', body: 'Hola' }],
      },
    }),
  )
  const waiting = async () =>
    Promise.all(
      [asker, boss, bound, waiter].map(
        async (one) => (await answer(await one.request('GET', '/api/notices'))).body.data.waiting_campaigns,
      ),
    )
  expect(await waiting()).toEqual([0, 0, 0, 0])
  const path = `/api/campaigns/${made.body.data.id}`
  const launched = await answer(
    await asker.request('POST', `${path}/launch`, { body: { guests: 2, version: 1 } }),
  )
  expect(launched.body.data).toMatchObject({ status: 'waiting_approval', guests: 2 })
  // Someone bound to a location does not see a campaign to all of them.
  expect(await waiting()).toEqual([0, 1, 0, 0])
  expect((await boss.request('POST', `${path}/refuse`, { body: {} })).status).toBe(200)
  expect(await waiting()).toEqual([0, 0, 0, 0])
})
