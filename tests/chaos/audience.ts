import { createAutomation } from '../factories/messaging'
import type { Random } from '../fakes/pms/random'
import type { Place } from './place'

/**
 * A run's automations, one a channel, and how many customers they are for; each has one automation. Or a campaign to all
 * of them, whose messages are the automations.
 */
export interface Audience {
  tag: string
  automations: string[]
  campaign: string | null
  customers: number
}

const CHANNELS = ['email', 'sms', 'whatsapp'] as const

/** Makes the customers of a run: some without an address, some who do not want to be written to. */
export async function createAudience(place: Place, random: Random, run: number): Promise<Audience> {
  const isCampaign = random.chance(0.5)
  const audience = await addressees(place, random, run, isCampaign)
  if (!isCampaign) return { ...audience, campaign: null }
  const { campaign, automations } = await launchCampaign(place, random, audience.tag)
  return { ...audience, campaign, automations }
}

async function addressees(
  { stack, group }: Place,
  random: Random,
  run: number,
  isCampaign: boolean,
): Promise<Omit<Audience, 'campaign'>> {
  const tag = `caos-${run}`
  const automations: string[] = []
  for (const channel of isCampaign ? [] : CHANNELS) {
    const words = {
      subject: 'Hola {{ first_name }}',
      body: 'Te esperamos, {{ full_name }}.',
      ...(channel === 'whatsapp'
        ? { content_sid: 'HX0123456789abcdef0123456789abcdef', content_variables: { 1: '{{ first_name }}' } }
        : {}),
    }
    const target = { criteria: { min_spend: 100 }, tags: [`${tag}-${channel}`] }
    automations.push(
      await createAutomation(stack, group.id, {
        type: 'vip_reward',
        channel,
        control_share: random.pick([0, 30]),
        ...words,
        ...target,
      }),
    )
  }
  const customers = Array.from({ length: random.int(30, 60) }, (_, index) => {
    const reachable = !random.chance(0.06)
    const number = String(run * 100 + index).padStart(8, '0')
    return {
      email: reachable ? `${tag}-${index}@caos.example` : null,
      phone: reachable ? `+346${number}` : null,
      tag: `${tag}-${random.pick(CHANNELS)}`,
      refuses: random.chance(0.05),
    }
  })
  const rows = JSON.stringify(customers)
  await stack.sql(
    `insert into public.customers (organization_id, location_id, first_name, last_name, email, phone, tags, total_spend, total_visits)
     select $1, $2, 'Ana', 'Ruiz', email, phone, array[tag], 500, 1
     from jsonb_to_recordset($3::jsonb) as c (email text, phone text, tag text)`,
    [group.id, group.locations[0]?.id, rows],
  )
  await stack.sql(
    `insert into public.suppressions (organization_id, channel, address, reason)
     select $1, channel, case channel when 'email' then email else phone end, 'stop'
     from jsonb_to_recordset($2::jsonb) as c (email text, phone text, refuses boolean), unnest($3::text[]) as channel
     where refuses and email is not null`,
    [group.id, rows, CHANNELS],
  )
  return { tag, automations, customers: customers.length }
}

/** A campaign with a control group, perhaps a test, and a follow-up a day later; begun at once. */
async function launchCampaign({ stack, group }: Place, random: Random, tag: string) {
  const channel = random.pick(['email', 'sms'] as const)
  const share = random.pick([null, 50, 100])
  const words = { channel, subject: 'Hola {{ first_name }}', body: 'Te esperamos, {{ full_name }}.' }
  const second = { step: 1, variant: 'b', ...words, body: 'Vuelve, {{ first_name }}.' }
  const [segment] = await stack.sql<{ id: string }>(
    `insert into public.segments (organization_id, name, shared, definition) values ($1, $2, true, $3) returning id::text`,
    [group.id, tag, JSON.stringify({ field: 'tags', is: 'any', tags: tagsOf(tag) })],
  )
  const fields = {
    name: tag,
    segment_id: segment?.id,
    control_share: random.pick([0, 30]),
    ...(share === null ? {} : { test_share: share, winner_by: 'visits', test_hours: 1 }),
    messages: [
      { step: 1, variant: 'a', ...words },
      ...(share === null ? [] : [second]),
      { step: 2, variant: 'a', after_days: 1, ...words, body: 'Aún hay sitio, {{ first_name }}.' },
    ],
  }
  const [made] = await stack.sql<{ id: string }>(`select public.save_campaign($1, null, $2) ->> 'id' as id`, [
    group.id,
    JSON.stringify(fields),
  ])
  const campaign = made?.id ?? ''
  // A minute ago: a large one would wait to be undone.
  await stack.sql(`select public.launch_campaign($1, $2, null, 1000, 1, now() - interval '1 minute')`, [
    group.id,
    campaign,
  ])
  const messages = await stack.sql<{ id: string }>(
    'select id::text from public.automations where campaign_id = $1',
    [campaign],
  )
  return { campaign, automations: messages.map(({ id }) => id) }
}

/** What people do while messages are on their way: edit names and templates, or suppress somebody. */
export async function meddle({ stack, group }: Place, random: Random, { tag, automations }: Audience) {
  const word = String(random.int(1, 1_000_000))
  if (random.chance(0.5)) {
    await stack.sql('update public.customers set first_name = $1 where tags && $2', [word, tagsOf(tag)])
    await stack.sql('update public.automations set body = $1 where id = any($2)', [
      `{{ first_name }}: ${word}`,
      automations,
    ])
  }
  if (random.chance(0.3))
    await stack.sql(
      `insert into public.suppressions (organization_id, channel, address, reason)
       select m.organization_id, m.channel, m.recipient, 'bounce' from public.messages m
       where m.organization_id = $1 and m.automation_id = any($2) and m.recipient is not null
       order by md5(m.id::text || $3) limit 3 on conflict do nothing`,
      [group.id, automations, word],
    )
}

const tagsOf = (tag: string) => CHANNELS.map((channel) => `${tag}-${channel}`)
