import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { notificationSchema, renderNotification } from '@/lib/messaging/notification'
import { raiseDueLimits } from '@/lib/organization/pending'
import { claimsOf, createGroup, type Group, type Person, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// Nobody raises alone the limit above which others have to approve.
const HOUR_MS = 3_600_000
const PATH = '/api/organization'
let app: TestApp
let group: Group
let asker: Person
let ceo: Person
let as: Record<'asker' | 'second' | 'bound' | 'ceo', Client>

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Límite', [{ name: 'Norte', slug: 'norte' }])
  asker = await group.person('admin')
  ceo = await group.person('ceo')
  as = {
    asker: await signedIn(asker),
    second: await signedIn(await group.person('super_admin')),
    bound: await signedIn(await group.person('admin', [String(group.locations[0]?.id)])),
    ceo: await signedIn(ceo),
  }
})
afterAll(() => app?.close())
beforeEach(async () => {
  await app.stack.sql(emptyTables('messages'))
  await app.stack.sql(
    `update public.organizations set approve_above = 50, campaign_approve_above = 5000, pending = '{}'`,
  )
})

const change = async (body: object, who = as.asker) => answer(await who.request('PATCH', PATH, { body }))
const read = async (who = as.asker) => (await answer(await who.request('GET', PATH))).body
const decide = async (
  who: Client,
  way: 'approve' | 'withdraw',
  limit = 'campaign_approve_above',
  query = '',
) =>
  way === 'approve'
    ? answer(await who.request('POST', `${PATH}/pending/${limit}/approve${query}`))
    : (await who.request('DELETE', `${PATH}/pending/${limit}`)).status
const stored = async () => {
  const [row] = await app.stack.sql<{ above: number | null }>(
    'select campaign_approve_above as above from public.organizations where id = $1',
    [group.id],
  )
  return row?.above
}
const mails = () =>
  app.stack.sql<{ recipient: string; done: string; due: string | null }>(
    `select recipient, content ->> 'done' as done, content ->> 'due_at' as due from public.messages
     where content ->> 'template' = 'approval_limit' order by created_at, recipient`,
  )
const waiting = (value: number | null) => ({
  campaign_approve_above: { value, by: asker.email, at: expect.any(String) },
})

describe('a raised limit of approval', () => {
  it.each([[8000], [null]])('to %j waits, the rest of the change is saved', async (value) => {
    const asked = await change({ campaign_approve_above: value, frequency_cap_days: 9 })
    expect(asked).toMatchObject({ status: 202, body: { pending: waiting(value) } })
    expect(asked.body.data).toMatchObject({ campaign_approve_above: 5000, frequency_cap_days: 9 })
    expect(await read(as.ceo)).toMatchObject({ pending: waiting(value) })
    expect(Object.keys((await read()).pending.campaign_approve_above).sort()).toEqual(['at', 'by', 'value'])
    expect(await stored()).toBe(5000)
    expect((await mails()).map(({ due }) => due)).toEqual([null, null, null])
  })

  it('takes effect when another administrator approves it, not by who asked', async () => {
    await change({ campaign_approve_above: 8000 })
    expect(await decide(as.asker, 'approve')).toEqual(refusal('OTHER_APPROVER_NEEDED'))
    for (const who of [as.bound, as.ceo]) expect(await decide(who, 'approve')).toEqual(refusal('FORBIDDEN'))
    expect(await decide(as.second, 'approve', 'approve_above')).toEqual(refusal('NOT_FOUND'))
    const approved = await decide(as.second, 'approve')
    expect(approved).toMatchObject({ status: 200, body: { data: { campaign_approve_above: 8000 } } })
    expect(approved).not.toHaveProperty('body.pending')
    expect(await decide(as.second, 'approve')).toEqual(refusal('NOT_FOUND'))
    const lines = await app.stack.sql(
      `select action, actor_id = $1 as asked from public.audit_log where action like 'organization.limit%' order by created_at desc limit 2`,
      [asker.id],
    )
    expect(lines).toEqual([
      { action: 'organization.limit_approved', asked: false },
      { action: 'organization.limit_asked', asked: true },
    ])
  })

  it('is approved as it was seen', async () => {
    await change({ campaign_approve_above: 6000 })
    const { at } = (await read()).pending.campaign_approve_above
    await change({ campaign_approve_above: null })
    const seen = `?at=${encodeURIComponent(at)}`
    expect(await decide(as.second, 'approve', undefined, seen)).toEqual(refusal('RUN_CHANGED'))
    const now = (await read()).pending.campaign_approve_above.at
    const query = `?at=${encodeURIComponent(now)}`
    expect((await decide(as.second, 'approve', undefined, query)) as object).toMatchObject({ status: 200 })
    expect(await stored()).toBeNull()
  })

  it('is not approved by whom the asker has made an administrator', async () => {
    const puppet = await group.person('ceo')
    const made = await as.asker.request('PATCH', `/api/team/${puppet.id}`, { body: { role: 'admin' } })
    expect(made.status).toBe(200)
    await change({ campaign_approve_above: 8000 })
    expect(await decide(await signedIn(puppet), 'approve')).toEqual(refusal('OTHER_APPROVER_NEEDED'))
    await as.second.request('DELETE', `/api/team/${puppet.id}`)
  })

  it('is dropped by who asked, by another one, and by lowering the limit, which needs nobody', async () => {
    for (const who of [as.asker, as.second]) {
      await change({ campaign_approve_above: 8000 })
      expect(await decide(who, 'withdraw')).toBe(204)
      expect(await decide(who, 'withdraw')).toBe(404)
      expect(await read()).not.toHaveProperty('pending')
    }
    await change({ campaign_approve_above: 8000 })
    expect(await decide(as.bound, 'withdraw')).toBe(403)
    const lowered = await change({ campaign_approve_above: 100 })
    expect(lowered).toMatchObject({ status: 200, body: { data: { campaign_approve_above: 100 } } })
    expect(lowered.body).not.toHaveProperty('pending')
  })

  it('cannot be set by the database API', async () => {
    const called = await asker.db.rpc('change_organization', { p_changes: { campaign_approve_above: null } })
    expect(called.data).toBe('pending')
    const pending = { campaign_approve_above: { value: null, by: 'x', by_id: group.id, at: '2026-01-01Z' } }
    await asker.db.rpc('change_organization', { p_changes: { pending } })
    const own = { p_name: 'campaign_approve_above', p_approve: true }
    expect((await asker.db.rpc('decide_limit', own)).data).toBe('own')
    for (const p_approve of [true, false])
      expect((await ceo.db.rpc('decide_limit', { ...own, p_approve })).data).toBe('forbidden')
    expect((await ceo.db.rpc('pending_limits')).data).toEqual({})
    const written = await asker.db
      .from('organizations')
      .update({ campaign_approve_above: null })
      .eq('id', group.id)
    expect(written.error?.code).toBe('42501')
    // Not even where the table were open to people.
    const acting = `with me as materialized (select set_config('request.jwt.claims', $1, true) as claims)
      update public.organizations o set campaign_approve_above = 9000 from me where me.claims <> '' and o.id = $2`
    // The embedded engine does not know the claims of raw SQL.
    if (app.stack.kind === 'postgres')
      await expect(app.stack.sql(acting, [await claimsOf(asker), group.id])).rejects.toThrow(
        /another administrator/,
      )
    for (const value of [0, 1_000_001, 'x']) {
      const odd = await asker.db.rpc('change_organization', { p_changes: { campaign_approve_above: value } })
      expect(odd.error).not.toBeNull()
    }
    expect(await stored()).toBe(5000)
    expect((await read()).pending).toEqual(waiting(null))
  })
})

describe('where nobody else may approve it', () => {
  let alone: Group
  let only: Person
  let client: Client
  beforeAll(async () => {
    alone = await createGroup(app.stack, 'Grupo Solo')
    only = await alone.person('super_admin')
    await alone.person('ceo')
    client = await signedIn(only)
  })
  const above = async () => (await read(client)).data.campaign_approve_above
  const runIn = async (hours: number) => {
    const now = new Date(Date.now() + hours * HOUR_MS)
    await raiseDueLimits({ db: stackClient(app.stack, 'service'), now })
  }

  it('it takes effect after 72 hours, and the administrators are told twice', async () => {
    expect((await change({ campaign_approve_above: 9000 }, client)).status).toBe(202)
    // Asked again, it has waited since the first time.
    const { pending } = await read(client)
    expect((await change({ campaign_approve_above: 9000 }, client)).body.pending).toEqual(pending)
    expect(await mails()).toEqual([{ recipient: only.email, done: 'false', due: expect.any(String) }])
    await runIn(71)
    expect(await above()).toBe(5000)
    await runIn(73)
    expect(await above()).toBe(9000)
    expect(await read(client)).not.toHaveProperty('pending')
    await runIn(74)
    expect((await mails()).map(({ done }) => done)).toEqual(['false', 'true'])
    const contents = await app.stack.sql<{ content: unknown }>(
      `select content from public.messages order by content ->> 'done'`,
    )
    const [asked, done] = contents.map(({ content }) => renderNotification(notificationSchema.parse(content)))
    expect(asked?.text).toMatch(/por encima de 9000 clientes[\s\S]*valdrá desde el/)
    expect(done?.text).toMatch(/por encima de 9000 clientes[\s\S]*el cambio ya vale/)
  })

  it('another value starts the 72 hours anew, and a second administrator ends them', async () => {
    await change({ campaign_approve_above: 9000 }, client)
    const { pending } = await read(client)
    await app.stack.sql(
      `update public.organizations set pending = jsonb_set(pending, '{campaign_approve_above,due_at}', to_jsonb(now() - interval '1 hour')) where id = $1`,
      [alone.id],
    )
    const again = await change({ campaign_approve_above: null }, client)
    expect(again.body.pending.campaign_approve_above.at).not.toBe(pending.campaign_approve_above.at)
    await runIn(1)
    expect(await above()).toBe(5000)
    const newcomer = await signedIn(await alone.person('admin'))
    await runIn(73)
    expect(await above()).toBe(5000)
    expect((await decide(newcomer, 'approve')) as object).toMatchObject({ status: 200 })
    expect(await above()).toBeNull()
  })
})
