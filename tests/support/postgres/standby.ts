import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { LocalKeys } from '../../../supabase/local/keys'
import { startGateway } from './gateway'
import { startPostgRest } from './postgrest'
import {
  clientConfig,
  databaseUrl,
  postgresBinaries,
  type Server,
  type ServerAddress,
  serverUser,
  startServer,
} from './server'
import { API_ROLE } from './template'

/** Settings of a throw-away primary that a standby may follow, and of the standby. */
const REPLICATING = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'replica',
  max_wal_senders: '5',
  wal_keep_size: '256MB',
  hot_standby: 'on',
  shared_buffers: '128MB',
  max_connections: '60',
  jit: 'off',
  timezone: 'UTC',
}

/** A directory for a server that is stopped and started again. */
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-pg-'))
  const user = serverUser()
  if (user) chownSync(directory, user.uid, user.gid)
  return directory
}

/** An empty Postgres that a standby may follow; `stop` removes its directory. */
export async function startPrimary(password: string): Promise<Server> {
  const directory = newDirectory()
  const server = await startServer({ directory, password, settings: REPLICATING })
  return {
    ...server,
    stop: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A streaming standby with its own PostgREST and gateway, like a read replica of Supabase. */
export interface Standby {
  /** The address of its API. */
  url: string
  /** SQL on the standby, as the superuser. */
  sql: <Row = Record<string, unknown>>(query: string) => Promise<Row[]>
  /** Ends Postgres at once, without a word to anybody; PostgREST and the gateway stay. */
  kill: () => Promise<void>
  /** Stops all processes that answer, so that connections hang; `thaw` lets them go on. */
  freeze: () => Promise<void>
  thaw: () => void
  /** Starts Postgres again on the same port. */
  restart: () => Promise<void>
  close: () => Promise<void>
}

/** Copies the primary with pg_basebackup and follows it. */
export async function startStandby(
  primary: ServerAddress,
  database: string,
  keys: LocalKeys,
): Promise<Standby> {
  const directory = newDirectory()
  const source = `host=${primary.host} port=${primary.port} user=${primary.superuser} password=${primary.password}`
  // -R writes the connection and standby.signal; the checkpoint is not spread over minutes.
  const options = [
    '-D',
    join(directory, 'data'),
    '-d',
    source,
    '-X',
    'stream',
    '-R',
    '-c',
    'fast',
    '--no-sync',
  ]
  await promisify(execFile)(join(postgresBinaries(), 'pg_basebackup'), options, { cwd: '/', ...serverUser() })
  const start = (port?: number) =>
    startServer({ directory, password: primary.password, settings: REPLICATING, ...(port ? { port } : {}) })
  let server: Server | undefined = await start()
  const { address } = server
  const [postgrest, gateway] = await Promise.all([
    startPostgRest(databaseUrl(address, database, API_ROLE), keys.jwtSecret, {
      // A standby takes no LISTEN.
      PGRST_DB_CHANNEL_ENABLED: 'false',
    }),
    startGateway(keys),
  ])
  gateway.connect({ postgrest: postgrest.port, auth: postgrest.port })
  let frozen: number[] = []
  const sql = async <Row>(query: string) => {
    const client = new Client(clientConfig(address, database))
    await client.connect()
    try {
      return (await client.query(query)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  const stop = async () => {
    await server?.stop()
    server = undefined
  }
  return {
    url: gateway.url,
    sql,
    kill: async () => {
      if (server) process.kill(server.pid, 'SIGKILL')
      await stop()
    },
    freeze: async () => {
      const backends = await sql<{ pid: number }>(
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      frozen = [...(server ? [server.pid] : []), ...backends.map(({ pid }) => pid)].filter(stopped)
    },
    thaw: () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
    },
    restart: async () => {
      server = await start(address.port)
    },
    close: async () => {
      await gateway.close()
      await postgrest.stop()
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Stops a process. False when it has ended meanwhile, as a connection's that was closed after it was listed. */
function stopped(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGSTOP')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
