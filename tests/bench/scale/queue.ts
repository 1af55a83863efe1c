import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { LAB_DATABASE } from '../../lab/cluster'
import { clientConfig } from '../../support/postgres/server'
import type { Figure } from '../support/figures'
import { otherQueues } from './other-queues'
import type { Ground, Place } from './place'
import { perSecond, queued, send } from './senders'

const PROCESSES = 2
const SECONDS = 10
/** Each measurement sends a second before, until its processes are warm; some are slower. */
const WARM_UP = 3
/** How long the other transaction holds its snapshot before the rate is measured again. */
const HELD_SECONDS = Number(process.env.SCALE_HELD_SECONDS ?? 60)

/**
 * Claim → send → finish with two processes and a provider that answers at once, alone and while another transaction
 * holds its snapshot; and two known queues with empty jobs on the same server.
 */
export async function queue(place: Ground | Place): Promise<Figure[]> {
  // It would go on sending what it has planned.
  if ('app' in place) await place.app.stop()
  const waiting = await queued(place)
  if (waiting < 50_000)
    return [
      {
        name: 'messages a second',
        measured: 0,
        unit: '/s',
        least: 5000,
        detail: `only ${waiting} are queued`,
      },
    ]
  await place.bare.query("update public.automation_runs set status = 'running' where status = 'paused'")
  await rate(place, 5)
  const alone = await rate(place, SECONDS)
  const { held, dead, left } = await whileHeld(place, alone)
  const others = await otherQueues(place)
  const best = Math.max(...others.map(({ measured }) => measured))
  return [
    {
      name: `claim → send → finish, ${PROCESSES} processes`,
      measured: alone,
      unit: '/s',
      least: 5000,
      detail: `${best > 0 ? `${(alone / best).toFixed(2)} × the faster known queue; ` : ''}${await queued(place)} left`,
    },
    {
      name: `the same while a snapshot is held for ${HELD_SECONDS} s`,
      measured: held / alone,
      unit: 'share',
      least: 0.9,
      detail: `${held.toFixed(0)}/s, with ${dead.toLocaleString('en')} dead rows; ${left} left`,
    },
    ...others,
  ]
}

/** The rate while another transaction holds its snapshot, after HELD_SECONDS of sending, and the dead rows by then. */
async function whileHeld(place: Ground | Place, alone: number) {
  const holder = new Client(clientConfig(place.connection, LAB_DATABASE))
  await holder.connect()
  try {
    await holder.query('begin isolation level repeatable read')
    await holder.query('select count(*) from public.locations')
    // What is sent meanwhile leaves the dead rows that slow a queue down; enough stays queued for the last measurement.
    const spare = (await queued(place)) / alone - (SECONDS + WARM_UP)
    const sending = Math.max(0, Math.min(HELD_SECONDS, Math.floor(spare - WARM_UP)))
    const [, { dead }] = await Promise.all([
      pause(HELD_SECONDS * 1000),
      rate(place, sending).then(() => deadRows(place)),
    ])
    return { held: await rate(place, SECONDS), dead, left: await queued(place) }
  } finally {
    await holder.end()
  }
}

/** Messages a second of two processes that drain for so many seconds. */
async function rate(ground: Ground, seconds: number): Promise<number> {
  const { answers } = await send(ground, PROCESSES, seconds)
  return perSecond(answers)
}

async function deadRows({ bare }: Ground): Promise<{ dead: number }> {
  const { rows } = await bare.query(
    `select n_dead_tup::integer as dead from pg_stat_user_tables where relid = 'public.messages'::regclass`,
  )
  return rows[0]
}
