import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, inject, vi } from 'vitest'
import { clientConfig } from '../../support/postgres/server'
import { copyTemplate, serveDatabase } from '../../support/postgres/stack'
import type { Stack } from '../../support/stack'
import { type Arranged, castOn } from '../cast'
import { type Mutation, UNBROKEN } from './mutation'

declare module 'vitest' {
  export interface ProvidedContext {
    mutations: Mutation[]
    /** A database where the cast of the rls files was arranged, without connections. */
    arranged: Arranged & { database: string }
  }
}

const files = import.meta.glob(['../*.test.ts', '../../{api,security}/*.test.ts'])

/**
 * Runs a test file once for each of the mutations, and for UNBROKEN on the schema as it is. Each time has a database of
 * its own; the rls files' is a copy of the one with the cast in it. Other files run once only: the app's modules that
 * they import while they are collected must be those that its handlers import later.
 */
export function tryMutations(file: string, mutations: (number | typeof UNBROKEN)[]): void {
  const load = files[posix.join('..', file)]
  if (!load) throw new Error(`No test file ${file}`)
  for (const each of mutations) {
    const sql = each === UNBROKEN ? '' : (inject('mutations')[each]?.sql ?? '')
    describe(String(each), () => collect(file, load, sql))
  }
}

async function collect(file: string, load: () => Promise<unknown>, sql: string): Promise<void> {
  beforeAll(() => {
    process.env.RLS_MUTATION = sql
  })
  if (posix.basename(file).startsWith('rls-')) {
    vi.doMock('../support', () => ({ startRlsStack: () => startArranged(sql) }))
    vi.doMock('../cast', async (original) => ({
      ...(await original<typeof import('../cast')>()),
      arrangeCast: async (stack: Stack) => castOn(stack, inject('arranged')),
    }))
  }
  vi.resetModules()
  await load()
}

/** A stack on a copy of the arranged database that is broken before PostgREST reads its schema. */
async function startArranged(sql: string): Promise<Stack> {
  const [postgres, { database: arranged }] = [inject('postgres'), inject('arranged')]
  const database = `mutated_${randomBytes(6).toString('hex')}`
  const drop = () => query('postgres', `drop database if exists ${database} with (force)`)
  await copyTemplate({ ...postgres, template: arranged }, database)
  try {
    if (sql) await query(database, `do $mutation$ begin ${sql}; end $mutation$`)
    return await serveDatabase(postgres, database, inject('keys'), undefined, drop)
  } catch (error) {
    await drop()
    throw error
  }
}

async function query(database: string, statement: string): Promise<void> {
  const client = new Client(clientConfig(inject('postgres'), database))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
