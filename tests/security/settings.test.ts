import { createECDH } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import webPush from 'web-push'
import { CHOSEN } from '../factories/account'
import { startApp, type TestApp, testClient } from '../support/app'

// Settings that would leave a door open are refused when the app reads them, by name and never by value.
let app: TestApp
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'silent' })
})
afterAll(() => app?.close())

async function restartWith(settings: Record<string, string>): Promise<void> {
  Object.assign(process.env, settings)
  vi.resetModules()
}
const problemsOf = async (settings: Record<string, string>) => {
  await restartWith(settings)
  const { env } = await import('@/lib/env')
  try {
    env()
    return null
  } catch (error) {
    return String(error)
  }
}
const cron = (secret: string) =>
  testClient()
    .request('GET', '/api/cron/sync', { headers: { authorization: `Bearer ${secret}` } })
    .then(({ status }) => status)

describe('CRON_SECRET', () => {
  it.each(['x', '123456', 'fifteen-letters'])('%s is too short', async (secret) => {
    const problems = await problemsOf({ CRON_SECRET: secret })
    expect(problems).toContain('CRON_SECRET: must have at least 16 characters')
    expect(problems?.split('\n').filter((line) => line.includes(`: ${secret}`))).toEqual([])
  })

  it('of that kind opens nothing, and health says that the settings are wrong without naming them', async () => {
    await restartWith({ CRON_SECRET: 'short' })
    const { GET } = await import('@/app/api/health/route')
    const health = await GET(new Request('http://localhost:3000/api/health'))
    const text = await health.text()
    expect([health.status, JSON.parse(text)]).toEqual([
      503,
      { status: 'unhealthy', error: 'The settings are not valid; the log names them' },
    ])
    expect(text).not.toMatch(/short|CRON/)
    const { GET: sync } = await import('@/app/api/cron/sync/route')
    const headers = { authorization: 'Bearer short' }
    expect((await sync(new Request('http://localhost:3000/api/cron/sync', { headers }))).status).toBe(500)
  })

  it('empty or unset refuses every call, and the app runs', async () => {
    await restartWith({ CRON_SECRET: '' })
    expect(await problemsOf({ CRON_SECRET: '' })).toBeNull()
    for (const guess of ['', 'undefined', 'null']) expect(await cron(guess)).toBe(401)
    delete process.env.CRON_SECRET
    expect(await problemsOf({})).toBeNull()
    for (const guess of ['', 'undefined', 'null']) expect(await cron(guess)).toBe(401)
  })

  it('of 16 characters is taken', async () => {
    expect(await problemsOf({ CRON_SECRET: '0123456789abcdef' })).toBeNull()
  })
})

describe('an address of a provider', () => {
  const names = ['TWILIO_BASE_URL', 'RESEND_BASE_URL', 'OPENAI_BASE_URL']
  it.each(names)('%s may not lead inside', async (name) => {
    for (const url of [
      'https://169.254.169.254',
      'https://10.1',
      'https://[::ffff:7f00:1]',
      'http://pms.example',
    ]) {
      const problems = await problemsOf({ [name]: url, ALLOW_LOOPBACK_UPSTREAMS: '0' })
      expect([url, problems]).toEqual([
        url,
        expect.stringMatching(`${name}: (leads to|must start with https)`),
      ])
      expect(problems).not.toContain('169.254')
    }
    expect(await problemsOf({ [name]: 'https://proxy.example/v1' })).toBeNull()
  })
})

it('SECRETS_KEY_PREVIOUS is a key or nothing', async () => {
  expect(await problemsOf({ SECRETS_KEY_PREVIOUS: 'c2hvcnQ=' })).toContain('SECRETS_KEY_PREVIOUS')
  expect(await problemsOf({ SECRETS_KEY_PREVIOUS: '' })).toBeNull()
})

describe('the VAPID keys', () => {
  const pair = {
    VAPID_PUBLIC_KEY:
      'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    VAPID_PRIVATE_KEY: 'VCxaZ09KnrAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  }

  it('are both unset, or a pair', async () => {
    expect(await problemsOf({ VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '' })).toBeNull()
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    const own = { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
    expect(await problemsOf(own)).toBeNull()
    for (const keys of [
      pair,
      { ...own, VAPID_PRIVATE_KEY: '' },
      { ...own, VAPID_PUBLIC_KEY: pair.VAPID_PUBLIC_KEY },
    ])
      expect(await problemsOf(keys)).toContain('VAPID_PUBLIC_KEY: must be the pair of VAPID_PRIVATE_KEY')
  })

  it('have a private key of 32 bytes', async () => {
    // What Node makes of a key that begins with a zero: a pair, which web-push refuses at every send.
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(Buffer.alloc(31, 1))
    const short = {
      VAPID_PUBLIC_KEY: curve.getPublicKey('base64url'),
      VAPID_PRIVATE_KEY: curve.getPrivateKey('base64url'),
    }
    const problems = await problemsOf(short)
    expect(problems).toContain('VAPID_PRIVATE_KEY: must be 32 bytes in base64url')
    expect(problems).not.toContain('VAPID_PUBLIC_KEY:')
  })

  it('name the contact for push services', async () => {
    const unset = { VAPID_PUBLIC_KEY: '', VAPID_PRIVATE_KEY: '' }
    const subject = (VAPID_SUBJECT: string) => problemsOf({ ...unset, VAPID_SUBJECT })
    expect(await subject('ops@crm.example')).toContain('VAPID_SUBJECT: must be')
    expect(await subject('mailto:ops@crm.example')).toBeNull()
  })
})

describe('SETUP_TOKEN', () => {
  it('is too short below 16 characters', async () => {
    expect(await problemsOf({ SETUP_TOKEN: 'fifteen-letters' })).toContain(
      'SETUP_TOKEN: must have at least 16 characters',
    )
  })

  it('empty or unset opens nothing', async () => {
    expect(await problemsOf({ SETUP_TOKEN: '' })).toBeNull()
    const { POST } = await import('@/app/api/setup/route')
    const body = { group_name: 'X', email: 'x@x.example', password: CHOSEN }
    const guess = (token: string) =>
      POST(
        new Request('http://localhost:3000/api/setup', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, token }),
        }),
      ).then(({ status }) => status)
    for (const token of ['', 'undefined', 'null']) expect(await guess(token)).toBe(403)
  })
})
