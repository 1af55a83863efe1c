import { createAutomation } from '../factories/messaging'
import type { Random } from '../fakes/pms/random'
import type { Place } from './place'

/** A run's automations, one a channel, and how many customers they are for; each has one automation. */
export interface Audience {
  tag: string
  automations: string[]
  customers: number
}

const CHANNELS = ['email', 'sms', 'whatsapp'] as const

/** Makes the customers of a run: some without an address, some who do not want to be written to. */
export async function createAudience(
  { stack, group }: Place,
  random: Random,
  run: number,
): Promise<Audience> {
  const tag = `caos-${run}`
  const automations: string[] = []
  for (const channel of CHANNELS) {
    const words = {
      subject: 'Hola {{ first_name }}',
      body: 'Te esperamos, {{ full_name }}.',
      ...(channel === 'whatsapp'
        ? { content_sid: 'HX0123456789abcdef0123456789abcdef', content_variables: { 1: '{{ first_name }}' } }
        : {}),
    }
    const target = { criteria: { min_spend: 100 }, tags: [`${tag}-${channel}`] }
    automations.push(
      await createAutomation(stack, group.id, { type: 'vip_reward', channel, ...words, ...target }),
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
