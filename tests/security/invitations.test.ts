import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHOSEN, createGroup, type Group, type Person, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let owner: Person
let boss: Client
let count = 0

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Invitaciones')
  owner = await group.person('super_admin')
  boss = await signedIn(owner)
})
afterAll(() => app?.close())

const REFUSED = 403
const guess = () => randomBytes(32).toString('base64url')

interface Invited {
  id: string
  email: string
  token: string
}

async function invite(email = `invitada-${++count}@equipo.example`): Promise<Invited> {
  const body = { email, role: 'admin' }
  const made = await answer(await boss.request('POST', '/api/team/invitations', { body }))
  return made.body.data
}

const withdraw = ({ id }: Invited) => boss.request('DELETE', `/api/team/invitations/${id}`)
const expire = ({ id }: Invited) =>
  app.stack.sql(`update public.invitations set expires_at = now() - interval '1 second' where id = $1`, [id])

/** The stranger's tries: by the app, and past it by Auth's own API, which anyone may call with the public key. */
const WAYS: [string, (email: string, token?: string, password?: string) => Promise<boolean>][] = [
  [
    'the app',
    async (email, token, password = CHOSEN) => {
      const body = { email, password, ...(token === undefined ? {} : { token }) }
      return (await app.client().request('POST', '/api/auth/sign-up', { body })).ok
    },
  ],
  [
    'Auth’s own sign-up',
    async (email, token, password = CHOSEN) => {
      const options = token === undefined ? {} : { data: { invitation_token: token } }
      const { error } = await stackClient(app.stack, 'anon').auth.signUp({ email, password, options })
      return error === null
    },
  ],
]

describe('whom an invitation is for', () => {
  const ask = async (token: string) =>
    answer(await app.client().request('POST', '/api/auth/invitation', { body: { token } }))
  const unknown = refusal('INVALID_INVITATION')

  it('is told to who has its link, as long as that can be redeemed', async () => {
    const body = { email: `Invitada-${++count}@equipo.example`, role: 'admin', full_name: 'Lola Marín' }
    const made = await answer(await boss.request('POST', '/api/team/invitations', { body }))
    const { id, token } = made.body.data
    const data = {
      email: body.email.toLowerCase(),
      full_name: 'Lola Marín',
      organization: 'Grupo Invitaciones',
    }
    expect(await ask(token)).toEqual({ status: 200, body: { data } })
    const renewed = await answer(await boss.request('POST', `/api/team/invitations/${id}/link`))
    expect(await ask(token)).toEqual(unknown)
    const latest = renewed.body.data
    expect((await ask(latest.token)).status).toBe(200)
    await expire(latest)
    expect(await ask(latest.token)).toEqual(unknown)
    for (const other of [guess(), latest.email, id]) expect(await ask(other)).toEqual(unknown)
  })

  it('is no longer told once it is redeemed', async () => {
    const { email, token } = await invite()
    const body = { email, token, password: CHOSEN, full_name: 'Lola Corregida' }
    expect((await app.client().request('POST', '/api/auth/sign-up', { body })).status).toBe(201)
    expect(await ask(token)).toEqual(unknown)
    const [profile] = await app.stack.sql('select full_name from public.profiles where email = $1', [email])
    expect(profile).toEqual({ full_name: 'Lola Corregida' })
  })
})

/** What is left of an address: its account, and its profile. */
const traces = (email: string) =>
  app.stack.sql(
    `select (select count(*)::integer from auth.users where lower(email) = lower($1)) as accounts,
       (select count(*)::integer from public.profiles where lower(email) = lower($1)) as profiles`,
    [email],
  )
const NOTHING = [{ accounts: 0, profiles: 0 }]
const MEMBER = [{ accounts: 1, profiles: 1 }]

describe.each(WAYS)('an invited address, by %s,', (_, signUp) => {
  const refuses = async (email: string, token?: string) => {
    expect(await signUp(email, token)).toBe(false)
    expect(await traces(email)).toEqual(NOTHING)
  }

  it('alone opens nothing, and cannot be occupied', async () => {
    const { email, token } = await invite()
    await refuses(email)
    await refuses(email.toUpperCase())
    expect(await signUp(email, token)).toBe(true)
    expect(await traces(email)).toEqual(MEMBER)
  })

  it('opens nothing with a guessed token', async () => {
    const { email, token } = await invite()
    for (const wrong of ['', guess(), token.slice(1), `${token}=`, token.toLowerCase(), ` ${token}`])
      await refuses(email, wrong)
  })

  it('opens nothing with the hash that the database keeps', async () => {
    const { id, email } = await invite()
    const [row] = await app.stack.sql<{ token_hash: string }>(
      'select token_hash from public.invitations where id = $1',
      [id],
    )
    await refuses(email, row?.token_hash)
  })

  it('opens nothing with the token of another invitation, which stays good', async () => {
    const [one, other] = [await invite(), await invite()]
    await refuses(one.email, other.token)
    await refuses('no-invitada@equipo.example', other.token)
    expect(await signUp(other.email, other.token)).toBe(true)
  })

  it('opens nothing after seven days', async () => {
    const invited = await invite()
    await expire(invited)
    await refuses(invited.email, invited.token)
  })

  it('opens nothing once it is withdrawn', async () => {
    const invited = await invite()
    await withdraw(invited)
    await refuses(invited.email, invited.token)
  })

  it('opens nothing with a link that a newer one replaced', async () => {
    const { id, email, token } = await invite()
    const newer = await answer(await boss.request('POST', `/api/team/invitations/${id}/link`))
    await refuses(email, token)
    expect(await signUp(email, newer.body.data.token)).toBe(true)
  })

  it('opens nothing a second time, also when the account is gone', async () => {
    const { email, token } = await invite()
    expect(await signUp(email, token)).toBe(true)
    expect(await signUp(email, token, 'another-password-2026')).toBe(false)
    expect(await traces(email)).toEqual(MEMBER)
    await app.stack.sql('delete from auth.users where email = $1', [email])
    await refuses(email, token)
  })

  it('is the same in another case', async () => {
    const { email, token } = await invite()
    expect(await signUp(email.toUpperCase(), token)).toBe(true)
    expect(await traces(email)).toEqual(MEMBER)
  })

  it('makes one member of ten who redeem at once', async () => {
    const { email, token } = await invite()
    const tries = await Promise.all(
      Array.from({ length: 10 }, (_, index) => signUp(email, token, `contrasena-${index}-2026`)),
    )
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await traces(email)).toEqual(MEMBER)
  })
})

it('every refusal of the app has one answer', async () => {
  const [fresh, old, gone] = [await invite(), await invite(), await invite()]
  await expire(old)
  await withdraw(gone)
  const answers: { status: number; body: { error: string } }[] = []
  for (const body of [
    { email: fresh.email },
    { email: fresh.email, token: guess() },
    { email: old.email, token: old.token },
    { email: gone.email, token: gone.token },
    { email: 'nadie@equipo.example', token: fresh.token },
    { email: owner.email, token: fresh.token },
    { email: owner.email },
  ]) {
    const request = { body: { ...body, password: `${CHOSEN}!` } }
    const response = await app.client().request('POST', '/api/auth/sign-up', request)
    expect(response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/i.test(cookie))).toEqual([])
    answers.push(await answer(response))
  }
  expect(answers).toEqual(answers.map(() => ({ status: REFUSED, body: answers[0]?.body })))
})

it('a sign-in code makes no account of an invited address', async () => {
  const { email } = await invite()
  const { error } = await stackClient(app.stack, 'anon').auth.signInWithOtp({ email })
  expect(error).not.toBeNull()
  expect(await traces(email)).toEqual(NOTHING)
})

describe('the token', () => {
  it('is 256 bits, in the answer and in the link after the #, and nowhere in the list', async () => {
    const body = { email: 'enlace@equipo.example', role: 'rrhh' }
    const { data } = (await answer(await boss.request('POST', '/api/team/invitations', { body }))).body
    expect(Buffer.from(data.token, 'base64url')).toHaveLength(32)
    expect(data.url).toBe(`https://crm.example/sign-up#token=${data.token}`)
    const list = await (await boss.request('GET', '/api/team/invitations')).text()
    expect(list).toContain(data.email)
    expect(list).not.toContain(data.token)
  })

  it('is not kept: neither with the invitation, nor with the account it opened', async () => {
    const [kept, spent] = [await invite(), await invite()]
    const body = { email: spent.email, password: CHOSEN, token: spent.token }
    expect((await app.client().request('POST', '/api/auth/sign-up', { body })).status).toBe(201)
    const rows = await app.stack.sql<{ row: string }>(
      'select i::text as row from public.invitations i union all select u::text from auth.users u',
    )
    for (const { token } of [kept, spent]) expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
    const after = await app.stack.sql('select token_hash from public.invitations where id = $1', [spent.id])
    expect(after).toEqual([{ token_hash: null }])
  })

  it('has a hash that not even managers of the team can read', async () => {
    await invite()
    for (const columns of ['token_hash', '*', 'claimed_by']) {
      const { data, error } = await owner.db.from('invitations').select(columns)
      expect([columns, data, error?.code]).toEqual([columns, null, '42501'])
    }
    const hash = 'a'.repeat(64)
    const { error } = await owner.db.from('invitations').select('id').eq('token_hash', hash)
    expect(error?.code).toBe('42501')
  })
})

describe('someone who left and was invited again', () => {
  async function former() {
    const person = await group.person('marketing')
    await person.db.auth.updateUser({ password: CHOSEN })
    await boss.request('DELETE', `/api/team/${person.id}`)
    return { person, invited: await invite(person.email) }
  }
  const profiles = (email: string) =>
    app.stack.sql('select role from public.profiles where email = $1', [email])
  const signUp = (body: object) => app.client().request('POST', '/api/auth/sign-up', { body })

  it('does not get back in by signing in', async () => {
    const { person } = await former()
    const body = { email: person.email, password: CHOSEN }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body })).status).toBe(401)
    expect(await profiles(person.email)).toEqual([])
  })

  it('needs the token and their own password, which the token does not change', async () => {
    const { person, invited } = await former()
    const { email, token } = invited
    for (const body of [
      { email, password: CHOSEN },
      { email, password: CHOSEN, token: guess() },
      { email, password: `${CHOSEN}!`, token },
    ])
      expect((await signUp(body)).status).toBe(REFUSED)
    expect(await profiles(email)).toEqual([])
    expect((await signUp({ email, password: CHOSEN, token })).status).toBe(201)
    expect(await profiles(email)).toEqual([{ role: 'admin' }])
    const { data } = await person.db.auth.signInWithPassword({ email, password: CHOSEN })
    expect(data.user?.id).toBe(person.id)
  })

  it('gets nothing from the database by their session alone', async () => {
    const { person, invited } = await former()
    await person.db.auth.signInWithPassword({ email: person.email, password: CHOSEN })
    const other = await invite()
    for (const p_token of ['', guess(), other.token])
      expect((await person.db.rpc('accept_invitation', { p_token })).data).toBe(false)
    expect(await profiles(person.email)).toEqual([])
    expect((await person.db.rpc('accept_invitation', { p_token: invited.token })).data).toBe(true)
    expect((await person.db.rpc('accept_invitation', { p_token: invited.token })).data).toBe(false)
  })
})
