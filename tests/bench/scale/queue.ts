import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { LAB_DATABASE } from '../../lab/cluster'
import { clientConfig } from '../../support/postgres/server'
import type { Figure } from '../support/figures'
import { startWorker } from '../support/worker'
import { otherQueues } from './other-queues'
import type { Ground, Place } from './place'
import type { SendAnswer, SendQuestion } from './send-worker'

const PROCESSES = 2
const SECONDS = 20
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
  const holder = new Client(clientConfig(place.connection, LAB_DATABASE))
  await holder.connect()
  await holder.query('begin isolation level repeatable read')
  await holder.query('select count(*) from public.locations')
  // The dead rows of this time are what slows a queue down.
  await Promise.all([pause(HELD_SECONDS * 1000), rate(place, HELD_SECONDS)])
  const held = await rate(place, SECONDS)
  await holder.query('rollback')
  await holder.end()
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
      detail: `${held.toFixed(0)}/s`,
    },
    ...others,
  ]
}

async function queued({ bare }: Ground): Promise<number> {
  const { rows } = await bare.query(
    `select count(*)::integer as n from public.messages where status = 'queued'`,
  )
  return rows[0].n
}

/** Messages a second of two processes that drain for so many seconds. */
async function rate({ stack, lab }: Ground, seconds: number): Promise<number> {
  const env = {
    SUPABASE_URL: stack.url,
    SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey,
    SUPABASE_SECRET_KEY: stack.keys.secretKey,
    CRON_SECRET: stack.keys.cronSecret,
    SECRETS_KEY: stack.keys.secretsKey,
    APP_URL: 'https://crm.example',
    LOG_LEVEL: 'error',
  }
  const workers = Array.from({ length: PROCESSES }, () =>
    startWorker<SendQuestion, SendAnswer>(new URL('./send-worker.ts', import.meta.url), env),
  )
  try {
    const question = { url: stack.url, secretKey: stack.keys.secretKey, organizationId: lab.organization }
    // Started and warm before the clock runs.
    await Promise.all(workers.map((worker) => worker.ask({ ...question, milliseconds: 1000 })))
    const answers = await Promise.all(
      workers.map((worker) => worker.ask({ ...question, milliseconds: seconds * 1000 })),
    )
    return answers.reduce((sum, { sent, milliseconds }) => sum + (sent / milliseconds) * 1000, 0)
  } finally {
    for (const worker of workers) await worker.stop()
  }
}
