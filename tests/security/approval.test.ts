import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { drain } from '@/lib/messaging/drain'
import type { OutboundMessage, Provider } from '@/lib/messaging/provider'
import { cancelHeld } from '@/lib/messaging/queue'
import type { Person } from '../factories/group'
import { noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import { app, bySms, group, guests, runAt, service, sql, twilio, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// A large send leaves only when a second person says so, and any send can be stopped.
withDelivery()

const ABOVE = 3
const HOUR_MS = 3_600_000
let asker: Person
let second: Person
let third: Person
let bound: Person
let waiter: Person
let as: Record<'asker' | 'second' | 'third' | 'bound' | 'waiter', Client>

beforeAll(async () => {
  asker = await group.person('marketing')
  second = await group.person('ceo')
  third = await group.person('admin')
  bound = await group.person('marketing', [String(group.locations[0]?.id)])
  waiter = await group.person('operaciones')
  as = {
    asker: await signedIn(asker),
    second: await signedIn(second),
    third: await signedIn(third),
    bound: await signedIn(bound),
    waiter: await signedIn(waiter),
  }
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers'))
  await sql(
    'update public.organizations set approve_above = $1, sending_stopped_at = null, sending_stopped_by = null',
    [ABOVE],
  )
})

type Name = keyof typeof as
interface Run {
  id: string
  automation_id: string
  status: string
  guests: number | null
  sent: number
  skipped: number
  pending: number
  decided_by: string | null
  stopped_by: string | null
}
const start = async (id: string, who: Name = 'asker') =>
  (await answer(await as[who].request('POST', `/api/automations/${id}/run`))).body
const log = async (id: string): Promise<Run[]> =>
  (await answer(await as.third.request('GET', `/api/automations/${id}/runs`))).body.data
const ask = async (run: Run, way: string, who: Name, body?: object) =>
  answer(
    await as[who].request('POST', `/api/automations/${run.automation_id}/runs/${run.id}/${way}`, { body }),
  )
const approve = (run: Run, who: Name = 'second', seen = run.guests ?? 0) =>
  ask(run, 'approve', who, { guests: seen })
async function waiting(count = 8): Promise<Run> {
  await guests(count)
  const id = await bySms()
  await start(id)
  const [run] = await log(id)
  if (!run) throw new Error('no run')
  return run
}
const refresh = async ({ automation_id }: Run) => (await log(automation_id))[0]
const drainNow = (provider: Provider, now = new Date()) =>
  drain({
    db: service(),
    organizationId: group.id,
    now: () => now,
    signal: new AbortController().signal,
    providers: { sms: provider },
    sleep: async () => undefined,
  })

describe('a send to more guests than the organization lets one person write to', () => {
  it('waits, returns its counts in the contract’s form, and no drain sends anything', async () => {
    await guests(8)
    const id = await bySms()
    expect(await start(id)).toEqual({
      ...{ success: true, processed: 8, sent: 0, skipped: 0, failed: 0, pending: 8 },
      ...{ status: 'waiting_approval', errors: [], timestamp: expect.any(String) },
    })
    await runAt(new Date())
    expect(twilio.requests).toEqual([])
    expect(await log(id)).toContainEqual(
      expect.objectContaining({ status: 'waiting_approval', guests: 8, pending: 8 }),
    )
  })

  it('is not held at exactly as many, nor where nothing is set', async () => {
    await guests(ABOVE)
    expect(await start(await bySms())).toMatchObject({ sent: ABOVE, pending: 0 })
    await sql('update public.organizations set approve_above = null')
    await sql(emptyTables('customers'))
    await guests(8)
    const id = await bySms({ name: 'Otra' })
    expect(await start(id)).toMatchObject({ sent: 8 })
    expect((await refresh({ automation_id: id } as Run))?.status).toBe('finished')
  })

  it('by the scheduler waits too, for any one person', async () => {
    await guests(8)
    const id = await bySms()
    await runAt(new Date())
    await runAt(new Date())
    const runs = await log(id)
    const run = runs.find(({ status }) => status === 'waiting_approval') as Run
    expect([twilio.requests.length, run.guests]).toEqual([0, 8])
    expect(await approve(run, 'asker')).toMatchObject({ status: 200 })
    await waitForDetachedWork()
    expect(twilio.accepted).toHaveLength(8)
  })

  it('planned in parts is held from the first part on, and only as a whole let go', async () => {
    await guests(8)
    const id = await bySms()
    const base = { p_organization: group.id, p_automation: id, p_triggered_by: 'manual', p_limit: 3 }
    const first = await service().rpc('enqueue_run', base).throwOnError()
    const { run_id } = first.data as { run_id: string }
    const provider: Provider = { name: 'fake', send: async () => expect.unreachable() }
    await drainNow(provider)
    await service()
      .rpc('enqueue_run', { ...base, p_run: run_id })
      .throwOnError()
    await drainNow(provider)
    await service()
      .rpc('enqueue_run', { ...base, p_run: run_id })
      .throwOnError()
    expect(
      await sql('select status, guests, processed from public.automation_runs where id = $1', [run_id]),
    ).toEqual([{ status: 'waiting_approval', guests: 8, processed: 8 }])
  })
})

describe('approving', () => {
  it('is not for who started it, by HTTP or by the database API, also when they switch the setting off', async () => {
    const run = await waiting()
    const own = refusal('OTHER_APPROVER_NEEDED')
    expect(await approve(run, 'asker')).toEqual(own)
    const direct = await asker.db.rpc('decide_run', { p_run: run.id, p_approve: true, p_guests: 8 })
    expect(direct.data).toBe('own')
    await sql('update public.organizations set approve_above = null')
    expect(await approve(run, 'asker')).toEqual(own)
    await start(run.automation_id)
    await runAt(new Date())
    expect(twilio.requests).toEqual([])
    expect(await refresh(run)).toBeDefined()
    expect((await log(run.automation_id)).find(({ id }) => id === run.id)?.status).toBe('waiting_approval')
  })

  it('by an admin who started it and then wants the setting off is refused all the same', async () => {
    await guests(8)
    const id = await bySms()
    await start(id, 'third')
    const [run] = (await log(id)) as [Run]
    const off = await as.third.request('PATCH', '/api/organization', { body: { approve_above: null } })
    expect(off.status).toBe(202)
    expect((await approve(run, 'third')).status).toBe(403)
    expect((await refresh(run))?.status).toBe('waiting_approval')
  })

  it('by a second person sends each once', async () => {
    const run = await waiting()
    expect(await approve(run)).toMatchObject({ status: 200, body: { data: { status: 'running' } } })
    await waitForDetachedWork()
    const to = twilio.accepted.map(({ form }) => form.To)
    expect([to.length, new Set(to).size]).toEqual([8, 8])
    expect(await refresh(run)).toMatchObject({ status: 'finished', sent: 8, decided_by: second.email })
    expect(await approve(run)).toEqual(refusal('NOT_WAITING'))
  })

  it('of two at once counts one, and each guest hears once', async () => {
    const run = await waiting()
    const answers = await Promise.all([approve(run, 'second'), approve(run, 'third')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    await waitForDetachedWork()
    expect(twilio.accepted).toHaveLength(8)
  })

  it('is for what was seen: other numbers, or another text, do not pass', async () => {
    const run = await waiting()
    expect(await approve(run, 'second', 7)).toEqual(refusal('RUN_CHANGED'))
    await sql(`update public.automations set body = 'Otra cosa' where id = $1`, [run.automation_id])
    expect((await approve(run)).status).toBe(200)
    await waitForDetachedWork()
    expect(twilio.accepted).toEqual([])
    expect(await refresh(run)).toMatchObject({ sent: 0, skipped: 8 })
  })

  it('is refused to other roles and to people of other locations, by the database API too', async () => {
    const run = await waiting()
    expect((await approve(run, 'waiter')).status).toBe(403)
    expect((await approve(run, 'bound')).status).toBe(404)
    for (const { db } of [waiter, bound]) {
      expect((await db.rpc('decide_run', { p_run: run.id, p_approve: true, p_guests: 8 })).data).toBe(
        'not_found',
      )
      expect((await db.rpc('stop_run', { p_run: run.id })).data).toBe('not_found')
      expect((await db.rpc('stop_sending', { p_stop: true })).data).toBe('forbidden')
    }
    const written = await asker.db.from('automation_runs').update({ status: 'running' }).eq('id', run.id)
    expect(written.error?.code).toBe('42501')
    expect((await refresh(run))?.status).toBe('waiting_approval')
  })

  it('is reported to people who may decide, not to the person who asks', async () => {
    await waiting()
    const told = async (who: Name) =>
      (await answer(await as[who].request('GET', '/api/notices'))).body.data.waiting_runs
    expect([await told('asker'), await told('second'), await told('waiter')]).toEqual([0, 1, 0])
  })
})

describe('what is not approved', () => {
  it('is written off when refused, and the scheduler does not begin it anew', async () => {
    const run = await waiting()
    expect(await ask(run, 'refuse', 'second')).toMatchObject({
      status: 200,
      body: { data: { status: 'refused', skipped: 8, pending: 0 } },
    })
    await runAt(new Date(Date.now() + 30 * HOUR_MS))
    expect(twilio.requests).toEqual([])
    expect(await approve(run)).toEqual(refusal('NOT_WAITING'))
  })

  it('is over after 24 hours: nothing of it leaves, and no one can approve it', async () => {
    const run = await waiting()
    const soon = new Date(Date.now() + 23 * HOUR_MS)
    await cancelHeld(service(), group.id, soon)
    expect((await refresh(run))?.status).toBe('waiting_approval')
    await cancelHeld(service(), group.id, new Date(Date.now() + 25 * HOUR_MS))
    expect(await refresh(run)).toMatchObject({ status: 'expired', skipped: 8, pending: 0 })
    expect((await approve(run)).status).toBe(409)
    await runAt(new Date(Date.now() + 26 * HOUR_MS))
    expect(twilio.requests).toEqual([])
  })

  it('is over at that moment, also before the scheduler has noticed', async () => {
    const run = await waiting()
    await sql(`update public.automation_runs set expires_at = now() - interval '1 second' where id = $1`, [
      run.id,
    ])
    expect(await approve(run)).toEqual(refusal('NOT_WAITING'))
  })
})

describe('the stop button', () => {
  it('in the middle of two drainers writes off what is queued, once, and lets what is leased end', async () => {
    await sql('update public.organizations set approve_above = null')
    await guests(900)
    const id = await bySms()
    const planned = { p_organization: group.id, p_automation: id, p_triggered_by: 'manual' }
    await service().rpc('enqueue_run', planned).throwOnError()
    const [run] = (await log(id)) as [Run]
    const sent: string[] = []
    let stopped: Promise<{ status: number }> | undefined
    const provider: Provider = {
      name: 'fake',
      send: async (batch: OutboundMessage[]) => {
        // While the first batches are under way.
        stopped ??= ask(run, 'stop', 'second')
        await stopped
        sent.push(...batch.map(({ id }) => id))
        return batch.map(({ id }) => ({ kind: 'accepted', providerId: `fake-${id}` }))
      },
    }
    await Promise.all([drainNow(provider), drainNow(provider)])
    expect((await stopped)?.status).toBe(200)
    await cancelHeld(service(), group.id, new Date())
    const after = (await refresh(run)) as Run
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.length).toBeLessThan(900)
    expect(after).toMatchObject({
      status: 'stopped',
      sent: sent.length,
      skipped: 900 - sent.length,
      pending: 0,
    })
    expect(after.stopped_by).toBe(second.email)
    const more = sent.length
    await drainNow(provider)
    await runAt(new Date(Date.now() + 30 * HOUR_MS))
    expect([sent.length, twilio.requests.length]).toEqual([more, 0])
    expect(await ask(run, 'stop', 'second')).toEqual(refusal('NOT_RUNNING'))
  })

  it('holds for what was leased and has to be tried again', async () => {
    await sql('update public.organizations set approve_above = null')
    await guests(2)
    const id = await bySms()
    const planned = { p_organization: group.id, p_automation: id, p_triggered_by: 'manual' }
    await service().rpc('enqueue_run', planned).throwOnError()
    const [run] = (await log(id)) as [Run]
    let tries = 0
    const busy: Provider = {
      name: 'fake',
      send: async (batch) => {
        if (tries++ === 0) await ask(run, 'stop', 'second')
        return batch.map(() => ({ kind: 'retryable', reason: 'provider_busy', afterSeconds: 30 }))
      },
    }
    await drainNow(busy)
    const once = tries
    await drainNow(busy, new Date(Date.now() + HOUR_MS))
    expect(tries).toBe(once)
    await cancelHeld(service(), group.id, new Date())
    expect(await refresh(run)).toMatchObject({ status: 'stopped', sent: 0, skipped: 2, pending: 0 })
  })

  it('and an approval at once: all of it leaves before the stop, or is written off', async () => {
    const run = await waiting()
    const [approved, stopped] = await Promise.all([approve(run, 'second'), ask(run, 'stop', 'third')])
    await waitForDetachedWork()
    expect([200, 409]).toContain(approved.status)
    expect([200, 409]).toContain(stopped.status)
    const after = (await refresh(run)) as Run
    expect([after.sent + after.skipped, after.pending]).toEqual([8, 0])
    expect(twilio.accepted).toHaveLength(after.sent)
    if (stopped.status === 200) expect(after.status).toBe('stopped')
  })

  it('for everything stops the queue and the start of runs, not the notices, until it is lifted', async () => {
    await sql('update public.organizations set approve_above = null')
    await guests(4)
    const id = await bySms()
    const planned = { p_organization: group.id, p_automation: id, p_triggered_by: 'manual' }
    await service().rpc('enqueue_run', planned).throwOnError()
    const put = async (stopped: boolean, who: Name) =>
      answer(await as[who].request('PUT', '/api/automations/sending', { body: { stopped } }))
    expect((await put(true, 'waiter')).status).toBe(403)
    expect((await put(true, 'bound')).status).toBe(403)
    expect(await put(true, 'asker')).toMatchObject({
      status: 200,
      body: { data: { stopped_by: asker.email } },
    })
    await sql(
      `insert into public.messages (organization_id, kind, purpose, channel, recipient, dedupe_key, content)
       values ($1, 'notification', 'ticket_notification', 'sms', '+34600999999', 'notice', '{"body": "Aviso"}')`,
      [group.id],
    )
    expect(await start(id)).toMatchObject({
      success: true,
      processed: 0,
      sent: 0,
      errors: ['All sending is stopped'],
    })
    await runAt(new Date())
    expect(twilio.accepted.map(({ form }) => form.To)).toEqual(
      twilio.accepted.length > 0 ? ['+34600999999'] : [],
    )
    const queued = `select count(*)::int as n from public.messages where automation_id is not null and status = 'queued'`
    expect(await sql(queued)).toEqual([{ n: 4 }])
    expect((await put(false, 'second')).status).toBe(200)
    await runAt(new Date())
    expect(await sql(queued)).toEqual([{ n: 0 }])
  })
})

describe('the log', () => {
  it('says who approved, refused and stopped', async () => {
    const run = await waiting()
    await approve(run)
    await waitForDetachedWork()
    const actions = await sql<{ action: string; actor: string }>(
      `select action, actor from public.audit_log where action = 'automation.approved'
       order by created_at desc limit 1`,
    )
    expect(actions).toEqual([{ action: 'automation.approved', actor: second.email }])
  })
})
