import Bowser from 'bowser'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { socketAddressHeader } from '@/lib/address/proxies'
import { notificationSchema, renderNotification } from '@/lib/messaging/notification'
import { CHOSEN, createGroup, type Group, PASSWORD, type Person, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { emptyTables } from '../support/empty-tables'
import { invalid, refusal } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

const HOME = '203.0.113.7'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

let app: TestApp
let group: Group
let person: Person
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Grupo Cuentas', [{ name: 'Sol', slug: 'sol' }])
})
beforeEach(async () => {
  await app.stack.sql(emptyTables('attempt_limits', 'messages'))
  person = await group.person('rrhh')
})
afterAll(() => app?.close())

interface From {
  address?: string
  agent?: string
  headers?: Record<string, string>
  password?: string
}

async function enter({ address = HOME, agent = CHROME, headers = {}, password = PASSWORD }: From = {}) {
  const client = app.client()
  const sent = { [socketAddressHeader()]: address, 'user-agent': agent, ...headers }
  const body = { email: person.email, password }
  const response = await client.request('POST', '/api/auth/sign-in', { body, headers: sent })
  return { client, status: response.status }
}

interface Listed {
  id: string
  current: boolean
  browser: string | null
  system: string | null
  network: string | null
  place: string | null
}
const sessions = async (client: Client): Promise<Listed[]> =>
  (await answer(await client.request('GET', '/api/auth/sessions'))).body.data
const isIn = async (client: Client) => (await client.request('GET', '/api/notices')).status === 200
const words = ({ browser, system, network, current }: Listed) => [browser, system, network, current]

describe('one’s own sessions', () => {
  it('are listed with device and network, this one first', async () => {
    await app.stack.sql('delete from auth.sessions where user_id = $1', [person.id])
    await enter({ agent: IPHONE, address: '2001:db8:aa:bb::5' })
    const { client } = await enter()
    expect((await sessions(client)).map(words)).toEqual([
      ['Chrome', 'Windows', '203.0.113.0/24', true],
      ['Safari', 'iOS', '2001:db8:aa::/48', false],
    ])
  })

  it.each([
    ['none', ''],
    ['five hundred thousand characters', `Chrome/${'9'.repeat(500_000)}`],
    ['markup', '<script>alert(1)</script>'],
  ])('take any name for a browser: %s', async (_, agent) => {
    const parse = vi.spyOn(Bowser, 'parse')
    const { client } = await enter({ agent })
    // Its regular expressions take more than linear time.
    expect(parse.mock.calls.map(([text]) => text.length)).toEqual([Math.min(agent.length || 1, 500)])
    parse.mockRestore()
    const [own] = await sessions(client)
    expect(own?.current).toBe(true)
    expect((own?.browser ?? '').length).toBeLessThanOrEqual(60)
  })

  it('believe a place only where the platform writes it', async () => {
    const { client } = await enter({ headers: { 'x-vercel-ip-city': 'Lugo', 'x-vercel-ip-country': 'ES' } })
    expect((await sessions(client))[0]?.place).toBeNull()
  })

  it('end one by one, for the app and the database', async () => {
    const [one, other] = [await enter(), await enter({ agent: IPHONE })]
    const phone = (await sessions(one.client)).find(({ system }) => system === 'iOS')
    expect((await one.client.request('DELETE', `/api/auth/sessions/${phone?.id}`)).status).toBe(204)
    expect([await isIn(one.client), await isIn(other.client)]).toEqual([true, false])
    expect((await one.client.request('DELETE', `/api/auth/sessions/${phone?.id}`)).status).toBe(404)
    expect((await sessions(one.client)).some(({ id }) => id === phone?.id)).toBe(false)
  })

  it('cannot be seen or ended by others, not even by an administrator', async () => {
    const { client } = await enter()
    const boss = await signedIn(await group.person('super_admin'))
    const [own] = await sessions(client)
    const seen = (await sessions(boss)).map(({ id }) => id)
    expect(seen).not.toContain(own?.id)
    const refused = await boss.request('DELETE', `/api/auth/sessions/${own?.id}`)
    expect(await answer(refused)).toEqual(refusal('NOT_FOUND'))
    expect(await isIn(client)).toBe(true)
  })

  it('all end but this one, or all of them', async () => {
    const [one, two, three] = [await enter(), await enter(), await enter()]
    const end = (which: string) => one.client.request('POST', '/api/auth/sessions/end', { body: { which } })
    const data = (await person.db.auth.getUser()).data.user
    expect(data?.id).toBe(person.id)
    expect((await end('others')).status).toBe(200)
    expect([await isIn(one.client), await isIn(two.client), await isIn(three.client)]).toEqual([
      true,
      false,
      false,
    ])
    expect((await person.db.from('locations').select('name')).data).toEqual([])
    expect((await end('everywhere')).status).toBe(200)
    expect(await isIn(one.client)).toBe(false)
    expect((await enter()).status).toBe(200)
  })
})

describe('another password', () => {
  const change = async (client: Client, current_password: string, password = CHOSEN, from = HOME) => {
    const headers = { [socketAddressHeader()]: from }
    const body = { current_password, password }
    return answer(await client.request('POST', '/api/auth/password', { body, headers }))
  }

  it('ends the other sessions, here and at the database, and keeps this one', async () => {
    const [one, other] = [await enter(), await enter()]
    expect(await change(one.client, PASSWORD)).toEqual({ status: 200, body: { success: true } })
    expect([await isIn(one.client), await isIn(other.client)]).toEqual([true, false])
    expect((await person.db.from('locations').select('name')).data).toEqual([])
    expect((await sessions(one.client)).map(({ current }) => current)).toEqual([true])
    expect((await enter()).status).toBe(401)
    expect((await enter({ password: CHOSEN })).status).toBe(200)
  })

  it('needs the current one, and guesses lock like failed sign-ins', async () => {
    const { client } = await enter()
    const wrong = invalid('current_password', 'wrong_password')
    for (let n = 0; n < 10; n++) expect(await change(client, 'not-the-password')).toEqual(wrong)
    expect((await change(client, PASSWORD)).status).toBe(429)
    expect(await isIn(client)).toBe(true)
  })

  it('may not be easy to guess, nor the one before', async () => {
    const { client } = await enter()
    const weak = invalid('password', 'weak_password')
    expect(await change(client, PASSWORD, 'contraseña2026')).toEqual(weak)
    expect(await change(client, PASSWORD, 'GrupoCuentas1')).toEqual(weak)
    expect((await enter()).status).toBe(200)
  })
})

describe('an administrator', () => {
  it('ends the sessions of a colleague, within what they may manage', async () => {
    const { client } = await enter()
    const boss = await signedIn(await group.person('super_admin'))
    const admin = await signedIn(await group.person('admin'))
    const top = await group.person('super_admin')
    const end = async (by: Client, id: string) =>
      (await by.request('POST', `/api/team/${id}/end-sessions`)).status
    expect(await end(client, person.id)).toBe(403)
    expect(await end(admin, top.id)).toBe(403)
    expect((await top.db.from('locations').select('name')).data).toHaveLength(1)
    const elsewhere = await createGroup(app.stack, 'Grupo Ajeno')
    expect(await end(boss, (await elsewhere.person('rrhh')).id)).toBe(404)
    expect(await isIn(client)).toBe(true)
    expect(await end(admin, person.id)).toBe(204)
    expect(await isIn(client)).toBe(false)
    expect((await person.db.from('locations').select('name')).data).toEqual([])
  })

  it('bound to a location ends no session of people elsewhere', async () => {
    const [sol] = group.locations
    const bound = await signedIn(await group.person('admin', [sol?.id ?? '']))
    expect((await bound.request('POST', `/api/team/${person.id}/end-sessions`)).status).toBe(403)
  })
})

describe('a sign-in from a new device', () => {
  const mails = async () => {
    const rows = await app.stack.sql<{ recipient: string; content: unknown }>(
      `select recipient, content from public.messages where content ->> 'template' = 'new_sign_in' order by created_at`,
    )
    return rows.map(({ recipient, content }) => ({
      recipient,
      ...renderNotification(notificationSchema.parse(content)),
    }))
  }
  const hoursPass = (hours: number) =>
    app.stack.sql(
      `update private.session_details set told_at = told_at - make_interval(hours => $1),
         signed_in_at = signed_in_at - make_interval(hours => $1), last_seen_at = last_seen_at - make_interval(hours => $1)`,
      [hours],
    )

  it('is reported to the owner, in words', async () => {
    await enter()
    expect(await mails()).toEqual([])
    await enter({ agent: IPHONE })
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      recipient: person.email,
      subject: 'Entrada en su cuenta desde un dispositivo nuevo',
    })
    expect(mail?.text).toContain('Dispositivo: Safari en iOS.')
    expect(mail?.text).toContain('Lugar: desconocido.')
    expect(mail?.text).not.toContain('203.0.113')
  })

  it('is not for a device and network that were there within 90 days, whatever its version', async () => {
    await enter()
    await hoursPass(24 * 89)
    await enter({ agent: CHROME.replace('142', '150'), address: '203.0.113.99' })
    expect(await mails()).toEqual([])
    await enter({ address: '198.51.100.1' })
    expect(await mails()).toHaveLength(1)
  })

  it('is again for one not used for 90 days, though nothing else is known', async () => {
    await enter()
    await hoursPass(24 * 91)
    await enter()
    expect(await mails()).toHaveLength(1)
  })

  it('makes at most one mail an hour, also when many come at once', async () => {
    await enter()
    await Promise.all(Array.from({ length: 5 }, (_, n) => enter({ address: `198.51.${n}.1` })))
    expect(await mails()).toHaveLength(1)
    await hoursPass(1)
    await enter({ address: '192.0.2.1' })
    expect(await mails()).toHaveLength(2)
  })

  it('makes none for a failed one', async () => {
    await enter()
    await enter({ address: '198.51.100.1', password: 'not-the-password' })
    expect(await mails()).toEqual([])
  })

  it('goes on when the device cannot be kept', async () => {
    await app.stack.sql('alter table private.session_details rename column place to gone')
    try {
      expect((await enter()).status).toBe(200)
    } finally {
      await app.stack.sql('alter table private.session_details rename column gone to place')
    }
  })

  it('is no one’s to report but the app’s', async () => {
    const parameters = { p_session: person.id, p_browser: 'x', p_system: 'x', p_network: 'x', p_place: 'x' }
    expect((await person.db.rpc('note_sign_in', parameters)).error?.code).toBe('42501')
    expect((await stackClient(app.stack, 'service').rpc('note_sign_in', parameters)).data).toBe(false)
  })
})
