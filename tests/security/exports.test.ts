import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, SUBJECT_EXPORT_ROLES } from '@/lib/auth/permissions'
import { type Guests, startGuests } from '../support/guests'
import { signedIn } from '../support/sign-in'

let g: Guests
let guest: string
beforeAll(async () => {
  g = await startGuests()
  const rows = await g.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name) values ($1, 'Ana') returning id`,
    [g.group.id],
  )
  guest = String(rows[0]?.id)
})
afterAll(() => g?.app.close())

describe('exports', () => {
  it.each(['/api/customers/export', 'subject'])('of %s are ten an hour a person', async (which) => {
    const path = which === 'subject' ? `/api/customers/${guest}/export` : which
    const [one, other] = [
      await signedIn(await g.group.person('ceo')),
      await signedIn(await g.group.person('ceo')),
    ]
    for (let n = 0; n < 10; n++) {
      const response = await one.request('GET', path)
      expect(response.status).toBe(200)
      await response.text()
    }
    const refused = await one.request('GET', path)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toEqual({ error: 'Rate limit exceeded' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await other.request('GET', path)).status).toBe(200)
  })

  it('of everything about a person are for three roles, by the database API too', async () => {
    for (const role of ['super_admin', 'admin', 'ceo', 'marketing', 'operaciones', 'rrhh'] satisfies Role[]) {
      const client = await signedIn(await g.group.person(role))
      const { status } = await client.request('GET', `/api/customers/${guest}/export`)
      expect({ role, status }).toEqual({ role, status: SUBJECT_EXPORT_ROLES.includes(role) ? 200 : 403 })
    }
  })

  it('that are broken off are logged with what went out', async () => {
    await g.sql('truncate public.attempt_limits')
    await g.sql(
      `insert into public.customers (organization_id, first_name)
       select $1, 'c' || n from generate_series(1, 900) as n`,
      [g.group.id],
    )
    await g.sql('delete from public.audit_log')
    const reader = (await g.boss.request('GET', '/api/customers/export')).body?.getReader()
    await reader?.read()
    await reader?.read()
    await reader?.cancel()
    const [ended] = await g.sql<{ rows: number; known: boolean }>(
      `select (details ->> 'rows')::int as rows, actor is not null as known
       from public.audit_log where action = 'customers.export_ended'`,
    )
    expect(ended?.known).toBe(true)
    expect(ended?.rows).toBeGreaterThan(0)
    expect(ended?.rows).toBeLessThan(900)
  })
})
