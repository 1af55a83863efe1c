import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ClusterConnection } from '../../support/postgres/cluster'
import type { Stack } from '../../support/stack'

/**
 * Runs a file of statements with `psql` as the role that PostgREST would take, each its own transaction.
 * Returns the time of the statements by psql's own clock and of the whole process, in milliseconds.
 */
export async function runFile(
  cluster: ClusterConnection,
  stack: Stack,
  file: string,
): Promise<{ statements: number; process: number }> {
  const [row] = await stack.sql<{ name: string }>('select current_database() as name')
  const address = [
    '-h',
    cluster.host,
    '-p',
    String(cluster.port),
    '-U',
    cluster.superuser,
    '-d',
    row?.name ?? '',
  ]
  const script = ['-c', 'set role service_role', '-c', '\\timing on', '-f', file]
  const psql = join(process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin', 'psql')
  const env = { ...process.env, PGPASSWORD: cluster.password }
  const start = performance.now()
  const flags = ['-X', '-q', '-v', 'ON_ERROR_STOP=1']
  const { stdout } = await promisify(execFile)(psql, [...flags, ...address, ...script], { env })
  const whole = performance.now() - start
  const times = [...stdout.matchAll(/^Time: ([\d.]+) ms/gm)].map((match) => Number(match[1]))
  return { statements: times.reduce((sum, time) => sum + time, 0), process: whole }
}
