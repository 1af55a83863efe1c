import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '@/lib/permissions'
import { createGroup, type Group, inviteWithToken, PASSWORD, stackClient } from '../factories/group'
import type { Stack } from '../support/stack'
import { startRlsStack } from './support'

let stack: Stack
let norte: Group
let sur: Group

beforeAll(async () => {
  stack = await startRlsStack()
  norte = await createGroup(stack, 'Norte', [
    { name: 'Retiro', slug: 'retiro' },
    { name: 'Sol', slug: 'sol' },
  ])
  sur = await createGroup(stack, 'Sur', [{ name: 'Triana', slug: 'triana' }])
})
afterAll(() => stack?.close())

const locationId = (name: string) =>
  String([...norte.locations, ...sur.locations].find((location) => location.name === name)?.id)

/** Invites the e-mail; what redeems the invitation. */
async function invite(email: string, role: Role = 'rrhh', location_ids: string[] = []): Promise<string> {
  const invitation = { organization_id: norte.id, email, role, location_ids, full_name: 'Invitada' }
  const { data } = await inviteWithToken(stackClient(stack, 'service'), invitation)
  return data.invitation_token
}

const signUp = (email: string, token?: string, data: object = {}) =>
  stackClient(stack, 'anon').auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { ...data, ...(token === undefined ? {} : { invitation_token: token }) } },
  })

/** An account as Auth inserts it; without a time, its address is not confirmed. */
const insertUser = (email: string, token: string, confirmed: string | null = '2026-11-20T12:00:00Z') =>
  stack.sql<{ id: string; raw_user_meta_data: object }>(
    `insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at)
     values (gen_random_uuid(), $1, jsonb_build_object('invitation_token', $2::text, 'lang', 'es'), $3)
     returning id::text, raw_user_meta_data`,
    [email, token, confirmed],
  )

/** What is left of an e-mail, in any case: users of auth, and profiles with their locations. */
async function traces(email: string) {
  const users = await stack.sql('select 1 from auth.users where lower(email) = lower($1)', [email])
  const profiles = await stack.sql<{ role: string; organization: string; locations: string[] | null }>(
    `select p.email, p.full_name, p.role, o.name as organization,
       (select json_agg(l.name order by l.name) from public.profile_locations pl
        join public.locations l on l.id = pl.location_id where pl.profile_id = p.id) as locations
     from public.profiles p join public.organizations o on o.id = p.organization_id
     where lower(p.email) = lower($1)`,
    [email],
  )
  return { users: users.length, profiles }
}

const NOTHING = { users: 0, profiles: [] }
const joined = (email: string, role: Role, locations: string[] | null = null) => ({
  users: 1,
  profiles: [{ email, full_name: 'Invitada', role, organization: 'Norte', locations }],
})

describe('sign-up without an invitation', () => {
  it('fails and leaves neither user nor profile', async () => {
    const { data, error } = await signUp('nadie@example.com')
    expect(error).not.toBeNull()
    expect(data.session).toBeNull()
    expect(await traces('nadie@example.com')).toEqual(NOTHING)
  })

  it('fails for an e-mail that only resembles an invited one', async () => {
    const token = await invite('eva@example.com')
    for (const email of [
      'eva@example.com.evil.example',
      'xeva@example.com',
      'eva+1@example.com',
      '%@example.com',
    ]) {
      expect((await signUp(email, token)).error, email).not.toBeNull()
      expect(await traces(email)).toEqual(NOTHING)
    }
    expect(await openInvitations('eva@example.com')).toBe(1)
  })

  it('is refused by the database itself', async () => {
    const insert = stack.sql('insert into auth.users (id, email) values (gen_random_uuid(), $1)', [
      'directa@example.com',
    ])
    await expect(insert).rejects.toMatchObject({ code: '42501' })
    expect(await traces('directa@example.com')).toEqual(NOTHING)
  })
})

describe('an invitation', () => {
  it('makes a profile with its organization, role and locations', async () => {
    const token = await invite('alta@example.com', 'operaciones', [locationId('Sol')])
    expect((await signUp('alta@example.com', token)).error).toBeNull()
    expect(await traces('alta@example.com')).toEqual(joined('alta@example.com', 'operaciones', ['Sol']))
    expect(await openInvitations('alta@example.com')).toBe(0)
  })

  it('is used once: not again after its person is gone', async () => {
    const token = await invite('una@example.com')
    expect((await signUp('una@example.com', token)).error).toBeNull()
    expect((await signUp('una@example.com', token)).error).not.toBeNull()
    expect(await traces('una@example.com')).toEqual(joined('una@example.com', 'rrhh'))
    await stack.sql(`delete from auth.users where email = 'una@example.com'`)
    expect((await signUp('una@example.com', token)).error).not.toBeNull()
    expect(await traces('una@example.com')).toEqual(NOTHING)
  })

  it('serves only one of two sign-ups at once', async () => {
    const token = await invite('carrera@example.com')
    const tries = await Promise.all([
      signUp('carrera@example.com', token),
      signUp('Carrera@example.com', token),
    ])
    expect(tries.filter(({ error }) => error === null)).toHaveLength(1)
    expect(await traces('carrera@example.com')).toEqual(joined('carrera@example.com', 'rrhh'))
  })

  it('does not mind the case of the e-mail', async () => {
    const token = await invite('mayus@example.com', 'ceo')
    expect((await signUp('MaYuS@Example.COM', token)).error).toBeNull()
    expect(await traces('mayus@example.com')).toEqual(joined('mayus@example.com', 'ceo'))
  })

  it('does not mind it in the database either', async () => {
    const token = await invite('directa.dos@example.com', 'ceo')
    await insertUser(' Directa.Dos@Example.com', token)
    const profiles = await stack.sql('select role from public.profiles where email = $1', [
      'directa.dos@example.com',
    ])
    expect(profiles).toEqual([{ role: 'ceo' }])
  })

  it('ignores locations of another organization', async () => {
    const token = await invite('mezcla@example.com', 'operaciones', [
      locationId('Retiro'),
      locationId('Triana'),
    ])
    expect((await signUp('mezcla@example.com', token)).error).toBeNull()
    expect(await traces('mezcla@example.com')).toEqual(
      joined('mezcla@example.com', 'operaciones', ['Retiro']),
    )
  })

  it('with nothing but locations of another organization is no way in', async () => {
    const token = await invite('ajena@example.com', 'operaciones', [locationId('Triana')])
    expect((await signUp('ajena@example.com', token)).error).not.toBeNull()
    expect(await traces('ajena@example.com')).toEqual(NOTHING)
  })

  it('binds for good: a location with people assigned to it cannot be deleted from under them', async () => {
    const token = await invite('atada@example.com', 'operaciones', [locationId('Retiro')])
    expect((await signUp('atada@example.com', token)).error).toBeNull()
    const service = stackClient(stack, 'service')
    const { error } = await service.from('locations').delete().eq('id', locationId('Retiro'))
    expect(error?.message).toContain('profile_locations')
    expect(await traces('atada@example.com')).toEqual(joined('atada@example.com', 'operaciones', ['Retiro']))
  })

  it('decides the role, whatever the sign-up says', async () => {
    const token = await invite('lista@example.com', 'rrhh')
    const wish = { role: 'super_admin', organization_id: sur.id, full_name: 'La jefa' }
    expect((await signUp('lista@example.com', token, wish)).error).toBeNull()
    expect(await traces('lista@example.com')).toEqual(joined('lista@example.com', 'rrhh'))
  })

  it('is one an e-mail while it is open', async () => {
    await invite('doble@example.com')
    await expect(invite('doble@example.com', 'super_admin')).rejects.toMatchObject({ code: '23505' })
  })

  it('is kept in lower case', async () => {
    await expect(invite('Alta.Dos@example.com')).rejects.toThrow('invitations_email_check')
  })
})

describe('the token', () => {
  it('does not stay in the account, nor come back when Auth writes its metadata again', async () => {
    const token = await invite('metadatos@example.com')
    const [user] = await insertUser('metadatos@example.com', token)
    expect(user?.raw_user_meta_data).toEqual({ lang: 'es' })
    const [after] = await stack.sql<{ raw_user_meta_data: object }>(
      `update auth.users set raw_user_meta_data = jsonb_build_object('invitation_token', $2::text, 'email_verified', true)
       where id = $1 returning raw_user_meta_data`,
      [user?.id, token],
    )
    expect(after?.raw_user_meta_data).toEqual({ email_verified: true })
  })

  it('opens nothing once it has expired', async () => {
    const token = await invite('tarde@example.com')
    await stack.sql(`update public.invitations set expires_at = now() where email = 'tarde@example.com'`)
    expect((await signUp('tarde@example.com', token)).error).not.toBeNull()
    expect((await signUp('tarde@example.com', 'a-guess')).error).not.toBeNull()
    expect(await traces('tarde@example.com')).toEqual(NOTHING)
  })

  it('is good for seven days', async () => {
    await invite('semana@example.com')
    const [row] = await stack.sql<{ week: boolean }>(
      `select expires_at - created_at = interval '7 days' as week from public.invitations
       where email = 'semana@example.com'`,
    )
    expect(row).toEqual({ week: true })
  })

  it('of another invitation opens nothing', async () => {
    const [, token] = [await invite('una.a@example.com'), await invite('una.b@example.com')]
    expect((await signUp('una.a@example.com', token)).error).not.toBeNull()
    expect(await traces('una.a@example.com')).toEqual(NOTHING)
  })
})

describe('an address that is confirmed later', () => {
  const confirm = (id?: string) =>
    stack.sql('update auth.users set email_confirmed_at = now() where id = $1', [id])
  const UNCONFIRMED = { users: 1, profiles: [] }

  it('gets its profile then, and the token is spent before', async () => {
    const token = await invite('luego@example.com', 'ceo')
    const [user] = await insertUser('luego@example.com', token, null)
    expect(await traces('luego@example.com')).toEqual(UNCONFIRMED)
    await expect(insertUser('luego@example.com', token, null)).rejects.toMatchObject({ code: '42501' })
    await confirm(user?.id)
    expect(await traces('luego@example.com')).toEqual(joined('luego@example.com', 'ceo'))
    expect(await openInvitations('luego@example.com')).toBe(0)
  })

  it('gets none when the invitation was withdrawn meanwhile', async () => {
    const [user] = await insertUser('retirada@example.com', await invite('retirada@example.com'), null)
    await stack.sql(`delete from public.invitations where email = 'retirada@example.com'`)
    await confirm(user?.id)
    expect(await traces('retirada@example.com')).toEqual(UNCONFIRMED)
  })

  it('gets none again after the person was removed', async () => {
    const [user] = await insertUser('quitada@example.com', await invite('quitada@example.com'))
    await stack.sql('delete from public.profiles where id = $1', [user?.id])
    await stack.sql('update auth.users set email_confirmed_at = null where id = $1', [user?.id])
    await confirm(user?.id)
    expect(await traces('quitada@example.com')).toEqual(UNCONFIRMED)
  })
})

describe('an invitation by hand, in the SQL editor', () => {
  const byHand = async (slug: string, email: string, role: string) => {
    const [row] = await stack.sql<{ path: string }>(
      `select private.invite_by_hand($1, $2, $3, 'Invitada') as path`,
      [slug, email, role],
    )
    const [path, token = ''] = String(row?.path).split('#token=')
    expect(path).toBe('/sign-up')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    return token
  }
  const slugOf = async (id: string) =>
    String(
      (await stack.sql<{ slug: string }>('select slug from public.organizations where id = $1', [id]))[0]
        ?.slug,
    )

  it('lets the first person in, and another one replaces its link', async () => {
    const slug = await slugOf(norte.id)
    const old = await byHand(slug, ' Primera@Example.com', 'admin')
    const token = await byHand(slug, 'primera@example.com', 'super_admin')
    expect((await signUp('primera@example.com', old)).error).not.toBeNull()
    expect((await signUp('primera@example.com', token)).error).toBeNull()
    expect(await traces('primera@example.com')).toEqual(joined('primera@example.com', 'super_admin'))
  })

  it('needs an organization, and does not touch the invitation of another one', async () => {
    await expect(byHand('no-hay', 'x@example.com', 'admin')).rejects.toMatchObject({ code: 'P0002' })
    await invite('de.norte@example.com')
    const sluged = await slugOf(sur.id)
    await expect(byHand(sluged, 'de.norte@example.com', 'admin')).rejects.toMatchObject({ code: 'P0002' })
  })

  it('says why nobody could join with it', async () => {
    const slug = await slugOf(norte.id)
    const token = await byHand(slug, 'miembro@example.com', 'admin')
    expect((await signUp('miembro@example.com', token)).error).toBeNull()
    await expect(byHand(slug, ' Miembro@example.com', 'admin')).rejects.toThrow(/has an account already/)
    expect(await openInvitations('miembro@example.com')).toBe(0)
    for (const role of ['jefa', 'sala'])
      await expect(byHand(slug, 'otra@example.com', role)).rejects.toThrow(`"${role}" is no role`)
  })

  it('is for the database’s owner only', async () => {
    const rows = await stack.sql<{ role: string; may: boolean }>(
      `select role, has_function_privilege(role, 'private.invite_by_hand(text,text,text,text)', 'execute') as may
       from unnest(array['anon', 'authenticated', 'service_role']) as role`,
    )
    expect(rows.filter(({ may }) => may)).toEqual([])
  })
})

async function openInvitations(email: string): Promise<number> {
  const rows = await stack.sql('select 1 from public.invitations where email = $1 and accepted_at is null', [
    email,
  ])
  return rows.length
}
