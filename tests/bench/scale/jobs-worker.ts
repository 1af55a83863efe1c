// Another queue's side: fills it with empty jobs, or works on them, in a process of its own.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { answerQuestions } from '../support/worker'

export interface JobsQuestion {
  queue: 'graphile-worker' | 'pg-boss'
  /** Where its package is installed. */
  folder: string
  database: string
  ask: 'fill' | 'work'
  /** Jobs to add, or milliseconds to work. */
  amount: number
}

export interface JobsAnswer {
  done: number
  milliseconds: number
  how: string
}

const BATCH = 100
const CONCURRENT = 24
const LANES = 4

interface Boss {
  start: () => Promise<unknown>
  stop: (options: object) => Promise<void>
  createQueue: (name: string) => Promise<void>
  insert: (name: string, jobs: object[]) => Promise<unknown>
  fetch: (name: string, options: object) => Promise<{ id: string }[] | null>
  complete: (name: string, ids: string[]) => Promise<unknown>
}
interface Graphile {
  runMigrations: (options: object) => Promise<void>
  run: (options: object) => Promise<{ stop: () => Promise<void> }>
}

answerQuestions(async (question: JobsQuestion): Promise<JobsAnswer> => {
  const load = createRequire(join(question.folder, 'package.json'))
  return question.queue === 'pg-boss'
    ? boss(question, load('pg-boss') as never)
    : graphile(question, load('graphile-worker') as never)
})

async function graphile({ ask, amount, database }: JobsQuestion, lib: Graphile): Promise<JobsAnswer> {
  if (ask === 'fill') {
    await lib.runMigrations({ connectionString: database })
    const client = new Client(database)
    await client.connect()
    await client.query(`select count(graphile_worker.add_job('noop', '{}')) from generate_series(1, $1)`, [
      amount,
    ])
    await client.query('vacuum analyze')
    await client.end()
    return { done: amount, milliseconds: 0, how: '' }
  }
  let done = 0
  const begin = performance.now()
  const runner = await lib.run({
    connectionString: database,
    noHandleSignals: true,
    taskList: { noop: async () => void done++ },
    preset: {
      worker: {
        concurrentJobs: CONCURRENT,
        maxPoolSize: CONCURRENT,
        completeJobBatchDelay: 0,
        localQueue: { size: BATCH * LANES },
      },
    },
  })
  await pause(amount)
  const answer = {
    done,
    milliseconds: performance.now() - begin,
    how: `local queue of ${BATCH * LANES}, completed in batches`,
  }
  await runner.stop()
  return answer
}

async function boss(
  { ask, amount, database }: JobsQuestion,
  lib: { PgBoss: new (options: object) => Boss },
): Promise<JobsAnswer> {
  const queue = new lib.PgBoss({ connectionString: database, supervise: false, schedule: false })
  await queue.start()
  try {
    if (ask === 'fill') {
      await queue.createQueue('noop')
      for (let n = 0; n < amount; n += 5000)
        await queue.insert(
          'noop',
          Array.from({ length: 5000 }, () => ({ data: {} })),
        )
      return { done: amount, milliseconds: 0, how: '' }
    }
    let done = 0
    const begin = performance.now()
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        while (performance.now() - begin < amount) {
          const jobs = (await queue.fetch('noop', { batchSize: BATCH })) ?? []
          if (jobs.length === 0) break
          await queue.complete(
            'noop',
            jobs.map(({ id }) => id),
          )
          done += jobs.length
        }
      }),
    )
    return { done, milliseconds: performance.now() - begin, how: `batches of ${BATCH}, ${LANES} at once` }
  } finally {
    await queue.stop({ graceful: false })
  }
}
