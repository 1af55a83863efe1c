import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS, ROLES } from '@/lib/permissions'
import { createGroup, type Group, stackClient } from '../factories/group'
import type { Stack } from '../support/stack'
import { startRlsStack } from './support'

let stack: Stack
let group: Group

beforeAll(async () => {
  stack = await startRlsStack()
  group = await createGroup(stack, 'Grupo Matriz')
})
afterAll(() => stack?.close())

it('the database and lib/permissions.ts hold the same matrix', async () => {
  const inDatabase = await stack.sql<{ role: string; permission: string }>(
    'select role, permission from private.role_permissions',
  )
  const inCode = Object.entries(PERMISSIONS).flatMap(([permission, roles]) =>
    roles.map((role) => `${permission}: ${role}`),
  )
  expect(inDatabase.map(({ role, permission }) => `${permission}: ${role}`).sort()).toEqual(inCode.sort())
})

describe.each(['profiles', 'invitations'] as const)('roles of %s', (table) => {
  const NO_ROLES = [
    'owner',
    'Admin',
    'ADMIN',
    'admin ',
    'superadmin',
    'service_role',
    'authenticated',
    'pr',
    '',
  ]
  let userId: string

  beforeAll(async () => {
    userId = (await group.person('rrhh')).id
    await stackClient(stack, 'service').from('profiles').delete().eq('id', userId).throwOnError()
  })

  /** The error of inserting a row with that role; the row does not stay. */
  async function tryRole(role: string): Promise<string | undefined> {
    const service = stackClient(stack, 'service')
    const row = { organization_id: group.id, email: 'rol@equipo.example', role }
    const location_ids = role === 'sala' ? [group.id] : []
    const { error } =
      table === 'profiles'
        ? await service.from('profiles').insert({ ...row, id: userId })
        : await service.from('invitations').insert({ ...row, location_ids })
    await service.from(table).delete().eq('email', row.email).throwOnError()
    return error?.message
  }

  it.each(ROLES)('%s is one', async (role) => {
    expect(await tryRole(role)).toBeUndefined()
  })

  it.each(NO_ROLES)('"%s" is none', async (role) => {
    expect(await tryRole(role)).toContain(`${table}_role_check`)
  })
})
