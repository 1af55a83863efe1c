import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '@/lib/auth/permissions'
import { createGroup, type Group, PASSWORD, stackClient } from '../factories/group'
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

async function invite(email: string, role: Role = 'rrhh', location_ids: string[] = []): Promise<void> {
  await stackClient(stack, 'service')
    .from('invitations')
    .insert({ organization_id: norte.id, email, role, location_ids, full_name: 'Invitada' })
    .throwOnError()
}

const signUp = (email: string, data?: object) =>
  stackClient(stack, 'anon').auth.signUp({
    email,
    password: PASSWORD,
    ...(data ? { options: { data } } : {}),
  })

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
    await invite('eva@example.com')
    for (const email of [
      'eva@example.com.evil.example',
      'xeva@example.com',
      'eva+1@example.com',
      '%@example.com',
    ]) {
      expect((await signUp(email)).error, email).not.toBeNull()
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
    await invite('alta@example.com', 'operaciones', [locationId('Sol')])
    expect((await signUp('alta@example.com')).error).toBeNull()
    expect(await traces('alta@example.com')).toEqual(joined('alta@example.com', 'operaciones', ['Sol']))
    expect(await openInvitations('alta@example.com')).toBe(0)
  })

  it('is used once: not again after its person is gone', async () => {
    await invite('una@example.com')
    expect((await signUp('una@example.com')).error).toBeNull()
    expect((await signUp('una@example.com')).error).not.toBeNull()
    expect(await traces('una@example.com')).toEqual(joined('una@example.com', 'rrhh'))
    await stack.sql(`delete from auth.users where email = 'una@example.com'`)
    expect((await signUp('una@example.com')).error).not.toBeNull()
    expect(await traces('una@example.com')).toEqual(NOTHING)
  })

  it('serves only one of two sign-ups at once', async () => {
    await invite('carrera@example.com')
    const tries = await Promise.all([signUp('carrera@example.com'), signUp('Carrera@example.com')])
    expect(tries.filter(({ error }) => error === null)).toHaveLength(1)
    expect(await traces('carrera@example.com')).toEqual(joined('carrera@example.com', 'rrhh'))
  })

  it('does not mind the case of the e-mail', async () => {
    await invite('mayus@example.com', 'ceo')
    expect((await signUp('MaYuS@Example.COM')).error).toBeNull()
    expect(await traces('mayus@example.com')).toEqual(joined('mayus@example.com', 'ceo'))
  })

  it('does not mind it in the database either', async () => {
    await invite('directa.dos@example.com', 'ceo')
    await stack.sql('insert into auth.users (id, email) values (gen_random_uuid(), $1)', [
      ' Directa.Dos@Example.com',
    ])
    const profiles = await stack.sql('select role from public.profiles where email = $1', [
      'directa.dos@example.com',
    ])
    expect(profiles).toEqual([{ role: 'ceo' }])
  })

  it('ignores locations of another organization', async () => {
    await invite('mezcla@example.com', 'operaciones', [locationId('Retiro'), locationId('Triana')])
    expect((await signUp('mezcla@example.com')).error).toBeNull()
    expect(await traces('mezcla@example.com')).toEqual(
      joined('mezcla@example.com', 'operaciones', ['Retiro']),
    )
  })

  it('with nothing but locations of another organization is no way in', async () => {
    await invite('ajena@example.com', 'operaciones', [locationId('Triana')])
    expect((await signUp('ajena@example.com')).error).not.toBeNull()
    expect(await traces('ajena@example.com')).toEqual(NOTHING)
  })

  it('binds for good: a location with people assigned to it cannot be deleted from under them', async () => {
    await invite('atada@example.com', 'operaciones', [locationId('Retiro')])
    expect((await signUp('atada@example.com')).error).toBeNull()
    const service = stackClient(stack, 'service')
    const { error } = await service.from('locations').delete().eq('id', locationId('Retiro'))
    expect(error?.message).toContain('profile_locations')
    expect(await traces('atada@example.com')).toEqual(joined('atada@example.com', 'operaciones', ['Retiro']))
  })

  it('decides the role, whatever the sign-up says', async () => {
    await invite('lista@example.com', 'rrhh')
    const wish = { role: 'super_admin', organization_id: sur.id, full_name: 'La jefa' }
    expect((await signUp('lista@example.com', wish)).error).toBeNull()
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

async function openInvitations(email: string): Promise<number> {
  const rows = await stack.sql('select 1 from public.invitations where email = $1 and accepted_at is null', [
    email,
  ])
  return rows.length
}
