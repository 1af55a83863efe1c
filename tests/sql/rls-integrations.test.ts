import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, request } from './ask'
import { integrationTables, jobFunctions } from './cases/integrations'
import { arrangeCast, type Cast, EVERYONE } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(integrationTables, () => cast)
describeFunctions(jobFunctions, () => cast)

describe('secrets of integrations', () => {
  const WAYS = [
    'integration_configs',
    'integration_configs?select=*',
    'integration_configs?select=secrets',
    'integration_configs?select=id,secrets',
    'integration_configs?select=config:secrets',
    'integration_configs?select=id,stolen:secrets->api_key',
    'integration_configs?select=id,secrets->>api_key',
    'integration_configs?select=id,secrets::text',
    'integration_configs?select=id&secrets=not.is.null',
    'integration_configs?select=id&secrets=eq.{}',
    'integration_configs?select=id&secrets->>api_key=like.v*',
    'integration_configs?select=id&or=(secrets.not.is.null,id.is.null)',
    'integration_configs?select=id&order=secrets',
    'integration_configs?select=id&order=secrets->>api_key.desc',
    'organizations?select=name,integration_configs(*)',
    'organizations?select=name,integration_configs(secrets)',
    'organizations?select=name,integration_configs!inner(id)&integration_configs.secrets=not.is.null',
    'organizations?select=name,stolen:integration_configs(config:secrets)',
  ]

  it.each(WAYS)('do not leave by %s', async (path) => {
    // The service may, so what stops the others is their rights and not the path.
    expect((await request(cast, 'service', path)).status).toBe(200)
    for (const who of EVERYONE) {
      const response = await request(cast, who, path)
      expect({ who, ok: response.ok }).toEqual({ who, ok: false })
      expect(await response.text()).not.toMatch(/api_key"|v1\./)
    }
  })
})

describe('service-only functions', () => {
  it('did nothing when they were refused', async () => {
    const leases = await cast.stack.sql('select name, holder from public.job_leases')
    expect(leases).toEqual([{ name: 'sync', holder: cast.ids.Norte }])
    expect(await cast.stack.sql('select key, hits from public.rate_limits')).toEqual([
      { key: 'sign-in:203.0.113.7', hits: 9 },
    ])
  })

  it('work for the service with the same arguments', async () => {
    const call = (name: keyof typeof jobFunctions) =>
      ask(cast, 'service', `rpc/${name}`, { method: 'POST', body: jobFunctions[name]?.body(cast) })
    expect(await call('acquire_lease')).toBe(true)
    await call('release_lease')
    expect(await call('take_rate_limit')).toBe(0)
    const leases = await cast.stack.sql('select name from public.job_leases')
    expect(leases).toEqual([{ name: 'free' }])
  })
})
