import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGroup, type Group } from '../factories/group'
import { startApp, type TestApp } from '../support/app'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group

beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Contexto', [
    { name: 'Norte', slug: 'norte', averageSpend: 31.5 },
    { name: 'Sur', slug: 'sur' },
  ])
  await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
})
afterAll(() => app?.close())

const PATH = '/api/organization/context'

describe('GET /api/organization/context', () => {
  it('answers the organization; orgId is accepted and ignored', async () => {
    const client = await signedIn(await group.person('rrhh'))
    expect(await answer(await client.request('GET', `${PATH}?orgId=another`))).toEqual({
      status: 200,
      body: {
        success: true,
        data: { id: group.id, name: 'Grupo Contexto', slug: expect.any(String), isPlatformAdminView: false },
        isPlatformAdmin: false,
      },
    })
  })

  it('answers null with its message without a session', async () => {
    expect(await answer(await app.client().request('GET', PATH))).toEqual({
      status: 200,
      body: { success: true, data: null, isPlatformAdmin: false, message: 'No hay organización activa' },
    })
  })
})

describe('GET /api/organization/context?view=assignments', () => {
  it('answers the locations someone works in, each with its brand', async () => {
    const [norte] = group.locations
    const person = await group.person('operaciones', [norte?.id ?? ''])
    const client = await signedIn(person)
    const { status, body } = await answer(await client.request('GET', `${PATH}?view=assignments`))
    expect(status).toBe(200)
    expect(body).toEqual({
      user_id: person.id,
      locations: [
        {
          id: norte?.id,
          name: 'Norte',
          city: null,
          address: null,
          brand_id: expect.any(String),
          pms_id: 'norte',
          timezone: 'Europe/Madrid',
          average_spend_per_guest: 31.5,
          count_unmarked_visits: true,
          quiet_from: null,
          quiet_until: null,
          is_active: true,
          stay_minutes: null,
          review_urls: [],
          known_until: null,
          brand: { id: body.brand_ids[0], name: 'Grupo Contexto', slug: expect.any(String) },
        },
      ],
      brand_ids: [body.locations[0].brand_id],
    })
  })

  it('answers all locations of the organization to someone without assignments, and no other', async () => {
    const client = await signedIn(await group.person('ceo'))
    const { body } = await answer(await client.request('GET', `${PATH}?view=assignments`))
    expect(body.locations.map(({ name }: { name: string }) => name)).toEqual(['Norte', 'Sur'])
    expect(body.brand_ids).toHaveLength(1)
  })
})
