import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitForDetachedWork } from '@/lib/http/after'
import { createGroup, type Person, POSTAL_ADDRESS } from '../factories/group'
import { createCustomer, noQuietHours } from '../factories/messaging'
import type { Client } from '../support/app'
import {
  app,
  group,
  guest,
  guests,
  resend,
  runAt,
  sql,
  tally,
  twilio,
  withDelivery,
} from '../support/delivery'
import { emptyTables } from '../support/empty-tables'
import { answer, signedIn } from '../support/sign-in'

// Numbers that hold, the second step of a large campaign, its undo minute, and tests to colleagues, on the wire.

/** The waits for an undo minute: each ends when the test lets it. */
const minutes = vi.hoisted(() => [] as (() => void)[])
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  const held = (wait: number | undefined, ...rest: [undefined, object?]) =>
    wait !== undefined && wait > 30_000
      ? new Promise<void>((resolve) => minutes.push(resolve))
      : timers.setTimeout(wait, ...rest)
  return { ...timers, setTimeout: held, default: { ...timers, setTimeout: held } }
})

withDelivery()

let ana: Person
let as: Record<'ana' | 'boss', Client>
let segment: string
beforeAll(async () => {
  ana = await group.person('marketing')
  as = {
    ana: await signedIn(ana),
    boss: await signedIn(await group.person('ceo')),
  }
})
beforeEach(async () => {
  await noQuietHours(app.stack)
  await sql(emptyTables('customers', 'campaigns', 'segments'))
  await sql(
    'update public.organizations set campaign_approve_above = null, control_share = 10, sending_stopped_at = null',
  )
  const made = await ask('POST', '/api/segments', {
    ...{ name: 'Todos', shared: true, definition: { field: 'visits', min: 0 } },
  })
  segment = made.body.data.id as string
})

afterEach(() => {
  for (const end of minutes.splice(0)) end()
})

const ask = async (method: string, path: string, body?: object, who: keyof typeof as = 'ana') =>
  answer(await as[who].request(method, path, { body }))
const text = { step: 1, channel: 'sms', body: 'Hola {{ first_name }}' }
const tested = {
  ab: { test_share: 30, winner_by: 'visits', test_hours: 24 },
  messages: [text, { ...text, variant: 'b', body: 'Ven, {{ first_name }}' }],
}
const numbers = ({ to_send, control, variants }: Record<string, unknown>) => ({ to_send, control, variants })
const preview = async (body: object) => {
  const { status, body: answered } = await ask('POST', '/api/campaigns/preview', body)
  expect(status).toBe(200)
  return answered.data as Record<string, unknown> & { seed: string | null; to_send: number }
}

describe('the numbers of a form', () => {
  it('are the same before and after saving, and are those that leave', async () => {
    await guests(200)
    const form = { segment_id: segment, control_share: 20, ...tested }
    const first = await preview(form)
    expect(first.seed).toEqual(expect.any(String))
    const { seed } = first
    expect(numbers(await preview({ ...form, seed }))).toEqual(numbers(first))
    const made = await ask('POST', '/api/campaigns', { ...form, name: 'Otoño', seed })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    const saved = await preview({ ...form, id })
    expect(numbers(saved)).toEqual(numbers(first))
    expect(saved.seed).toBeNull()
    await ask('POST', `/api/campaigns/${id}/launch`, { guests: first.to_send, version: 1 })
    await waitForDetachedWork()
    const sent = await sql<{ variant: string; count: number }>(
      `select a.variant, count(*)::int as count from public.messages m join public.automations a on a.id = m.automation_id
       where m.status = 'sent' group by 1 order by 1`,
    )
    const { a, b } = first.variants as { a: number; b: number }
    expect(sent).toEqual([
      { variant: 'a', count: a },
      { variant: 'b', count: b },
    ])
  })

  it('differ from form to form, and of a seed that is taken nothing breaks', async () => {
    await guests(200)
    const form = { segment_id: segment, control_share: 20, ...tested }
    const found = await Promise.all([preview(form), preview(form), preview(form), preview(form)])
    expect(new Set(found.map((one) => JSON.stringify(numbers(one)))).size).toBeGreaterThan(1)
    const ids = new Set<string>()
    for (const name of ['Uno', 'Dos']) {
      const made = await ask('POST', '/api/campaigns', { ...form, name, seed: found[0]?.seed })
      expect(made.status).toBe(201)
      ids.add(made.body.data.id)
    }
    expect(ids.size).toBe(2)
  })

  it('of an automation are those of its run', async () => {
    await guests(150)
    const form = {
      type: 'vip_reward',
      channel: 'sms',
      body: 'Ven',
      criteria: { min_spend: 100 },
      control_share: 25,
    }
    const first = (await ask('POST', '/api/automations/preview', form)).body.data
    const body = { ...form, name: 'VIP', status: 'active', seed: first.seed }
    const made = await ask('POST', '/api/automations', body)
    expect(made.status).toBe(201)
    const again = (await ask('POST', '/api/automations/preview', { ...form, id: made.body.data.id })).body
      .data
    expect(again).toMatchObject({ to_send: first.to_send, skipped: first.skipped, seed: null })
    await runAt()
    expect(await tally()).toEqual([
      `sent ${first.to_send}`,
      `skipped control_group ${first.skipped.control_group}`,
    ])
  })
})

describe('a large campaign', () => {
  const begin = async (count: number, more: object = {}) => {
    await guests(count)
    const form = { segment_id: segment, control_share: 0, messages: [text], ...more }
    const { to_send, asks_again } = await preview(form)
    const made = await ask('POST', '/api/campaigns', { ...form, name: 'Otoño' })
    const { id } = made.body.data as { id: string }
    const launched = await ask('POST', `/api/campaigns/${id}/launch`, { guests: to_send, version: 1 })
    return { id, asks_again, launched: launched.body.data as Record<string, unknown> }
  }
  const wait = async () => {
    await sql(`update public.campaigns set undo_until = now() - interval '1 second'`)
    for (const end of minutes.splice(0)) end()
    await waitForDetachedWork()
  }

  it('waits a minute in which it is taken back, and nothing leaves', async () => {
    const { id, asks_again, launched } = await begin(501)
    expect(asks_again).toBe(true)
    expect(launched).toMatchObject({ status: 'scheduled', undo_until: expect.any(String) })
    expect(Date.parse(String(launched.undo_until)) - Date.parse(String(launched.launched_at))).toBe(60_000)
    // The job comes by in that minute.
    await runAt(new Date())
    expect(twilio.accepted).toEqual([])
    const undone = await ask('POST', `/api/campaigns/${id}/unschedule`, {})
    expect(undone.body.data).toMatchObject({ status: 'draft', undo_until: null })
    await wait()
    await runAt(new Date(Date.now() + 120_000))
    expect(twilio.accepted).toEqual([])
    expect(await tally()).toEqual([])
  })

  it('leaves by itself after the minute, also when the process that launched it died', async () => {
    const { id } = await begin(501)
    await runAt(new Date(Date.now() + 61_000))
    const { body } = await ask('GET', `/api/campaigns/${id}`)
    expect(body.data).toMatchObject({ status: 'finished', progress: { sent: 501 } })
    expect(twilio.accepted).toHaveLength(501)
  })

  it('taken back and launched again has a whole minute again', async () => {
    const { id } = await begin(501)
    await ask('POST', `/api/campaigns/${id}/unschedule`, {})
    await ask('POST', `/api/campaigns/${id}/launch`, { guests: 501, version: 1 })
    // The first launch's minute ends before the second one's.
    for (const end of minutes.splice(0)) end()
    await waitForDetachedWork()
    expect(await tally()).toEqual([])
    expect((await ask('GET', `/api/campaigns/${id}`)).body.data).toMatchObject({ status: 'scheduled' })
  })

  it('leaves once the minute is over', async () => {
    await begin(501)
    await wait()
    expect(await tally()).toEqual(['sent 501'])
  })

  it('of 500 leaves at once, and one with a time has no minute', async () => {
    const small = await begin(500)
    expect(small).toMatchObject({ asks_again: false, launched: { undo_until: null } })
    await waitForDetachedWork()
    expect(await tally()).toEqual(['sent 500'])
    await sql(emptyTables('customers', 'campaigns', 'messages'))
    const later = await begin(501, { starts_local: '2190-06-01T12:00' })
    expect(later).toMatchObject({ asks_again: true, launched: { status: 'scheduled', undo_until: null } })
  })

  it('that was approved has its minute then', async () => {
    await sql('update public.organizations set campaign_approve_above = 100')
    const { id, launched } = await begin(501)
    expect(launched).toMatchObject({ status: 'waiting_approval', undo_until: null })
    const approved = await ask('POST', `/api/campaigns/${id}/approve`, { guests: 501, version: 1 }, 'boss')
    expect(approved.body.data).toMatchObject({ status: 'scheduled', undo_until: expect.any(String) })
    await ask('POST', `/api/campaigns/${id}/unschedule`, {}, 'boss')
    await wait()
    expect(twilio.accepted).toEqual([])
  })
})

describe('a test', () => {
  const email = {
    ...text,
    channel: 'email',
    subject: 'Para {{ first_name }}',
    body: 'Tienes {{ total_visits }} visitas.',
  }
  const made = async (message: object = email) => {
    const body = { name: 'Otoño', segment_id: segment, messages: [message] }
    return (await ask('POST', '/api/campaigns', body)).body.data.id as string
  }
  const test = async (id: string, body: object, who: keyof typeof as = 'ana') =>
    ask('POST', `/api/campaigns/${id}/test`, { step: 1, ...body }, who)

  it('goes to colleagues, as the guest chosen would get it, with footer, headers and address', async () => {
    const colleague = await group.person('marketing')
    await guest({ first_name: 'Otra', email: 'otra@example.com', total_visits: 1 })
    const lucia = await guest({ first_name: 'Lucía', email: 'lucia@example.com', total_visits: 7 })
    const to = [colleague.email.toUpperCase(), ana.email, colleague.email]
    const { status, body } = await test(await made(), { to, customer_id: lucia })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        data: {
          ...{ channel: 'email', recipient: colleague.email, status: 'sent', reason: null },
          others: [{ recipient: ana.email, status: 'sent', reason: null }],
        },
      },
    })
    expect(resend.accepted.map(({ email: { to } }) => String(to)).sort()).toEqual(
      [colleague.email, ana.email].sort(),
    )
    for (const { email } of resend.accepted) {
      expect(email.subject).toBe('[Prueba] Para Lucía')
      expect(email.text).toContain('Tienes 7 visitas.')
      expect(email.text).toContain(POSTAL_ADDRESS)
      expect(email.headers).toMatchObject({
        'List-Unsubscribe': expect.stringContaining('https://crm.example/u/'),
      })
    }
    expect(await tally()).toEqual([])
  })

  it('knows the guest’s own reservation, the next one before past ones', async () => {
    const id = await guest({ first_name: 'Eva', email: 'eva@example.com' })
    const location = group.locations[0]?.id
    for (const [day, party] of [
      ['2020-01-01', 2],
      ['2190-01-01', 5],
      ['2190-02-01', 9],
    ])
      await sql(
        `insert into public.reservations (organization_id, location_id, customer_id, customer_name, reservation_date,
           reservation_time, party_size, status) values ($1, $2, $3, 'Eva', $4, '21:00', $5, 'confirmed')`,
        [group.id, location, id, day, party],
      )
    const sms = { ...text, body: '{{ party_size }} el {{ reservation_date }}' }
    await test(await made(sms), { recipient: '+34612345678', customer_id: id })
    expect(twilio.accepted[0]?.form.Body).toMatch(/^\[Prueba\] 5 el 01\/01\/2190/)
  })

  it('of an automation that is not saved does the same', async () => {
    const id = await guest({ first_name: 'Lucía', email: 'lucia@example.com' })
    const automation = {
      type: 'vip_reward',
      channel: 'email',
      subject: 'Hola {{ first_name }}',
      body: 'Ven',
      criteria: { min_spend: 1 },
    }
    const body = { automation, to: [ana.email], customer_id: id }
    expect((await ask('POST', '/api/automations/test', body)).status).toBe(200)
    expect(resend.accepted[0]?.email.subject).toBe('[Prueba] Hola Lucía')
  })

  it('refuses strangers, too many, colleagues by SMS, and guests whom the person does not see', async () => {
    const id = await made()
    const other = await createGroup(app.stack, 'Grupo Ajeno')
    const stranger = await createCustomer(app.stack, other.id, { first_name: 'Eva' })
    const refused = [
      [{ to: ['ana@example.com'] }, 400, 'to.0'],
      [{ to: [ana.email, 'nadie'] }, 400, 'to.1'],
      [{ to: Array.from({ length: 6 }, () => ana.email) }, 400, 'to'],
      [{ to: [] }, 400, 'to'],
      [{ channel: 'sms', to: [ana.email], recipient: '+34612345678' }, 400, 'to'],
      [{ customer_id: '5f0c8b1a-7d2f-4c3e-8a9b-1f2e3d4c5b6a' }, 404, undefined],
      [{ customer_id: stranger }, 404, undefined],
      [{ to: [(await other.person('marketing')).email] }, 400, 'to.0'],
    ] as const
    for (const [body, status, path] of refused) {
      const found = await test(id, body)
      expect([found.status, found.body.issues?.[0]?.path], JSON.stringify(body)).toEqual([status, path])
    }
    expect(resend.accepted).toEqual([])
  })
})
