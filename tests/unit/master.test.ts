import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runMaster, runMasterParallel } from '@/lib/cron/jobs'
import type { Db } from '@/lib/db/types'
import { HttpError } from '@/lib/http/errors'
import { JOB_NAMES, type Job, type JobName } from '@/lib/jobs/job'
import { generateKeys } from '../../supabase/local/keys'
import { pointAppAt } from '../support/app'

const now = new Date('2026-11-20T12:00:00Z')
const context = { db: {} as Db, now }
const ORDER = [
  '/api/cron/sync',
  '/api/cron/calendar-notifications',
  '/api/cron/calendar-reminders',
  '/api/cron/ticket-notifications',
  '/api/cron/ticket-reminders',
  '/api/cron/automations',
]

let started: string[]
const quick = (name: string): Job => ({
  budgetSeconds: name === 'automations' ? 300 : 60,
  run: async () => {
    started.push(name)
    return { did: name }
  },
})
const jobs = (odd: Partial<Record<JobName, Partial<Job>>> = {}) =>
  Object.fromEntries(JOB_NAMES.map((name) => [name, { ...quick(name), ...odd[name] }])) as Record<
    JobName,
    Job
  >
const forever = { run: () => new Promise<never>(() => {}) }
const until = async <T>(promise: Promise<T>): Promise<T> => {
  const settled = promise.then((value) => ({ value }))
  for (let second = 0; second < 1000; second++) {
    const done = await Promise.race([settled, vi.advanceTimersByTimeAsync(1000).then(() => null)])
    if (done) return done.value
  }
  throw new Error('It does not end')
}

beforeEach(async () => {
  started = []
  pointAppAt('http://127.0.0.1:9', await generateKeys(), { LOG_LEVEL: 'silent' })
  vi.useFakeTimers({ now })
})
afterEach(() => vi.useRealTimers())

describe('the master', () => {
  it('runs every job in the contract’s order, each after the one before', async () => {
    let running = 0
    const slow = (name: JobName): Partial<Job> => ({
      run: async () => {
        expect(++running).toBe(1)
        await new Promise((resolve) => setTimeout(resolve, 500))
        running--
        return { did: name }
      },
    })
    const all = Object.fromEntries(JOB_NAMES.map((name) => [name, slow(name)]))
    const body = await until(runMaster(jobs(all), context))
    expect(body).toEqual({
      success: true,
      master: true,
      timestamp: now.toISOString(),
      results: ORDER.map((endpoint) => ({
        endpoint,
        status: 200,
        data: { did: endpoint.replace('/api/cron/', '') },
      })),
    })
  })

  it('reports a job that throws, without what it should not tell, and goes on', async () => {
    const fails = async () => {
      throw new HttpError('PMS_NOT_CONFIGURED')
    }
    const breaks = async () => {
      throw new TypeError('connect https://pms.example/api/KEY')
    }
    const body = await until(runMaster(jobs({ sync: { run: fails }, automations: { run: breaks } }), context))
    expect(body.success).toBe(true)
    expect(body.results[0]).toEqual({ endpoint: ORDER[0], error: 'PMS integration is not configured' })
    expect(body.results[5]).toEqual({ endpoint: ORDER[5], error: 'Unexpected error' })
    expect(body.results.slice(1, 5).map((one) => 'status' in one && one.status)).toEqual([200, 200, 200, 200])
  })

  it('leaves a job that hangs at its share of the time, and goes on', async () => {
    const body = await until(runMaster(jobs({ 'calendar-reminders': forever }), context))
    expect(body.results[2]).toEqual({ endpoint: ORDER[2], error: 'Not finished after 60 s' })
    expect(started).toEqual(JOB_NAMES.filter((name) => name !== 'calendar-reminders'))
  })

  it('answers within 300 s when every job hangs, and every one has had a turn', async () => {
    const turns: string[] = []
    const hang = (name: JobName): Partial<Job> => ({
      run: () => {
        turns.push(name)
        return new Promise<never>(() => {})
      },
    })
    const all = Object.fromEntries(JOB_NAMES.map((name) => [name, hang(name)]))
    const body = await until(runMaster(jobs(all), context))
    expect(Date.now() - now.getTime()).toBeLessThan(300_000)
    expect(turns).toEqual([...JOB_NAMES])
    expect(body.results.every((one) => 'error' in one)).toBe(true)
  })

  it('signals a job before its time is over, so that it can return its result', async () => {
    const listens: Partial<Job> = {
      run: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ some: 1 }))),
    }
    const body = await until(runMaster(jobs({ sync: listens }), context))
    expect(body.results[0]).toEqual({ endpoint: ORDER[0], status: 200, data: { some: 1 } })
  })

  it('gives the last job the time the others leave', async () => {
    let signal: AbortSignal | undefined
    const long: Partial<Job> = {
      run: (given) => {
        signal = given.signal
        return new Promise((resolve) => setTimeout(() => resolve({}), 250_000))
      },
    }
    const body = await until(runMaster(jobs({ automations: long }), context))
    expect(body.results[5]).toMatchObject({ status: 200 })
    expect(signal?.aborted).toBe(false)
  })

  it('has the text of a job with nothing to do in place of its answer', async () => {
    const nothing: Partial<Job> = { nothingDone: () => 'No notifications to send' }
    const body = await until(runMaster(jobs({ 'calendar-notifications': nothing }), context))
    expect(body.results[1]).toEqual({ endpoint: ORDER[1], error: 'No notifications to send' })
  })
})

describe('the master with mode=parallel', () => {
  it('runs three jobs at once and returns the outcome of each', async () => {
    let running = 0
    let most = 0
    const meets: Partial<Job> = {
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 100))
        running--
        return {}
      },
    }
    const odd = {
      sync: meets,
      automations: forever,
      'calendar-notifications': { ...meets, nothingDone: () => 'No notifications to send' },
    }
    const body = await until(runMasterParallel(jobs(odd), context))
    expect(body).toEqual({
      executed_at: now.toISOString(),
      tasks: [
        { name: 'sync', status: 'success' },
        { name: 'automations', status: 'error' },
        { name: 'calendar-notifications', status: 'success' },
      ],
    })
    expect(most).toBe(2)
    expect(Date.now() - now.getTime()).toBeLessThan(300_000)
  })
})
