import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { createGroup, type Group, type Person } from '../factories/group'
import { connect, RESEND } from '../factories/integrations'
import { app, group, resend, sql, withDelivery } from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer } from '../support/sign-in'

// Two groups, and an Auth with SMTP of its own for the one whose provider is missing or does not work.
withDelivery({ MESSAGE_SANDBOX: '0', AUTH_MAILER: '1' })

const DONE = { status: 200, body: { success: true } }
let other: Group
let person: Person

beforeAll(async () => {
  resend.account.sendingOnly = true
  other = await createGroup(app.stack, 'Grupo Ajeno')
})
beforeEach(async () => {
  await sql(emptyTables('attempt_limits'))
  app.stack.mails.length = 0
  person = await other.person('marketing')
})

async function forgot(email: string) {
  expect(
    await answer(await app.client().request('POST', '/api/auth/forgot-password', { body: { email } })),
  ).toEqual(DONE)
  await waitForDetachedWork()
}
const byAuth = () => app.stack.mails.length
const byProvider = () => resend.accepted.length

// The embedded Auth drops its mails.
describe.skipIf(process.env.STACK !== 'postgres')('a forgotten password of one of two groups', () => {
  it.each([
    ['no provider', async () => undefined],
    ['one that is switched off', () => connect(app.stack, other.id, 'resend', RESEND, false)],
    ['a key that is not right', () => connect(app.stack, other.id, 'resend', { ...RESEND, api_key: 're_x' })],
  ])('is mailed by Auth where the group has %s', async (_, arrange) => {
    await arrange()
    await forgot(person.email)
    expect([byAuth(), byProvider()]).toEqual([1, 0])
  })

  it('is mailed by the provider where it works, and to a stranger by nobody', async () => {
    await forgot((await group.person('marketing')).email)
    await forgot('nadie@fuera.example')
    expect([byAuth(), byProvider()]).toEqual([0, 1])
  })

  it('is mailed by Auth when the provider refuses the mail, also the next time', async () => {
    await connect(app.stack, other.id, 'resend', RESEND)
    resend.account.refuses = { status: 422, name: 'validation_error', message: 'no' }
    await forgot(person.email)
    resend.account.refuses = undefined
    await sql(emptyTables('attempt_limits'))
    await forgot(person.email)
    expect([byAuth(), byProvider()]).toEqual([2, 0])
  })
})
