import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { clientConfig, databaseUrl } from '../../support/postgres/server'
import type { Figure } from '../support/figures'
import { startWorker } from '../support/worker'
import type { JobsAnswer, JobsQuestion } from './jobs-worker'
import type { Ground } from './place'

const PACKAGES = { 'graphile-worker': '0.18.0', 'pg-boss': '12.38.0' }
const JOBS = 200_000
const PROCESSES = 2
const SECONDS = 15
const DATABASE = 'other_queues'

/**
 * What two known queues do with empty jobs on the same server, with two processes each. Their packages are not the
 * project's: they are installed into the cache, once.
 */
export async function otherQueues({ connection }: Ground): Promise<Figure[]> {
  const folder = await installed()
  if (!folder) return []
  const admin = new Client(clientConfig(connection, 'postgres'))
  await admin.connect()
  try {
    await admin.query(`create database ${DATABASE}`)
    const question = { folder, database: databaseUrl(connection, DATABASE) }
    const figures: Figure[] = []
    for (const queue of ['graphile-worker', 'pg-boss'] as const) {
      const ask = (more: Pick<JobsQuestion, 'ask' | 'amount'>) => ({ ...question, queue, ...more })
      const workers = Array.from({ length: PROCESSES }, () =>
        startWorker<JobsQuestion, JobsAnswer>(new URL('./jobs-worker.ts', import.meta.url)),
      )
      try {
        await workers[0]?.ask(ask({ ask: 'fill', amount: JOBS }))
        const answers = await Promise.all(
          workers.map((worker) => worker.ask(ask({ ask: 'work', amount: SECONDS * 1000 }))),
        )
        figures.push({
          name: `${queue} ${PACKAGES[queue]}, empty jobs, ${PROCESSES} processes`,
          measured: answers.reduce((sum, { done, milliseconds }) => sum + (done / milliseconds) * 1000, 0),
          unit: '/s',
          detail: answers[0]?.how ?? '',
        })
      } finally {
        for (const worker of workers) await worker.stop()
      }
    }
    return figures
  } finally {
    await admin.query(`drop database if exists ${DATABASE} with (force)`)
    await admin.end()
  }
}

/** The folder with the packages; undefined, and said so, where they cannot be had. */
async function installed(): Promise<string | undefined> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const versions = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  const folder = join(cache, 'sobremesa', `queues-${Object.values(PACKAGES).join('-')}`)
  if (existsSync(join(folder, 'done'))) return folder
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    await promisify(execFile)(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...versions],
      {
        cwd: folder,
        timeout: 180_000,
      },
    )
    writeFileSync(join(folder, 'done'), '')
    return folder
  } catch (error) {
    console.log(`No comparison with other queues: ${String(error).slice(0, 200)}`)
    return undefined
  }
}
