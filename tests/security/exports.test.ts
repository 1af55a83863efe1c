import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { type Guests, startGuests } from '../support/guests'
import { refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let g: Guests
let boss: Client
let guest: string
beforeAll(async () => {
  g = await startGuests([
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  boss = await g.hire('admin')
  const rows = await g.sql<{ id: string }>(
    `insert into public.customers (organization_id, first_name) values ($1, 'Ana') returning id`,
    [g.group.id],
  )
  guest = String(rows[0]?.id)
})
afterAll(() => g?.app.close())

describe('exports', () => {
  it.each(['/api/customers/export', '/api/reservations/export', 'subject'])(
    'of %s are ten an hour a person',
    async (which) => {
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
      expect(await answer(refused)).toEqual(refusal('RATE_LIMITED'))
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
      expect((await other.request('GET', path)).status).toBe(200)
    },
  )

  it('that are broken off are logged with what went out', async () => {
    await g.sql(emptyTables('attempt_limits'))
    await g.sql(
      `insert into public.customers (organization_id, first_name)
       select $1, 'c' || n from generate_series(1, 9000) as n`,
      [g.group.id],
    )
    await g.sql('delete from public.audit_log')
    const reader = (await boss.request('GET', '/api/customers/export')).body?.getReader()
    await reader?.read()
    await reader?.read()
    await reader?.cancel()
    const [ended] = await g.sql<{ rows: number; known: boolean }>(
      `select (details ->> 'rows')::int as rows, actor is not null as known
       from public.audit_log where action = 'customers.export_ended'`,
    )
    expect(ended?.known).toBe(true)
    expect(ended?.rows).toBeGreaterThan(0)
    expect(ended?.rows).toBeLessThan(9000)
  })
})
