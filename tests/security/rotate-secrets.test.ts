import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { rotateSecrets } from '@/lib/maintenance/rotate-secrets'
import { createGroup, type Group, stackClient } from '../factories/group'
import { connect, RESEND, TWILIO } from '../factories/integrations'
import { AI_KEY, connectAi } from '../support/ai-group'
import { startApp, type TestApp, testClient } from '../support/app'
import { emptyTables } from '../support/empty-tables'

// SECRETS_KEY is changed under a running product: nothing is lost before, during and after, nor by the old key's end.
const NEW = randomBytes(32).toString('base64')
const address = 'ana@guests.example'

let app: TestApp
let group: Group
let old = ''
let link = ''

beforeAll(async () => {
  app = await startApp()
  old = app.stack.keys.secretsKey
  group = await createGroup(app.stack, 'Rotación')
  const { unsubscribeToken } = await import('@/lib/messaging/unsubscribe-token')
  link = unsubscribeToken({ organizationId: group.id, channel: 'email', address }, old)
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('integration_configs', 'retired_keys'))
  await connectAi(app.stack, group, { base_url: 'https://ai.example/v1' })
  await connect(app.stack, group.id, 'twilio', TWILIO)
  await connect(app.stack, group.id, 'resend', RESEND)
})
afterAll(() => app?.close())

const service = () => stackClient(app.stack, 'service')
const ciphertexts = () =>
  app.stack.sql<{ secrets: Record<string, string> }>(
    'select secrets from public.integration_configs order by integration_type',
  )

/** An instance of the app as it starts with these keys. */
async function restartWith(current: string, previous = ''): Promise<void> {
  Object.assign(process.env, { SECRETS_KEY: current, SECRETS_KEY_PREVIOUS: previous })
  vi.resetModules()
}

/** What that instance reads: every secret, and the unsubscribe link sent before. */
async function reads() {
  const { enabledAiConfig } = await import('@/lib/integrations/services/ai')
  const { enabledTwilioConfigs } = await import('@/lib/integrations/services/twilio')
  const { enabledResendConfigs } = await import('@/lib/integrations/services/resend')
  const { readSubscription } = await import('@/lib/messaging/unsubscribe')
  const db = service()
  return {
    ai: (await enabledAiConfig(db, group.id))?.apiKey,
    twilio: (await enabledTwilioConfigs(db, group.id))[0]?.authToken,
    resend: (await enabledResendConfigs(db, group.id))[0]?.apiKey,
    webhook: (await enabledResendConfigs(db, group.id))[0]?.webhookSecret,
    link: (await readSubscription(link))?.recipient.address,
  }
}
const EVERYTHING = {
  ai: AI_KEY,
  twilio: TWILIO.auth_token,
  resend: RESEND.api_key,
  webhook: RESEND.webhook_secret,
  link: address,
}
const rotate = () => rotateSecrets(service(), [NEW, old])

describe('a new SECRETS_KEY', () => {
  it('loses nothing before, during and after, and the old one can go', async () => {
    await restartWith(NEW, old)
    expect(await reads()).toEqual(EVERYTHING)
    expect(await rotate()).toEqual({ rotated: 4, current: 0, unreadable: 0 })
    expect(await reads()).toEqual(EVERYTHING)
    await restartWith(NEW)
    expect(await reads()).toEqual(EVERYTHING)
    await restartWith(old)
    await expect(reads()).rejects.toThrow('another SECRETS_KEY')
  })

  it('may be rotated to again, which changes nothing, and once more to a third', async () => {
    await rotate()
    const sealed = await ciphertexts()
    expect(await rotate()).toEqual({ rotated: 0, current: 4, unreadable: 0 })
    expect(await ciphertexts()).toEqual(sealed)
    const third = randomBytes(32).toString('base64')
    expect(await rotateSecrets(service(), [third, NEW])).toEqual({ rotated: 4, current: 0, unreadable: 0 })
    await restartWith(third)
    expect(await reads()).toEqual(EVERYTHING)
  })

  it('overwrites nothing that is saved between reading and writing', async () => {
    const db = service()
    const rpc = db.rpc.bind(db)
    const saves = [() => connect(app.stack, group.id, 'twilio', { ...TWILIO, auth_token: 'newer' })]
    vi.spyOn(db, 'rpc').mockImplementation(((name: string, args: { p_changes: unknown[] }) => ({
      // biome-ignore lint/suspicious/noThenProperty: PostgREST's builder is such a thing
      then: async (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        if (args.p_changes.length > 0) await saves.pop()?.()
        return rpc(name as 'rotate_secrets', args as never).then(resolve, reject)
      },
    })) as never)
    // The save meanwhile was made with the old key: it is found and sealed anew too.
    expect(await rotateSecrets(db, [NEW, old])).toEqual({ rotated: 4, current: 0, unreadable: 0 })
    await restartWith(NEW)
    expect(await reads()).toEqual({ ...EVERYTHING, twilio: 'newer' })
  })

  it('counts what opens with neither key, and leaves it as it is', async () => {
    const broken = `update public.integration_configs set secrets = '{"auth_token": "00000000.AAAA"}'
      where integration_type = 'twilio'`
    await app.stack.sql(broken)
    expect(await rotate()).toEqual({ rotated: 3, current: 0, unreadable: 1 })
    expect(await ciphertexts()).toContainEqual({ secrets: { auth_token: '00000000.AAAA' } })
  })

  it('seals more rows than one page', async () => {
    // Without the audit log: it is made for the changes of people, one group at a time.
    await app.stack.sql('set session_replication_role = replica')
    await app.stack.sql(
      `with more as (insert into public.organizations (name, slug)
         select 'G' || n, 'g-' || n from generate_series(1, 1100) n returning id)
       insert into public.integration_configs (organization_id, integration_type, secrets)
       select id, 'ai', '{"api_key": "00000000.AAAA"}' from more`,
    )
    await app.stack.sql('set session_replication_role = origin')
    expect(await rotate()).toEqual({ rotated: 4, current: 0, unreadable: 1100 })
  })
})

it('npm run secrets:rotate prints counts and no secret', async () => {
  const env = { ...process.env, SECRETS_KEY: NEW, SECRETS_KEY_PREVIOUS: old }
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/rotate-secrets.ts'], { env })
  const { stdout, stderr } = await run
  expect(stdout).toContain('4 secrets sealed with the new key; 0 had it already.')
  for (const secret of [...Object.values(EVERYTHING), NEW, old]) expect(stdout + stderr).not.toContain(secret)
  await restartWith(NEW)
  expect(await reads()).toEqual(EVERYTHING)
})

it('unsubscribing by a link of the former key works over HTTP', async () => {
  await rotate()
  await restartWith(NEW)
  const response = await testClient().request('POST', `/api/u/${link}`)
  expect(response.status).toBe(200)
  const rows = await app.stack.sql('select 1 from public.suppressions where address = $1', [address])
  expect(rows).toHaveLength(1)
})
