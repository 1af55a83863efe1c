import { describe, expect, it } from 'vitest'
import { createGroup } from '../factories/group'
import { createAutomation, createReservation } from '../factories/messaging'
import { emptyTables } from '../support/empty-tables'
import {
  ANA,
  app,
  automate,
  BEA,
  claim,
  drainAt,
  enqueue,
  fakeProvider,
  group,
  guest,
  later,
  locationId,
  messages,
  NOON,
  runs,
  sql,
  statuses,
  withOutbox,
} from '../support/outbox'

withOutbox()

describe('planning a run', () => {
  it('writes the run, its event and a message for everyone who matches, each with its end or in the queue', async () => {
    await guest(ANA)
    await guest({ first_name: 'Sin', phone: '+34600000009' })
    await guest({ first_name: 'Baja', email: 'baja@example.com' })
    await guest({ first_name: 'Poco', email: 'poco@example.com', total_spend: 99 })
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'baja@example.com', 'unsubscribe')`,
      [group.id],
    )
    const automation = await automate()
    expect((await enqueue(automation)).outcome).toBe('enqueued')
    expect(await statuses()).toEqual(['Ana: queued', 'Baja: suppressed', 'Sin: no_address'])
    expect(await runs()).toEqual([{ status: 'running', processed: 3, sent: 0, skipped: 2, failed: 0 }])
    expect(await sql('select event from public.automation_runs')).toEqual([
      {
        event: { name: 'automation/run', data: { automation_id: automation, triggered_by: 'manual' } },
      },
    ])
  })

  it('takes the fallback channel for those the first does not reach', async () => {
    await guest(ANA)
    await guest({ first_name: 'Solo', email: null, phone: '+34600000003' })
    await guest({ ...BEA, email: 'bea@example.com' })
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'bea@example.com', 'bounce')`,
      [group.id],
    )
    await enqueue(await automate({ fallback_channel: 'sms' }))
    expect((await messages()).map(({ who, channel, status }) => `${who}: ${channel} ${status}`)).toEqual([
      'Ana: email queued',
      'Bea: sms queued',
      'Solo: sms queued',
    ])
  })

  it('keeps to one marketing message a customer and address, also across automations and within a run', async () => {
    const ana = await guest(ANA)
    await guest({ first_name: 'Gemela', phone: ANA.phone })
    const at = { location_id: locationId('Norte'), customer_id: ana, status: 'completed' }
    await createReservation(app.stack, group.id, { ...at, reservation_date: '2026-11-18' })
    await createReservation(app.stack, group.id, {
      ...at,
      reservation_date: '2026-11-18',
      reservation_time: '14:00',
    })
    await enqueue(await automate({ type: 'post_visit', criteria: {} }))
    expect(await statuses()).toEqual(['Ana: queued', 'Ana: frequency_cap'])
    await enqueue(await automate({ channel: 'sms' }), later(1))
    expect((await statuses()).slice(2)).toEqual(['Ana: frequency_cap', 'Gemela: queued'])
    await sql(emptyTables('messages'))
    await sql('update public.organizations set frequency_cap_days = 0')
    await enqueue(await automate({ channel: 'sms' }), later(2))
    expect((await statuses()).map((line) => line.split(': ')[1]).sort()).toEqual(['duplicate', 'queued'])
  })

  it('counts the days of the cap to the minute', async () => {
    await guest(ANA)
    const days = 7
    await sql('update public.organizations set frequency_cap_days = $1', [days])
    await enqueue(await automate())
    await enqueue(await automate(), later(days * 24 * 60 - 1))
    await enqueue(await automate(), later(days * 24 * 60))
    expect(await statuses()).toEqual(['Ana: queued', 'Ana: frequency_cap', 'Ana: queued'])
  })

  it('tells every confirmed reservation of a customer, whatever the cap', async () => {
    const ana = await guest(ANA)
    const at = { location_id: locationId('Norte'), customer_id: ana }
    await createReservation(app.stack, group.id, { ...at, reservation_date: '2026-11-21' })
    await createReservation(app.stack, group.id, { ...at, reservation_date: '2026-11-22' })
    await enqueue(await automate())
    await enqueue(await automate({ type: 'reservation_confirmation', criteria: {} }), later(1))
    expect(await statuses()).toEqual(['Ana: queued', 'Ana: queued', 'Ana: queued'])
  })

  it('two runs at once plan everyone once, and so do several automations', async () => {
    await sql(
      `insert into public.customers (organization_id, email, total_spend, total_visits)
       select $1, 'g' || n || '@example.com', 500, 1 from generate_series(1, 300) n`,
      [group.id],
    )
    const automations = []
    for (let n = 0; n < 6; n++) automations.push(await automate())
    await Promise.all([...automations, ...automations].map((automation) => enqueue(automation)))
    const all = await statuses()
    expect(all.filter((line) => line.endsWith(': queued'))).toHaveLength(300)
    expect(all.filter((line) => line.endsWith(': frequency_cap'))).toHaveLength(1500)
  })

  it('goes on with a run in parts, and nobody is planned twice', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await guest({ first_name: `G${n}`, email: n > 1 ? null : `g${n}@example.com` })
    const automation = await automate()
    const first = await enqueue(automation, NOON, { p_limit: 3 })
    expect(first.more).toBe(true)
    const second = await enqueue(automation, NOON, { p_limit: 3, p_run: first.run_id })
    expect(second).toEqual({ outcome: 'enqueued', run_id: first.run_id, more: false })
    expect(await runs()).toEqual([{ status: 'running', processed: 5, sent: 0, skipped: 4, failed: 0 }])
    expect(new Set((await messages()).map(({ who }) => who)).size).toBe(5)
  })

  it('plans a skipped customer anew when a person asks, once a day by schedule, and never keeps two rows of it', async () => {
    await guest({ first_name: 'Sin', phone: '+34600000009' })
    const automation = await automate()
    await enqueue(automation, NOON)
    await enqueue(automation, later(60), { p_triggered_by: 'schedule' })
    expect((await runs()).map(({ processed }) => processed)).toEqual([1, 0])
    await enqueue(automation, later(60 * 25), { p_triggered_by: 'schedule' })
    await enqueue(automation, later(60 * 25 + 1))
    expect((await runs()).map(({ processed, skipped }) => [processed, skipped])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
      [1, 1],
    ])
    expect(await statuses()).toEqual(['Sin: no_address'])
  })

  it('keeps a failed message and plans another', async () => {
    await guest(ANA)
    const automation = await automate()
    await enqueue(automation)
    await drainAt(NOON, fakeProvider(() => ({ kind: 'permanent', reason: 'bounced' })).providers)
    await enqueue(automation, later(1))
    expect(await statuses()).toEqual(['Ana: bounced', 'Ana: queued'])
  })

  it.each([
    ['an inactive automation', 'inactive', 'inactive'],
    ['an unknown one', 'unknown', null],
  ])('does nothing for %s', async (_, outcome, status) => {
    const automation = status ? await automate({ status: 'inactive' }) : crypto.randomUUID()
    expect(await enqueue(automation)).toEqual({ outcome })
    expect(await runs()).toEqual([])
  })

  it('does not know another organization’s automation, nor a deleted one', async () => {
    const other = await createGroup(app.stack, 'Otra Cola')
    const foreign = await createAutomation(app.stack, other.id, { type: 'birthday' })
    const deleted = await automate()
    await sql('update public.automations set deleted_at = now() where id = $1', [deleted])
    for (const id of [foreign, deleted]) expect(await enqueue(id)).toEqual({ outcome: 'unknown' })
  })
})

describe('claiming', () => {
  it('two drainers at once never get the same message', async () => {
    for (let n = 0; n < 60; n++) await guest({ first_name: `G${n}`, email: `g${n}@example.com` })
    await enqueue(await automate())
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(NOON, 'email', 10)))
    const ids = batches.flatMap((batch) => batch.messages.map(({ id }) => id))
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
  })

  it('gives what is needed to render: the template once, and facts about each', async () => {
    const [tier] = await sql<{ id: string }>(
      `select id::text from public.loyalty_tiers where organization_id = $1 and name = 'Oro'`,
      [group.id],
    )
    await guest({
      ...ANA,
      loyalty_tier_id: tier?.id,
      birth_date: '1990-02-03',
      last_visit_at: '2026-11-01T23:30:00Z',
      last_visit_on: '2026-11-01',
    })
    const automation = await automate()
    await enqueue(automation)
    const batch = await claim()
    expect(batch.templates).toMatchObject([{ id: automation, subject: 'Hola {{ first_name }}' }])
    expect(batch.messages).toMatchObject([
      {
        channel: 'email',
        recipient: 'ana@example.com',
        facts: {
          first_name: 'Ana',
          tier: 'Oro',
          birth_date: '1990-02-03',
          last_visit: '2026-11-01',
          location_name: 'Norte',
          organization_name: 'Grupo Cola',
        },
      },
    ])
  })

  it('skips who unsubscribed, lost the address or was erased since, and writes to the new address', async () => {
    const [, bea, , nadie] = [
      await guest(ANA),
      await guest(BEA),
      await guest({ first_name: 'Eva', email: 'eva@example.com' }),
      await guest({ first_name: 'Nadie', email: 'nadie@example.com' }),
    ]
    await enqueue(await automate())
    await sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       values ($1, 'email', 'ana@example.com', 'unsubscribe')`,
      [group.id],
    )
    await sql(`update public.customers set email = null where first_name = 'Eva'`)
    await sql(`update public.customers set email = 'nueva@example.com' where id = $1`, [bea])
    await sql('delete from public.customers where id = $1', [nadie])
    expect((await claim()).messages.map(({ recipient }) => recipient)).toEqual(['nueva@example.com'])
    expect((await statuses()).sort()).toEqual([
      'Ana: suppressed',
      'Bea: sending',
      'Eva: no_address',
      'null: customer_gone',
    ])
    expect(await runs()).toEqual([{ status: 'running', processed: 4, sent: 0, skipped: 3, failed: 0 }])
  })

  it('keeps to the cap when two messages wait for one customer', async () => {
    await guest(ANA)
    await sql('update public.organizations set frequency_cap_days = 0')
    for (let n = 0; n < 3; n++) await enqueue(await automate(), later(n))
    await sql('update public.organizations set frequency_cap_days = 7')
    const batches = await Promise.all([claim(later(5), 'email', 2), claim(later(5), 'email', 2)])
    expect(batches.flatMap((batch) => batch.messages)).toHaveLength(1)
    expect((await statuses()).sort()).toEqual(['Ana: frequency_cap', 'Ana: frequency_cap', 'Ana: sending'])
  })

  it('lets go of what an automation wanted before it was switched off, and holds what a paused run wants', async () => {
    await guest(ANA)
    const paused = await enqueue(await automate())
    await sql(`update public.automation_runs set status = 'paused' where id = $1`, [paused.run_id])
    expect((await claim()).examined).toBe(0)
    await sql(`update public.automation_runs set status = 'running'`)
    await sql(`update public.automations set status = 'inactive'`)
    expect((await claim()).messages).toEqual([])
    expect(await statuses()).toEqual(['Ana: automation_inactive'])
    expect(await runs()).toMatchObject([{ status: 'finished', skipped: 1 }])
  })

  it('does not confirm a reservation that was cancelled, or is over', async () => {
    const at = { location_id: locationId('Norte'), reservation_date: '2026-11-20' }
    const lunch = { ...at, reservation_time: '14:00' }
    await createReservation(app.stack, group.id, { ...at, customer_id: await guest(ANA), external_id: 'a' })
    await createReservation(app.stack, group.id, { ...lunch, customer_id: await guest(BEA) })
    const eva = await guest({ first_name: 'Eva', email: 'eva@example.com' })
    await createReservation(app.stack, group.id, { ...at, customer_id: eva })
    await enqueue(await automate({ type: 'reservation_confirmation', criteria: {} }))
    await sql(`update public.reservations set status = 'cancelled' where external_id = 'a'`)
    expect((await claim(later(180))).messages.map(({ recipient }) => recipient)).toEqual(['eva@example.com'])
    expect(await statuses()).toEqual(['Ana: reservation_changed', 'Bea: reservation_changed', 'Eva: sending'])
  })

  it('leaves whoever opted out their confirmations; a bounce or a complaint ends those too', async () => {
    const at = { location_id: locationId('Norte'), reservation_date: '2026-11-21' }
    const reasons = ['bounce', 'complaint', 'manual', 'stop', 'unsubscribe']
    for (const reason of reasons) {
      const email = `${reason}@example.com`
      const customer_id = await guest({ first_name: reason, email, consents: {} })
      await createReservation(app.stack, group.id, { ...at, customer_id })
    }
    const suppress = () =>
      sql(
        `insert into public.suppressions (organization_id, channel, address, reason)
         select $1, 'email', reason || '@example.com', reason from unnest($2::text[]) as reason`,
        [group.id, reasons],
      )
    await enqueue(await automate({ type: 'reservation_confirmation', criteria: {} }))
    await suppress()
    const expected = ['bounce: suppressed', 'complaint: suppressed']
    await claim()
    expect((await statuses()).sort()).toEqual([
      ...expected,
      'manual: sending',
      'stop: sending',
      'unsubscribe: sending',
    ])
    await sql(emptyTables('messages'))
    await enqueue(await automate({ type: 'reservation_confirmation', criteria: {} }))
    expect((await statuses()).sort()).toEqual([
      ...expected,
      'manual: queued',
      'stop: queued',
      'unsubscribe: queued',
    ])
  })

  it('skips whom nothing allows to write to: by plan and by claim, without using up key or cap, after the fallback', async () => {
    const recorded = { basis: 'opt_in', source: 'staff', at: NOON.toISOString() }
    await guest({ first_name: 'Nueva', email: 'nueva@example.com', consents: {} })
    await guest({ first_name: 'Vino', email: 'vino@example.com', consents: {}, total_visits: 1 })
    await guest({ first_name: 'Firma', email: 'firma@example.com', consents: { email: recorded } })
    const none = { email: { ...recorded, basis: 'none' } }
    await guest({ first_name: 'Declina', email: 'no@example.com', consents: none, total_visits: 3 })
    await guest({
      first_name: 'Movil',
      ...{ email: 'm@example.com', phone: '+34600000007' },
      consents: { sms: recorded },
    })
    const automation = await automate({ fallback_channel: 'sms' })
    await enqueue(automation)
    const planned = [
      'Declina: no_consent',
      'Firma: queued',
      'Movil: queued',
      'Nueva: no_consent',
      'Vino: queued',
    ]
    expect((await statuses()).sort()).toEqual(planned)
    expect((await messages()).find(({ who }) => who === 'Movil')?.channel).toBe('sms')
    expect(await runs()).toEqual([{ status: 'running', processed: 5, sent: 0, skipped: 2, failed: 0 }])

    await sql(`update public.customers set consents = '{}' where first_name = 'Firma'`)
    expect((await claim()).messages.map(({ recipient }) => recipient)).toEqual(['vino@example.com'])
    expect((await statuses()).sort()).toContain('Firma: no_consent')

    await sql('update public.customers set consents = $1 where first_name in ($2, $3)', [
      { email: recorded },
      'Nueva',
      'Firma',
    ])
    await sql(`update public.messages set status = 'sent' where status in ('queued', 'sending')`)
    await enqueue(automation, later(5))
    // Why they were skipped before stays for 30 days.
    expect((await statuses()).sort()).toEqual([
      'Declina: no_consent',
      'Firma: no_consent',
      'Firma: queued',
      'Movil: sent',
      'Nueva: no_consent',
      'Nueva: queued',
      'Vino: sent',
    ])
  })
})
