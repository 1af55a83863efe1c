import { beforeAll, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, bySms, group, guests, sql, tally, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

withDelivery()

let boss: Client
beforeAll(async () => {
  boss = await signedIn(await group.person('marketing'))
})

const run = async (id: string) =>
  (await answer(await boss.request('POST', `/api/automations/${id}/run`))).body
const log = async (id: string) =>
  (await answer(await boss.request('GET', `/api/automations/${id}/runs`))).body.data
const resume = async (id: string, run: string, client = boss) =>
  answer(await client.request('POST', `/api/automations/${id}/runs/${run}/resume`))

/** A run of so many that the provider refuses all of. */
async function pausedRun(count = 60) {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers'))
  await guests(count)
  const id = await bySms()
  twilio.setFault({ kind: 'reject', status: 401, code: 20003 })
  const body = await run(id)
  return { id, body, run: (await log(id))[0] }
}

describe('a run to which nothing gets through', () => {
  it('pauses and says why, and sends nothing more by itself', async () => {
    const { id, body, run: paused } = await pausedRun()
    expect(paused).toMatchObject({
      status: 'paused',
      reason: 'provider_auth',
      processed: 60,
      pending: 60,
      finished_at: null,
    })
    expect(body).toMatchObject({
      processed: 60,
      sent: 0,
      failed: 0,
      pending: 60,
      errors: ['paused: provider_auth'],
    })
    twilio.setFault(null)
    await sql(`update public.messages set not_before = now() - interval '1 hour'`)
    await sql('delete from public.channel_pace')
    const requests = twilio.requests.length
    expect(await run(id)).toMatchObject({ processed: 0 })
    expect(twilio.requests).toHaveLength(requests)
  })

  it('continues when a person resumes it, and each customer gets one message', async () => {
    const { id, run: paused } = await pausedRun()
    twilio.setFault(null)
    const { status, body } = await resume(id, paused.id)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: paused.id, status: 'running', reason: null, pending: 60 })
    await waitForDetachedWork()
    expect(twilio.accepted).toHaveLength(60)
    expect(new Set(twilio.accepted.map(({ form }) => form.To)).size).toBe(60)
    expect((await log(id))[0]).toMatchObject({ status: 'finished', sent: 60, pending: 0 })
    expect(await resume(id, paused.id)).toEqual(refusal('NOT_PAUSED'))
  })

  it('pauses again when nothing has changed', async () => {
    const { id, run: paused } = await pausedRun()
    await resume(id, paused.id)
    await waitForDetachedWork()
    expect((await log(id))[0]).toMatchObject({ status: 'paused', reason: 'provider_auth' })
  })

  it('does not pause for nine, nor when one gets through in between', async () => {
    const { run: nine } = await pausedRun(9)
    expect(nine).toMatchObject({ status: 'running' })
    await sql(`update public.messages set status = 'sending', lease_token = id`)
    const finish = (outcomes: string[]) =>
      sql(
        `select public.finish_messages((select jsonb_agg(jsonb_build_object('id', id, 'lease_token', id, 'provider', 'p',
           'outcome', o.outcome, 'reason', 'provider_timeout') order by place)
         from (select id, row_number() over (order by id) as place from public.messages where status = 'sending') m
         join unnest($1::text[]) with ordinality as o (outcome, nth) on o.nth = m.place))`,
        [outcomes],
      )
    await finish(['sent', 'failed', 'failed'])
    const failures = 'select failures, status from public.automation_runs'
    expect(await sql(failures)).toEqual([{ failures: 2, status: 'running' }])
    await finish(['failed'])
    expect(await sql(failures)).toEqual([{ failures: 3, status: 'running' }])
    await finish(['failed', 'sent'])
    expect(await sql(failures)).toEqual([{ failures: 0, status: 'running' }])
  })

  it('is finished, not paused, when its last messages were the ones that failed', async () => {
    await noQuietHours(app.stack)
    await sql(emptyTables('customers'))
    await guests(12)
    const id = await bySms()
    twilio.setFault({ kind: 'reject', status: 400, code: 21211 })
    await run(id)
    expect((await log(id))[0]).toMatchObject({ status: 'finished', reason: null, failed: 12 })
    expect(await tally()).toEqual(['failed invalid_number 12'])
  })
})

describe('POST /api/automations/{id}/runs/{runId}/resume', () => {
  it('finds no run of another automation, and takes ids in capitals', async () => {
    const { id, run: paused } = await pausedRun(12)
    const missing = refusal('NOT_FOUND')
    expect(await resume(await bySms(), paused.id)).toEqual(missing)
    expect((await log(id))[0]).toMatchObject({ status: 'paused' })
    expect((await resume(id.toUpperCase(), paused.id.toUpperCase())).status).toBe(200)
    await waitForDetachedWork()
  })
})
