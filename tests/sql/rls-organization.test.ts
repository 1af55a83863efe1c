import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, askRows, REFUSED, request } from './ask'
import { organizationFunctions, organizationTables } from './cases/organization'
import { arrangeCast, BOUND, type Cast, EVERYONE, UNBOUND, type Who } from './cast'
import { answers, reads } from './expectations'
import { describeFunctions, describeTables, forEveryone, snapshot } from './matrix'
import { startRlsStack } from './support'

const OWNER = 'locations_organization_id_fkey'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(organizationTables, () => cast)
describeFunctions(organizationFunctions, () => cast)

describe('own rights', () => {
  it.each(EVERYONE)('%s cannot take a higher role or another organization', async (who) => {
    const before = await snapshot(cast, 'profiles')
    const self = `profiles?id=eq.${cast.ids[who] ?? cast.ids.fired}`
    for (const body of [{ role: 'super_admin' }, { organization_id: cast.ids.Sur }]) {
      expect(await ask(cast, who, self, { method: 'PATCH', body })).toBe(REFUSED)
    }
    expect(await snapshot(cast, 'profiles')).toEqual(before)
  })

  it('stay as they are for an upsert of the own profile', async () => {
    const before = await snapshot(cast, 'profiles')
    const rows = await askRows(cast, 'rrhh', 'profiles?select=*')
    const body = rows === REFUSED ? [] : rows.map((row) => ({ ...row, role: 'super_admin' }))
    expect(body).toHaveLength(1)
    const headers = { prefer: 'resolution=merge-duplicates' }
    expect(await ask(cast, 'rrhh', 'profiles', { method: 'POST', headers, body })).toBe(REFUSED)
    expect(await snapshot(cast, 'profiles')).toEqual(before)
  })
})

describe('assignments to a location one does not work in', () => {
  const assignment = () => ({ profile_id: cast.ids.marketing, location_id: cast.ids.Sol })
  beforeAll(() => ask(cast, 'service', 'profile_locations', { method: 'POST', body: assignment() }))
  afterAll(() =>
    ask(cast, 'service', `profile_locations?profile_id=eq.${cast.ids.marketing}`, { method: 'DELETE' }),
  )

  it('are for its managers and the person assigned', async () => {
    const path = `profile_locations?location_id=eq.${cast.ids.Sol}`
    const readers: Who[] = ['super_admin', 'admin', 'marketing']
    expect(await forEveryone((who) => askRows(cast, who, path))).toEqual(
      answers<unknown>([], [readers, [assignment()]]),
    )
  })

  it('take effect at once', async () => {
    expect(await ask(cast, 'marketing', 'locations?select=name')).toEqual([{ name: 'Sol' }])
  })
})

describe('resources embedded in the organization', () => {
  const embedded = (table: string, column: string) =>
    forEveryone(async (who) => {
      const rows = await askRows(cast, who, `organizations?select=name,${table}(${column})`)
      if (rows === REFUSED) return REFUSED
      return rows
        .flatMap((row) => (row[table] as Record<string, unknown>[]).map((each) => each[column]))
        .sort()
    })

  it('are the locations one works in', async () => {
    expect(await embedded('locations', 'name')).toEqual(
      reads([UNBOUND, ['Retiro', 'Sol']], [BOUND, ['Retiro']], [['stranger'], ['Triana']]),
    )
  })

  it('are the profiles and invitations one may read', async () => {
    const sorted = (table: 'profiles' | 'invitations') =>
      Object.entries(organizationTables[table]?.reads ?? {}).map(([who, rows]) => [
        who,
        rows === REFUSED ? rows : [...rows].sort(),
      ])
    expect(await embedded('profiles', 'full_name')).toEqual(Object.fromEntries(sorted('profiles')))
    const invited = await embedded('invitations', 'email')
    const named = Object.entries(invited).map(([who, emails]) => [
      who,
      emails === REFUSED ? emails : emails.map(cast.nameOf).sort(),
    ])
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(sorted('invitations')))
  })

  it('are of the own organization in a location and its brand', async () => {
    const got = await forEveryone((who) =>
      askRows(
        cast,
        who,
        `locations?select=name,brands(name),organizations!${OWNER}(name)&order=name&limit=1`,
      ),
    )
    const inNorte = [{ name: 'Retiro', brands: { name: 'Norte' }, organizations: { name: 'Norte' } }]
    const inSur = [{ name: 'Triana', brands: { name: 'Sur' }, organizations: { name: 'Sur' } }]
    expect(got).toEqual(answers<unknown>([], [UNBOUND, inNorte], [BOUND, inNorte], [['stranger'], inSur]))
  })
})

describe('what is not in public', () => {
  const HIDDEN = [
    ['private', 'role_permissions?select=*'],
    ['auth', 'users?select=*'],
    ['pg_catalog', 'pg_roles?select=*'],
  ] as const

  it.each(HIDDEN)('%s does not answer, whoever asks', async (schema, path) => {
    for (const who of [...EVERYONE, 'service'] as const) {
      const response = await request(cast, who, path, { headers: { 'accept-profile': schema } })
      expect({ who, ok: response.ok, rows: rowCount(await response.text()) }).toEqual({
        who,
        ok: false,
        rows: 0,
      })
    }
  })

  it.each(['my_organizations', 'my_locations', 'handle_new_user', 'refresh_customers'])(
    'private.%s cannot be called',
    async (name) => {
      for (const who of [...EVERYONE, 'service'] as const) {
        const headers = { 'content-profile': 'private', 'accept-profile': 'private' }
        const call = { method: 'POST', headers, body: {} } as const
        expect((await request(cast, who, `rpc/${name}`, call)).ok, who).toBe(false)
      }
    },
  )
})

function rowCount(text: string): number {
  const body: unknown = JSON.parse(text)
  return Array.isArray(body) ? body.length : 0
}
