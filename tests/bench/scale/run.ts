import { setTimeout as pause } from 'node:timers/promises'
import type { Figure } from '../support/figures'
import type { Place } from './place'
import { figureOf, oneByOne } from './row'

const PREVIEWS = 3
/** A run that has not planned everybody by then is given up. */
const PATIENCE_MS = 240_000

/** An automation for three guests in five: its preview, and how long running it takes to plan all of them. */
export async function run(place: Place): Promise<Figure[]> {
  const { rows } = await place.bare.query<{ guests: number }>(
    `select count(*)::integer as guests from public.customers where tags && array['boletin']`,
  )
  const guests = rows[0]?.guests ?? 0
  return [await preview(place, guests), await plan(place, guests)]
}

async function preview({ ask, bare, lab }: Place, guests: number): Promise<Figure> {
  let problem: string | undefined
  const times = await oneByOne(
    PREVIEWS,
    async () => {
      if (problem) return
      const { status, text } = await ask(`/api/automations/${lab.automation}/preview`)
      if (status !== 200) problem = `${status}: ${text.slice(0, 120)}`
    },
    1,
  )
  const floor = await oneByOne(
    PREVIEWS,
    () =>
      bare.query(
        `select count(*) from public.customers c where c.organization_id = $1 and c.tags && array['boletin']
           and c.total_spend >= 0 and not exists (
             select from public.messages m where m.automation_id = $2 and m.customer_id = c.id
               and m.created_at > now() - interval '60 days')`,
        [lab.organization, lab.automation],
      ),
    1,
  )
  return figureOf({
    name: `preview of an automation with ${guests.toLocaleString('en')} recipients`,
    times: problem ? [] : times,
    floor: { times: floor, what: 'counting them' },
    goal: { most: 1.5, unit: 's', of: 'median' },
    ...(problem ? { note: problem } : {}),
  })
}

async function plan(place: Place, guests: number): Promise<Figure> {
  const { ask, bare, lab } = place
  const floor = await insertRolledBack(place)
  const began = performance.now()
  const started = await ask(`/api/automations/${lab.automation}/run`, {
    method: 'POST',
    body: '{}',
    headers: { prefer: 'respond-async' },
  })
  const count = async (condition: string) => {
    const { rows } = await bare.query<{ n: number }>(
      `select count(*)::integer as n from public.messages where automation_id = $1 ${condition}`,
      [lab.automation],
    )
    return rows[0]?.n ?? 0
  }
  let planned = 0
  let took: number | undefined
  while (took === undefined && performance.now() - began < PATIENCE_MS) {
    await pause(500)
    planned = await count('')
    if (planned >= guests) took = performance.now() - began
  }
  const sent = await count("and status in ('sent', 'delivered')")
  return figureOf({
    name: `planning a run for ${guests.toLocaleString('en')}`,
    times: took === undefined ? [] : [took],
    floor: { times: [floor], what: 'one insert of as many messages, rolled back' },
    goal: { most: 60, unit: 's', of: 'median' },
    note: `${started.status}; ${planned.toLocaleString('en')} planned, ${sent.toLocaleString('en')} of them sent by then`,
  })
}

async function insertRolledBack({ bare, lab }: Place): Promise<number> {
  await bare.query('begin')
  const begin = performance.now()
  await bare.query(
    `insert into public.messages (organization_id, kind, purpose, automation_id, customer_id, location_id, channel, recipient,
       dedupe_key, content)
     select c.organization_id, 'marketing', 'post_visit', $2, c.id, c.location_id, 'email', c.email, 'bench:' || c.id, '{}'
     from public.customers c where c.organization_id = $1 and c.tags && array['boletin']`,
    [lab.organization, lab.automation],
  )
  const time = performance.now() - begin
  await bare.query('rollback')
  return time
}
