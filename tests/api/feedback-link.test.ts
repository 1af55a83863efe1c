import { expect, it } from 'vitest'
import { readSurvey } from '@/lib/feedback/survey'
import { createReservation } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  ANA,
  app,
  automate,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  locationId,
  NOON,
  withOutbox,
} from '../support/outbox'
import { answer, signedIn } from '../support/sign-in'

withOutbox()

const LINK = /^Hola: https:\/\/crm\.example\/f\/([\w-]+)(?:\n|$)/
const body = 'Hola: {{ feedback_link }}'
const tokenIn = (text: string | undefined) => LINK.exec(text ?? '')?.[1] ?? ''
const post = async (client: Client, path: string, draft: object) =>
  answer(await client.request('POST', path, { body: draft }))

it('a message after a visit carries the link to its survey, one about a booking ahead has none', async () => {
  const ana = await guest(ANA)
  const about = { customer_id: ana, location_id: locationId('Norte') }
  await createReservation(app.stack, group.id, {
    ...{ ...about, reservation_date: '2026-11-18', status: 'completed', service_over: true },
  })
  await createReservation(app.stack, group.id, { ...about, reservation_date: '2026-11-25' })
  const { sent, providers } = fakeProvider()
  for (const type of ['post_visit', 'reservation_confirmation'] as const)
    await enqueue(await automate({ type, channel: 'sms', body, criteria: {} }))
  await drainAt(NOON, providers)
  const texts = sent.map(({ content }) => content.body).sort()
  expect(texts).toEqual(['Hola:', expect.stringMatching(LINK)])
  expect(await readSurvey(tokenIn(texts[1]), NOON)).toEqual({
    ...{ state: 'open', firstName: 'Ana', locationName: 'Norte', score: null, reviewUrls: [] },
    ...{ language: null, groupLanguage: 'es' },
  })
})

it('the link is refused in other automations, and previews show an example', async () => {
  const boss = await signedIn(await group.person('super_admin'))
  const ana = await guest(ANA)
  await createReservation(app.stack, group.id, {
    ...{ customer_id: ana, location_id: locationId('Norte'), reservation_date: '2026-11-18' },
    ...{ status: 'completed', service_over: true },
  })
  const draft = { name: 'Gracias', channel: 'sms', body }
  for (const type of ['birthday', 'reservation_confirmation']) {
    const refused = await post(boss, '/api/automations', { ...draft, type })
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'body', code: 'only_after_visit' }] },
    })
  }
  expect((await post(boss, '/api/automations', { ...draft, type: 'post_visit' })).status).toBe(201)
  const preview = await post(boss, '/api/automations/preview', { type: 'post_visit', channel: 'sms', body })
  expect(preview.status).toBe(200)
  expect(await readSurvey(tokenIn(preview.body.data.sample.body))).toMatchObject({ state: 'example' })
})
