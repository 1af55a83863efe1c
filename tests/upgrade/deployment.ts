import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { oneByOne } from '../support/postgres/compare'
import { clientConfig, databaseUrl } from '../support/postgres/server'

/** A version's folder, as who deploys it has it: some paths of `supabase`, and the CLI. */
export interface Deployment {
  /** With `supabase` in it. */
  root: string
  /** Copies paths of this tree's `supabase`. */
  add: (...paths: string[]) => void
  /** `supabase db push`, as in docs/deploy.md. @returns what it printed. @throws with that when it fails. */
  push: (database: string) => Promise<string>
  remove: () => void
}

/** Makes the folder. @param paths of `supabase`: `migrations`, `config.toml` … */
export function makeDeployment(...paths: string[]): Deployment {
  const root = mkdtempSync(join(tmpdir(), 'sobremesa-release-'))
  const add: Deployment['add'] = (...more) => {
    for (const path of more) cpSync(join('supabase', path), join(root, 'supabase', path), { recursive: true })
  }
  const push = (database: string) => {
    const home = join(root, 'home')
    mkdirSync(home, { recursive: true })
    const url = databaseUrl(inject('postgres'), database, 'postgres')
    return execFileSync(
      resolve('node_modules/.bin/supabase'),
      ['db', 'push', `--remote=${url}?sslmode=disable`, '--yes'],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, HOME: home, SUPABASE_HOME: home, DO_NOT_TRACK: '1' },
      },
    )
  }
  add(...paths)
  return {
    root,
    add,
    push: (database) => oneByOne(inject('postgres'), () => push(database)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Runs SQL on a database of the test's server, as the superuser. */
export async function query<Row = Record<string, unknown>>(database: string, sql: string): Promise<Row[]> {
  const client = new Client(clientConfig(inject('postgres'), database))
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}
