import { connectPms, setRules, stackClient } from '../factories/group'
import type { Stack } from '../support/stack'
import { fillCalendar } from './fill-calendar'
import { fillImports } from './fill-imports'

/** The service day of every reservation, and a moment of it before they arrive. */
export const DAY = '2026-11-20'
export const NOON = `${DAY}T11:00:00Z`

/** Puts rows in every table for Norte and Sur; `ids` has the organizations' and locations'. */
export async function fillGroups(stack: Stack, ids: Record<string, string>): Promise<void> {
  const service = stackClient(stack, 'service')
  const [Norte, Sur] = [String(ids.Norte), String(ids.Sur)]
  const location = (name: string) => String(ids[name])
  await service
    .from('invitations')
    .insert([
      { organization_id: Norte, email: 'pendiente@norte.example', role: 'admin' },
      { organization_id: Sur, email: 'pendiente@sur.example', role: 'admin' },
    ])
    .throwOnError()

  await setRules(stack, location('Retiro'), { Bronce: { min_spend: 0, min_visits: 1 } })
  await setRules(stack, location('Sol'), { Plata: { min_spend: 60, min_visits: 2 } })
  await setRules(stack, location('Triana'), { Oro: { min_spend: 90, min_visits: 3 } })

  await service.from('loyalty_configs').insert({ organization_id: Sur, tiers: [] }).throwOnError()

  for (const place of ['Retiro', 'Sol', 'Triana']) {
    const there = {
      organization_id: place === 'Triana' ? Sur : Norte,
      location_id: location(place),
    }
    const hours = { name: 'Cena', weekdays: [1, 2], opens: '20:00', closes: '23:30', capacity: 40 }
    await service
      .from('shifts')
      .insert({ ...there, ...hours })
      .throwOnError()
    await service
      .from('closed_days')
      .insert({ ...there, day: DAY })
      .throwOnError()
    await service
      .from('dining_tables')
      .insert({ ...there, name: '12' })
      .throwOnError()
    const waits = await service
      .from('waitlist')
      .insert({ ...there, name: `Espera ${place}`, party_size: 2 })
      .select('id')
      .single()
      .throwOnError()
    ids[`${place} waits`] = waits.data.id
    const note = await service
      .from('shift_notes')
      .insert({ ...there, day: DAY, body: `Nota ${place}`, author_name: 'Sala' })
      .select('id')
      .single()
      .throwOnError()
    ids[`${place} note`] = note.data.id
  }

  await stack.sql(
    `insert into public.push_subscriptions (organization_id, profile_id, session_id, endpoint, p256dh, auth, kinds, browser)
     select distinct on (p.id) p.organization_id, p.id, s.id, 'https://push.example/' || p.full_name, repeat('B', 87),
       repeat('a', 22), array['vip_arrived', 'large_cancellation', 'failed_sync'], p.full_name
     from public.profiles p join auth.sessions s on s.user_id = p.id where p.full_name in ('marketing', 'stranger')
     order by p.id, s.created_at desc`,
  )

  const customers = await service
    .from('customers')
    .insert([
      { organization_id: Norte, email: 'ana@norte.example', location_id: location('Retiro') },
      { organization_id: Norte, email: 'luis@norte.example', location_id: location('Sol') },
      { organization_id: Sur, email: 'rocio@sur.example', location_id: location('Triana') },
    ])
    .select('id, email')
    .throwOnError()
  const customer = (email: string) => customers.data.find((row) => row.email === email)?.id ?? null
  ids['Norte regular'] = String(customer('ana@norte.example'))
  ids['Norte luis'] = String(customer('luis@norte.example'))
  ids['Sur regular'] = String(customer('rocio@sur.example'))
  await service
    .from('loyalty_points')
    .insert(
      [Norte, Sur].map((organization_id, n) => ({
        organization_id,
        customer_id: String(ids[n === 0 ? 'Norte regular' : 'Sur regular']),
        kind: 'adjusted',
        points: 10,
        reason: 'Alta',
      })),
    )
    .throwOnError()
  await service
    .from('customer_facts')
    .insert(
      [Norte, Sur].map((organization_id, n) => ({
        organization_id,
        customer_id: String(ids[n === 0 ? 'Norte regular' : 'Sur regular']),
        code: n === 0 ? 'nuts' : 'vegan',
        kind: n === 0 ? 'allergy' : 'diet',
        note: 'Desde siempre',
        recorded_by: 'Sala',
      })),
    )
    .throwOnError()
  const booking = {
    ...{ reservation_date: DAY, reservation_time: '21:00', source: 'pms' },
    ...{ status: 'confirmed', service_over: true },
  }
  const visits = [
    { in: 'Retiro', external_id: 'retiro-ana', party_size: 2, by: 'ana@norte.example' },
    { in: 'Sol', external_id: 'sol-ana', party_size: 3, by: 'ana@norte.example' },
    { in: 'Sol', external_id: 'sol-luis', party_size: 4, by: 'luis@norte.example' },
    { in: 'Triana', external_id: 'triana-rocio', party_size: 5, by: 'rocio@sur.example' },
  ]
  await service
    .from('reservations')
    .insert(
      visits.map(({ in: place, by, ...visit }) => ({
        ...booking,
        ...visit,
        organization_id: place === 'Triana' ? Sur : Norte,
        location_id: location(place),
        customer_id: customer(by),
      })),
    )
    .throwOnError()

  await stack.sql(
    `insert into public.loyalty_points (organization_id, customer_id, reservation_id, kind, points, multiplier, amount)
     select organization_id, customer_id, id, 'earned', 5, 1, 5 from public.reservations where external_id = 'sol-ana'`,
  )

  await stack.sql('select private.refresh_rhythms($1)', [[ids['Norte luis'], ids['Sur regular']]])
  await stack.sql(
    `insert into public.rhythm_models (organization_id, r, alpha, a, b, guests, recency_cuts, visit_cuts, spend_cuts)
     values ($1, 1, 30, 1, 1, 0, '{30,60}', '{1,2,3,4}', '{10,20,30,40}')`,
    [Sur],
  )
  // About every visit but one, sol-ana.
  await stack.sql(
    `insert into public.feedback (organization_id, location_id, customer_id, reservation_id, score, words, language, answered_at)
     select r.organization_id, r.location_id, r.customer_id, r.id, 4, l.name, 'es', $1
     from public.reservations r join public.locations l on l.id = r.location_id where r.external_id <> 'sol-ana'`,
    [NOON],
  )
  const [unanswered] = await stack.sql<{ id: string }>(
    `select id::text from public.reservations where external_id = 'sol-ana'`,
  )
  ids['Norte unanswered'] = String(unanswered?.id)

  // Of a guest of each group, and of a stranger who writes to Norte.
  const writers: [group: 'Norte' | 'Sur', address: string, guest: string | null][] = [
    ['Norte', '+34600000001', String(ids['Norte regular'])],
    ['Norte', '+34600000008', null],
    ['Sur', '+34600000003', String(ids['Sur regular'])],
  ]
  for (const [group, address, guest] of writers) {
    const [row] = await stack.sql<{ id: string }>(
      `insert into public.conversations (organization_id, customer_id, channel, address, last_message_at, last_inbound_at, unread)
       values ($1, $2, 'sms', $3, $4, $4, 1) returning id::text`,
      [ids[group], guest, address, NOON],
    )
    ids[`${group} conversation`] ??= String(row?.id)
    await stack.sql(
      `insert into public.conversation_messages (organization_id, conversation_id, direction, text, provider_id, at)
       values ($1, $2, 'in', 'Hola desde ' || $3, $3, $4)`,
      [ids[group], row?.id, address, NOON],
    )
  }

  const definition = { field: 'tags', is: 'any', tags: ['prensa'] }
  const segments = await service
    .from('segments')
    .insert([
      { organization_id: Norte, name: 'De Norte', shared: true, owner_id: null, definition },
      {
        organization_id: Norte,
        name: 'De marketing',
        shared: false,
        owner_id: ids.marketing ?? null,
        definition,
      },
      { organization_id: Sur, name: 'De Sur', shared: true, owner_id: null, definition },
    ])
    .select('id, name')
    .throwOnError()
  for (const { id, name } of segments.data) ids[name.replace(/^De (.*)$/, '$1 segment')] = id
  const campaign = { segment_id: ids['Norte segment'] ?? null, created_by_name: 'Ana' }
  const campaigns = await service
    .from('campaigns')
    .insert([
      { ...campaign, organization_id: Norte, name: 'De todos', location_ids: [] },
      { ...campaign, organization_id: Norte, name: 'De Retiro', location_ids: [location('Retiro')] },
      { ...campaign, organization_id: Norte, name: 'De Sol', location_ids: [location('Sol')] },
      {
        ...campaign,
        organization_id: Sur,
        name: 'De Sur',
        location_ids: [],
        segment_id: ids['Sur segment'] ?? null,
      },
    ])
    .select('id, name')
    .throwOnError()
  for (const { id, name } of campaigns.data) ids[`${name} campaign`] = id

  for (const [at, group] of [Norte, Sur].entries()) {
    const of = at === 0 ? 'de Norte' : 'de Sur'
    const file = {
      path: `${group}/${group}.png`,
      name: `Foto ${of}`,
      ...{ content_type: 'image/png', bytes: 100, width: 10, height: 10 },
    }
    const stored = await service
      .from('email_images')
      .insert({ organization_id: group, ...file })
      .select('id')
      .single()
      .throwOnError()
    ids[`image ${of}`] = stored.data.id
    await service
      .from('email_looks')
      .insert({ organization_id: group, sender_name: `Mesa ${of}` })
      .throwOnError()
    await service
      .from('email_templates')
      .insert({ organization_id: group, name: `Plantilla ${of}`, design: { blocks: [] } })
      .throwOnError()
  }

  await connectPms(stack, Norte, 'https://pms.norte.example')
  await connectPms(stack, Sur, 'https://pms.sur.example')

  const later = '2030-01-01T00:00:00Z'
  await service
    .from('job_leases')
    .insert([{ name: 'sync', holder: Norte, expires_at: later }])
    .throwOnError()
  const issues = ['Retiro', 'Sol'].map((name) => ({ location_id: location(name), location: name }))
  const synced = await service
    .from('job_runs')
    .insert({ organization_id: Norte, job: 'sync', status: 'succeeded', result: { locations: [], issues } })
    .select('id')
    .single()
    .throwOnError()
  ids['Norte sync'] = synced.data.id
  await service
    .from('job_runs')
    .insert([
      { organization_id: Sur, job: 'sync', status: 'succeeded' },
      { organization_id: null, job: 'cleanup', status: 'succeeded' },
    ])
    .throwOnError()
  await service
    .from('attempt_limits')
    .insert([{ key: 'sign-in:network:203.0.113.7', window_start: NOON, expires_at: later }])
    .throwOnError()
  await service
    .from('rate_limits')
    .insert([{ key: 'sign-in:203.0.113.7', window_start: NOON, hits: 9, touched_at: NOON }])
    .throwOnError()

  await service
    .from('retired_keys')
    .insert([{ id: '89abcdef', sealed: 'sealed' }])
    .throwOnError()
  await service
    .from('ai_usage')
    .insert([
      { organization_id: Norte, day: DAY, person: String(ids.marketing), calls: 2, tokens: 20 },
      { organization_id: Sur, day: DAY, person: String(ids.stranger), calls: 3, tokens: 30 },
    ])
    .throwOnError()

  await fillMessaging(service, ids, 'Norte', 'Retiro')
  await fillMessaging(service, ids, 'Sur', 'Triana')
  await fillMessagingOf(service, ids, 'Sol')
  await fillCalendar(stack, ids)
  await fillImports(service, ids)
  await service
    .from('channel_pace')
    .insert([
      { organization_id: Norte, channel: 'email', next_at: NOON },
      { organization_id: Sur, channel: 'email', next_at: NOON },
    ])
    .throwOnError()
  await service
    .from('integration_tests')
    .insert([
      { organization_id: Norte, kind: 'pms', tested_at: NOON },
      { organization_id: Sur, kind: 'pms', tested_at: NOON, reason: 'bad_key' },
    ])
    .throwOnError()
  await service
    .from('setup_skips')
    .insert([
      { organization_id: Norte, step: 'channels', skipped_at: NOON },
      { organization_id: Sur, step: 'channels', skipped_at: NOON },
    ])
    .throwOnError()
  await service
    .from('webhook_calls')
    .insert([
      { organization_id: Norte, provider: 'resend', heard_at: NOON, refused_at: NOON },
      { organization_id: Sur, provider: 'resend', heard_at: null, refused_at: NOON },
    ])
    .throwOnError()
  await service
    .from('webhook_receipts')
    .insert([
      { organization_id: Norte, receipt: 'norte', received_at: NOON },
      { organization_id: Sur, receipt: 'sur', received_at: NOON },
    ])
    .throwOnError()
  await service
    .from('whatsapp_windows')
    .insert([
      { organization_id: Norte, address: '+34600000001', last_inbound_at: NOON },
      { organization_id: Sur, address: '+34600000002', last_inbound_at: NOON },
    ])
    .throwOnError()
}

/** An automation with its run and messages, as `where` is: for one location, or (null) for all of them. */
async function automate(
  service: ReturnType<typeof stackClient>,
  organization_id: string,
  name: string,
  location_ids: string[],
): Promise<{ automation: string; run: string }> {
  const row = {
    organization_id,
    name,
    location_ids,
    type: 'birthday',
    channel: 'email',
    criteria: { days_before: 7 },
  }
  const made = await service.from('automations').insert(row).select('id').single().throwOnError()
  const run = await service
    .from('automation_runs')
    .insert({
      organization_id,
      automation_id: made.data.id,
      automation_name: name,
      location_ids,
      triggered_by: 'manual',
    })
    .select('id')
    .single()
    .throwOnError()
  return { automation: made.data.id, run: run.data.id }
}

async function fillMessaging(
  service: ReturnType<typeof stackClient>,
  ids: Record<string, string>,
  home: 'Norte' | 'Sur',
  place: string,
): Promise<void> {
  const organization_id = String(ids[home])
  const { run } = await automate(service, organization_id, 'Cumpleaños', [])
  const local = await automate(service, organization_id, place, [String(ids[place])])
  ids[`${place} automation`] = local.automation
  ids[`${place} run`] = local.run
  // Deleted, so that no one can read it; another one may have its name.
  await service
    .from('automations')
    .insert({
      organization_id,
      name: 'Cumpleaños',
      type: 'birthday',
      channel: 'sms',
      criteria: { days_before: 7 },
      deleted_at: '2026-01-01T00:00:00Z',
    })
    .throwOnError()
  const message = { organization_id, channel: 'email', location_id: String(ids[place]) }
  const messages = await service
    .from('messages')
    .insert([
      { ...message, kind: 'marketing', purpose: 'birthday', run_id: run, dedupe_key: 'birthday' },
      {
        ...message,
        kind: 'transactional',
        purpose: 'reservation_confirmation',
        run_id: run,
        dedupe_key: 'confirmation',
      },
      {
        ...message,
        kind: 'notification',
        purpose: 'ticket_notification',
        run_id: null,
        dedupe_key: 'ticket',
      },
      // About a guest of no location.
      {
        ...message,
        kind: 'marketing',
        purpose: 'birthday',
        run_id: run,
        dedupe_key: 'nowhere',
        location_id: null,
      },
    ])
    .select('id, dedupe_key')
    .throwOnError()
  ids[`${home} message`] = messages.data.find((row) => row.dedupe_key === 'birthday')?.id ?? ''
  await service
    .from('message_engagement')
    .insert(messages.data.map(({ id, dedupe_key }) => click(id, `${home} / ${dedupe_key}`)))
    .throwOnError()
  await service
    .from('suppressions')
    .insert({
      organization_id,
      channel: 'email',
      address: `baja@${home.toLowerCase()}.example`,
      reason: 'unsubscribe',
    })
    .throwOnError()
}

/** The same for another location of Norte. */
async function fillMessagingOf(
  service: ReturnType<typeof stackClient>,
  ids: Record<string, string>,
  place: string,
): Promise<void> {
  const organization_id = String(ids.Norte)
  const { automation, run } = await automate(service, organization_id, place, [String(ids[place])])
  ids[`${place} automation`] = automation
  const message = { organization_id, channel: 'email', location_id: String(ids[place]) }
  const made = await service
    .from('messages')
    .insert({ ...message, kind: 'marketing', purpose: 'birthday', run_id: run, dedupe_key: 'sol' })
    .select('id')
    .single()
    .throwOnError()
  ids[`${place} message`] = made.data.id
  await service.from('message_engagement').insert(click(made.data.id, 'Norte / sol')).throwOnError()
}

const click = (message_id: string, link: string) => ({
  message_id,
  link,
  kind: 'click',
  actor: 'person',
  first_at: NOON,
  times: 1,
})
