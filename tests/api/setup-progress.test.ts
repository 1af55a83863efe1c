import { afterAll, beforeAll, expect, it } from 'vitest'
import { serviceDb } from '@/lib/db/service'
import { can, type Role } from '@/lib/permissions'
import { type SetupProgress, setupProgress } from '@/lib/setup/progress'
import { connectPms, createGroup, type Group, type Person } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Person
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Nuevo')
  boss = await group.person('super_admin')
})
afterAll(() => app?.close())

const seenBy = ({ db }: Person, role: Role = 'super_admin') =>
  setupProgress({ db, can: (permission) => can(role, permission) })
/** The steps that are done, of those that home lists. */
async function done(): Promise<string[]> {
  const progress = await seenBy(boss)
  return Object.entries(progress ?? {}).flatMap(([step, is]) => (is === true ? [step] : []))
}
const request = async (method: string, path: string, body: object) => {
  const { status, body: given } = await answer(await (await signedIn(boss)).request(method, path, { body }))
  expect([200, 201]).toContain(status)
  return given.data
}

it('begins with nothing done, and each step counts once it is', async () => {
  expect(await done()).toEqual([])
  const { id } = await request('POST', '/api/locations', { name: 'Triana' })
  expect(await done()).toEqual(['locations'])

  // With a PMS, a location without its identifier there brings nothing.
  await connectPms(app.stack, group.id, 'https://pms.example')
  expect(await done()).toEqual(['pms'])
  await request('PATCH', `/api/locations/${id}`, { pms_id: 'triana' })
  expect(await done()).toEqual(['pms', 'locations'])

  expect((await seenBy(boss))?.without_hours).toBe(id)
  const dinner = { name: 'Cena', weekdays: [1, 2, 3], opens: '20:00', closes: '23:30', capacity: 40 }
  await request('PUT', `/api/locations/${id}/hours`, { shifts: [dinner], closed_days: [] })
  expect(await done()).toEqual(['pms', 'hours', 'locations'].sort((a, b) => order(a) - order(b)))
  expect((await seenBy(boss))?.without_hours).toBeNull()
  // Another location begins without hours; one that is switched off needs none.
  const other = await request('POST', '/api/locations', { name: 'Alameda' })
  expect((await seenBy(boss))?.without_hours).toBe(other.id)
  await request('PATCH', `/api/locations/${other.id}`, { is_active: false })
  expect((await seenBy(boss))?.hours).toBe(true)

  await request('POST', '/api/team/invitations', { email: 'sala@nuevo.example', role: 'operaciones' })
  expect((await seenBy(boss))?.team).toBe(true)
  await request('POST', '/api/customers', { first_name: 'Ana' })
  expect((await seenBy(boss))?.data).toBe(true)
})

const order = (step: string) => ['pms', 'locations', 'hours'].indexOf(step)

it('is for those who can do the steps: not for other roles, nor for people bound to locations', async () => {
  const [location] = await app.stack.sql<{ id: string }>('select id from public.locations limit 1')
  expect(await seenBy(await group.person('admin'), 'admin')).not.toBeNull()
  expect(await seenBy(await group.person('admin', [String(location?.id)]), 'admin')).toBeNull()
  const manager = await group.person('ceo')
  expect(await seenBy(manager, 'ceo')).toBeNull()
  // Not even when the app asks.
  expect(await seenBy(manager, 'super_admin')).toBeNull()
})

it('is hidden for the group and shown again', async () => {
  await request('PATCH', '/api/organization', { show_setup: false })
  expect(await seenBy(boss)).toBeNull()
  await request('PATCH', '/api/organization', { show_setup: true })
  expect(await seenBy(boss)).not.toBeNull()
})

it('shows nothing of another group, and ends once all is done', async () => {
  const other = await createGroup(app.stack, 'Otro Grupo')
  const steps: SetupProgress | null = await seenBy(await other.person('super_admin'))
  expect(Object.values(steps ?? {}).filter((value) => value === true)).toEqual([])
  await serviceDb()
    .from('integration_configs')
    .insert({ organization_id: group.id, integration_type: 'resend', is_enabled: true, config: {} })
    .throwOnError()
  expect(await seenBy(boss)).toBeNull()
})
