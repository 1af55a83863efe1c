import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isGuessable } from '@/lib/auth/password-strength'
import { waitForDetachedWork } from '@/lib/http/after'
import { STRANGE_PASSWORDS } from '../bench/guards/pieces'
import { CHOSEN, createGroup, type Group } from '../factories/group'
import { type Client, startApp, type TestApp } from '../support/app'
import { invalid } from '../support/refusal'
import { answer, signedIn } from '../support/sign-in'

let app: TestApp
let group: Group
let boss: Client
beforeAll(async () => {
  app = await startApp()
  group = await createGroup(app.stack, 'Casa Zalamea')
  boss = await signedIn(await group.person('super_admin'))
})
afterAll(() => app?.close())

const TOO_WEAK = invalid('password', 'weak_password')

describe('a guessable password', () => {
  it.each([
    '1234567890',
    'qwertyuiop',
    'Password123!',
    'contraseña1',
    'contraseña2026',
    'tequiero123',
    'Barcelona1992',
    'Primavera2026',
    'restaurante1',
    'Sobremesa2026',
    'aaaaaaaaaaaa',
    'P@ssw0rd2026',
  ])('is %s', async (password) => {
    expect(await isGuessable(password, [])).toBe(true)
  })

  it.each([
    ['inigo.montero@casazalamea.example', 'inigomontero7'],
    ['inigo.montero@casazalamea.example', 'Casazalamea.2026'],
    ['Íñigo Montero Urrutxurtu', 'Urrutxurtu2026'],
    ['Grupo Chiringulandia', 'chiringulandia1!'],
  ])('is made of what is known of the person (%s: %s)', async (about, password) => {
    expect(await isGuessable(password, [about])).toBe(true)
  })

  it.each([
    'mesa-demo-2026',
    'Mesa-Demo-2026',
    'mesa-demo-2026!',
    'mesa-tests-2026',
    'lluvia tejado once gato',
    'Lluvia tejado once gato.',
    'una-frase-nueva',
    'mesademo2026',
    'mesa–demo–2027',
    ' mesa-demo-2026 ',
    'Lluvia, tejado, once, gato',
  ])('is published in this repository: %s', async (password) => {
    expect(await isGuessable(password, [])).toBe(true)
  })

  it.each(['un perro azul cenaba tarde', 'una-frase-distinta', 'kV9$tqLz!w2c', 'ñandú-verde-92'])(
    'is not %s',
    async (password) => {
      expect(await isGuessable(password, ['ana@grupo.example', 'Ana', 'Grupo'])).toBe(false)
    },
  )

  it('is recognised by its first 32 characters, because estimating takes more than linear time', async () => {
    const strong = 'kV9$tqLz!w2c'
    expect(await isGuessable('a'.repeat(31) + strong, [])).toBe(true)
    expect(await isGuessable('a'.repeat(20) + strong, [])).toBe(false)
  })

  // The time of one estimate has its bound in `npm run bench -- guards`.
  it.each(STRANGE_PASSWORDS)(
    'is found with one estimate and few words, however strange it is',
    async (password) => {
      const check = vi.spyOn(ZxcvbnFactory.prototype, 'check')
      await isGuessable(password, ['a.'.repeat(120), 'abc '.repeat(500)])
      expect(check.mock.calls.map(([, words]) => words?.length)).toEqual([1 + 1 + 40])
      check.mockRestore()
    },
  )
})

describe('a new password', () => {
  const invite = async (email: string): Promise<string> => {
    const body = { email, role: 'operaciones' }
    return (await answer(await boss.request('POST', '/api/team/invitations', { body }))).body.data.token
  }
  const signUp = async (body: object) =>
    answer(await app.client().request('POST', '/api/auth/sign-up', { body }))

  it('at sign-up is refused when it is common, or the person’s or the house’s own', async () => {
    const email = 'inigo.montero@casa.example'
    const token = await invite(email)
    for (const password of [
      'contraseña1',
      'mesa-demo-2026',
      'inigomontero7',
      'Urrutxurtu2026',
      'CasaZalamea1',
    ])
      expect(await signUp({ email, password, full_name: 'Íñigo Urrutxurtu', token })).toEqual(TOO_WEAK)
    expect(await app.stack.sql('select 1 from auth.users where email = $1', [email])).toEqual([])
  })

  it('does not reveal who is invited', async () => {
    expect(
      await signUp({ email: 'nadie@casa.example', password: 'contraseña1', token: 'A'.repeat(43) }),
    ).toEqual(TOO_WEAK)
  })

  it('by a mailed link is refused likewise; a common one does not spend the link', async () => {
    const person = await group.person('marketing')
    const mailed = async () => {
      await app.client().request('POST', '/api/auth/forgot-password', { body: { email: person.email } })
      await waitForDetachedWork()
      const query = 'select recovery_token as token from auth.users where email = $1'
      return (await app.stack.sql<{ token: string }>(query, [person.email]))[0]?.token
    }
    const reset = async (token_hash: unknown, password: string) =>
      answer(
        await app.client().request('POST', '/api/auth/reset-password', { body: { token_hash, password } }),
      )
    const token = await mailed()
    expect(await reset(token, 'contraseña2026')).toEqual(TOO_WEAK)
    const own = invalid('password', 'weak_password_link_spent')
    expect(await reset(token, 'CasaZalamea1')).toEqual(own)
    expect((await reset(await mailed(), CHOSEN)).status).toBe(200)
  })

  it('is the same in either Unicode form of its accents', async () => {
    const email = 'formas@casa.example'
    const token = await invite(email)
    const password = `ñandú-${CHOSEN}`
    expect((await signUp({ email, password: password.normalize('NFD'), token })).status).toBe(201)
    const signIn = { email, password: password.normalize('NFC') }
    expect((await app.client().request('POST', '/api/auth/sign-in', { body: signIn })).status).toBe(200)
  })
})
