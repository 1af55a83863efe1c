import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from './ask'
import { assistantFunctions, assistantTables } from './cases/assistant'
import { arrangeCast, type Cast } from './cast'
import { NOON } from './fill'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  const arranged = await arrangeCast(await startRlsStack())
  const { sql } = arranged.stack
  await sql(`update public.reservations
    set customer_name = 'booked-' || external_id, notes = 'note-' || external_id`)
  await sql(`update public.customers c
    set first_name = 'name-' || c.email, loyalty_tier_id = t.id, last_visit_at = '2026-01-01', total_visits = 3
    from public.loyalty_tiers t
    where t.organization_id = c.organization_id and t.name = 'Oro' and c.email not like 'luis%'`)
  const automations = await sql<{ id: string; organization_id: string }>(
    'select id, organization_id from public.automations where deleted_at is null',
  )
  const names = new Map(
    automations.map(({ id, organization_id }) => [id, `${arranged.nameOf(organization_id)} run`]),
  )
  cast = { ...arranged, nameOf: (value) => names.get(String(value)) ?? arranged.nameOf(value) }
})
afterAll(() => cast?.stack.close())

describeTables(assistantTables, () => cast)
describeFunctions(assistantFunctions, () => cast)

describe('names in the context', () => {
  const body = { p_now: NOON }
  const context = async () =>
    JSON.stringify(await ask(cast, 'operaciones', 'rpc/assistant_context', { method: 'POST', body }))
  const without = async (permission: string) => {
    const parameters = ['operaciones', permission]
    await cast.stack.sql(
      'delete from private.role_permissions where role = $1 and permission = $2',
      parameters,
    )
    try {
      return await context()
    } finally {
      await cast.stack.sql('insert into private.role_permissions values ($1, $2)', parameters)
    }
  }

  it('of reservations, with their notes, need the reservations', async () => {
    expect(await context()).toContain('booked-sol-luis')
    const seen = await without('canAccessOperaciones')
    expect(seen).not.toMatch(/booked-|note-/)
    expect(seen).toContain('name-ana@norte.example')
  })

  it('of customers, and the tiers of those who booked, need the customers', async () => {
    expect(JSON.parse(await context()).upcoming).toContainEqual(expect.objectContaining({ tier: 'Oro' }))
    const seen = await without('canAccessClientes')
    expect(seen).not.toContain('name-')
    expect(JSON.parse(seen).upcoming).toHaveLength(3)
    expect(JSON.parse(seen).upcoming.filter((one: object) => 'tier' in one)).toEqual([])
  })
})
