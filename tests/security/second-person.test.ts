import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { join } from '../factories/account'
import { PASSWORD, type Person, stackClient } from '../factories/group'
import { noQuietHours } from '../factories/messaging'
import { type Client, testClient } from '../support/app'
import { app, bySms, group, guests, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

// Two people are two: nobody approves through an account that they made, or whose role they set, themselves.
withDelivery()

const ABOVE = 3
const OWN = refusal('OTHER_APPROVER_NEEDED')
let boss: Client
let other: Client
let independent: Client
let segment: string

beforeAll(async () => {
  boss = await signedIn(await group.person('super_admin'))
  other = await signedIn(await group.person('admin'))
  independent = await signedIn(await group.person('ceo'))
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql(
    'update public.organizations set approve_above = $1, campaign_approve_above = $1, control_share = 0',
    [ABOVE],
  )
  await guests(8)
  const body = { name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } }
  segment = (await answer(await independent.request('POST', '/api/segments', { body }))).body.data.id
})

let count = 0
interface Invited {
  id: string
  token: string
  email: string
}
const invite = async (by: Client, role: string): Promise<Invited> => {
  const email = `invitada-${++count}@equipo.example`
  const made = await answer(await by.request('POST', '/api/team/invitations', { body: { email, role } }))
  expect(made.status).toBe(201)
  return made.body.data
}
/** The person signs up with the link. */
const accept = async ({ email, token }: Pick<Invited, 'email' | 'token'>): Promise<Client & Person> => {
  const db = stackClient(app.stack, 'anon')
  const { user } = await join(app.stack, db, email, { invitation_token: token })
  const client = testClient()
  const body = { email, password: PASSWORD }
  expect((await client.request('POST', '/api/auth/sign-in', { body })).status).toBe(200)
  return { ...client, id: user.id, email, db }
}
const hire = async (by: Client, role: string) => accept(await invite(by, role))

/** A run of an automation that waits for approval. */
async function waitingRun(by: Client) {
  const id = await bySms({ name: `Prueba ${++count}` })
  await by.request('POST', `/api/automations/${id}/run`)
  const { data } = (await answer(await by.request('GET', `/api/automations/${id}/runs`))).body
  expect(data[0]).toMatchObject({ status: 'waiting_approval', guests: 8 })
  const path = `/api/automations/${id}/runs/${data[0].id}/approve`
  return {
    id: data[0].id as string,
    approve: async (who: Client) => answer(await who.request('POST', path, { body: { guests: 8 } })),
  }
}

async function launchedCampaign(by: Client) {
  const body = {
    ...{ name: `Otoño ${++count}`, segment_id: segment, control_share: 0 },
    messages: [{ step: 1, channel: 'sms', body: 'Hola' }],
  }
  const made = await answer(await by.request('POST', '/api/campaigns', { body }))
  const path = `/api/campaigns/${made.body.data.id}`
  const seen = { guests: 8, version: 1 }
  const launch = async () => answer(await by.request('POST', `${path}/launch`, { body: seen }))
  expect((await launch()).body.data.status).toBe('waiting_approval')
  return {
    launch,
    approve: async (who: Client) => answer(await who.request('POST', `${path}/approve`, { body: seen })),
    refuse: async (who: Client) => answer(await who.request('POST', `${path}/refuse`, { body: {} })),
    mayApprove: async (who: Client) => (await answer(await who.request('GET', path))).body.data.can_approve,
  }
}

describe('a person whom somebody invited', () => {
  it('does not approve what that one started, nor the other way round, by HTTP or by the database API', async () => {
    const puppet = await hire(boss, 'marketing')
    const run = await waitingRun(boss)
    expect(await run.approve(puppet)).toEqual(OWN)
    const direct = { p_run: run.id, p_approve: true, p_guests: 8 }
    expect((await puppet.db.rpc('decide_run', direct)).data).toBe('own')
    const campaign = await launchedCampaign(boss)
    expect(await campaign.mayApprove(puppet)).toBe(false)
    expect(await campaign.approve(puppet)).toEqual(OWN)
    const back = await launchedCampaign(puppet)
    expect(await back.approve(boss)).toEqual(OWN)

    expect((await run.approve(independent)).status).toBe(200)
    expect((await campaign.approve(independent)).status).toBe(200)
    expect((await back.approve(independent)).status).toBe(200)
    await waitForDetachedWork()
  })

  it('does after 30 days', async () => {
    const puppet = await hire(boss, 'marketing')
    const run = await waitingRun(boss)
    const since = (days: number) =>
      sql(
        'update private.role_grants set granted_at = now() - make_interval(days => $1) where profile_id = $2',
        [days, puppet.id],
      )
    await since(29)
    expect(await run.approve(puppet)).toEqual(OWN)
    await since(31)
    expect((await run.approve(puppet)).status).toBe(200)
    await waitForDetachedWork()
  })

  it('is as good as whom they invite in turn, or who was sent a new link', async () => {
    const puppet = await hire(boss, 'admin')
    const second = await hire(puppet, 'marketing')
    const link = await invite(other, 'marketing')
    const renewed = await answer(await boss.request('POST', `/api/team/invitations/${link.id}/link`))
    const third = await accept(renewed.body.data)
    const run = await waitingRun(boss)
    for (const one of [puppet, second, third]) expect(await run.approve(one)).toEqual(OWN)
    const theirs = await waitingRun(other)
    expect(await theirs.approve(third)).toEqual(OWN)
    expect((await theirs.approve(puppet)).status).toBe(200)
    // Also once the one between them is gone.
    expect((await boss.request('DELETE', `/api/team/${puppet.id}`)).status).toBe(204)
    expect(await run.approve(second)).toEqual(OWN)
    await waitForDetachedWork()
  })
})

it.skipIf(process.env.STACK !== 'postgres')(
  'a person whose new password somebody made a link to does not approve what that one started, nor the other way round',
  async () => {
    const colleague = await group.person('marketing')
    const client = await signedIn(colleague)
    const [run, back] = [await waitingRun(boss), await waitingRun(client)]
    expect((await boss.request('POST', `/api/team/${colleague.id}/password-link`)).status).toBe(201)
    expect(await run.approve(client)).toEqual(OWN)
    expect(await back.approve(boss)).toEqual(OWN)
    for (const one of [run, back]) expect((await one.approve(independent)).status).toBe(200)
    await waitForDetachedWork()
  },
)

it('a person who is removed and invited again joins, and is as new as at first', async () => {
  const puppet = await hire(boss, 'marketing')
  await sql(`update private.role_grants set granted_at = now() - interval '40 days' where profile_id = $1`, [
    puppet.id,
  ])
  expect((await boss.request('DELETE', `/api/team/${puppet.id}`)).status).toBe(204)
  const body = { email: puppet.email, role: 'marketing' }
  const made = await answer(await boss.request('POST', '/api/team/invitations', { body }))
  await puppet.db.auth.signInWithPassword({ email: puppet.email, password: PASSWORD })
  const joined = await puppet.db.rpc('accept_invitation', { p_token: made.body.data.token })
  expect(joined.data).toBe(true)
  const run = await waitingRun(boss)
  expect(await run.approve(await signedIn(puppet))).toEqual(OWN)
})

it('a person whose role somebody set does not approve what that one started', async () => {
  const person = await group.person('operaciones')
  const raised = await boss.request('PATCH', `/api/team/${person.id}`, { body: { role: 'ceo' } })
  expect(raised.status).toBe(200)
  // Another one's change does not lift it.
  await other.request('PATCH', `/api/team/${person.id}`, { body: { role: 'marketing' } })
  const client = await signedIn(person)
  const run = await waitingRun(boss)
  expect(await run.approve(client)).toEqual(OWN)
  expect((await run.approve(independent)).status).toBe(200)
  await waitForDetachedWork()
})

describe('refusing what one has started oneself', () => {
  it('and raising the limit does not let it go the second time', async () => {
    const campaign = await launchedCampaign(boss)
    expect((await campaign.refuse(boss)).status).toBe(200)
    const body = { campaign_approve_above: null, approve_above: 100 }
    const raised = await answer(await boss.request('PATCH', '/api/organization', { body }))
    expect(raised.status).toBe(202)
    expect(raised.body.data).toMatchObject({ campaign_approve_above: ABOVE, approve_above: ABOVE })
    expect((await campaign.launch()).body.data.status).toBe('waiting_approval')
    expect(await campaign.approve(boss)).toEqual(OWN)
    await waitingRun(boss)
  })
})
