import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { debugToday } from '@/lib/reservations/reads'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { stopClock } from '../support/clock'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
stopClock()
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Hoy', [
    { name: 'Norte', slug: 'norte' },
    { name: 'Sur', slug: 'sur' },
  ])
  const other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  await app.stack.sql(
    `insert into public.customers (organization_id, email, first_name, last_name)
     values ($1, 'ana@correo.example', 'Ana', 'Ruiz')`,
    [group.id],
  )
  const add = (id: string, location: string, date: string, count: number) =>
    app.stack.sql(
      `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
         reservation_time, party_size, status, source)
       select $1, $2, (select id from public.customers where organization_id = $1), 'Ana Ruiz', $3::date,
         time '13:00' + n * interval '15 minutes', n, 'confirmed', 'pms' from generate_series(1, $4::int) as n`,
      [id, location, date, count],
    )
  await add(group.id, group.locations[0]?.id ?? '', today, 12)
  await add(group.id, group.locations[1]?.id ?? '', '2026-01-01', 3)
  await add(other.id, other.locations[0]?.id ?? '', today, 4)
})
afterAll(() => app?.close())

const PATH = '/api/admin/debug-reservations'

describe('GET /api/admin/debug-reservations', () => {
  it('lists at most ten of today, with location and customer, to someone bound to their location', async () => {
    const client = await signedIn(await group.person('operaciones', [group.locations[0]?.id ?? '']))
    const { status, body } = await answer(await client.request('GET', PATH))
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 10, today })
    expect(body.reservations).toHaveLength(10)
    expect(body.reservations[0]).toMatchObject({
      reservation_date: `${today}T13:15:00`,
      reservation_time: '13:15',
      party_size: 1,
      pax: 1,
      status: 'confirmed',
      locations: { name: 'Norte' },
      customers: { first_name: 'Ana', last_name: 'Ruiz' },
    })
    expect(
      new Set(body.reservations.map((one: { locations: { name: string } }) => one.locations.name)),
    ).toEqual(new Set(['Norte']))
  })

  it('takes today as the UTC date', async () => {
    const { db } = await group.person('operaciones')
    const { organization } = group
    const late = await debugToday({ db, organization }, new Date('2026-01-01T23:59:59Z'))
    expect(late).toMatchObject({ count: 3, today: '2026-01-01' })
    expect(await debugToday({ db, organization }, new Date('2026-01-02T00:00:00Z'))).toMatchObject({
      count: 0,
    })
  })
})
