import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort, spawnChild } from './child'
import { until } from './poll'
import { postgres17 } from './postgres-17'

/** Where the server listens and its superuser; plain JSON. */
export interface ServerAddress {
  host: string
  port: number
  superuser: string
  password: string
}

/** A running server. */
export interface Server {
  address: ServerAddress
  stop: () => Promise<void>
  /** The id of its first process. */
  pid: number
}

/** A data directory that outlives the server. */
export interface KeptDirectory {
  /** Has the data directory in `data`; made when it is not there. The user who runs the server can reach it. */
  directory: string
  password: string
  /** Settings of the server, in place of those for databases that are thrown away. */
  settings: Record<string, string>
  /** A free one by default. */
  port?: number
}

const SUPERUSER = 'supabase_admin'

// Durability is of no use to a database that is thrown away.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  shared_buffers: '256MB',
  max_connections: '200',
  // Tables that were never analysed look large: every statement would be compiled first.
  jit: 'off',
  timezone: 'UTC',
}

/**
 * Starts an empty Postgres in a temporary directory with a random password, or one on a kept directory; on a free
 * loopback port. Binaries come from PG_BIN or Debian's place of version 15, unless given. Ends with this process at the latest.
 * @throws when there are no binaries, or with the server's log when it does not come up.
 */
export async function startServer(kept?: KeptDirectory, bin = postgresBinaries()): Promise<Server> {
  // Somebody else may take the free port before the server does.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(bin, kept?.port ?? (await freePort()), kept)
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

/** Those of PG_BIN, of Postgres 17 with POSTGRES=17, else of 15. @throws when there are none. */
export function postgresBinaries(): string {
  const installed = process.env.POSTGRES === '17' ? postgres17() : '/usr/lib/postgresql/15/bin'
  const bin = process.env.PG_BIN ?? installed ?? ''
  if (existsSync(join(bin, 'initdb'))) return bin
  throw new Error(`No Postgres binaries in ${bin}. Install Postgres 15, or set PG_BIN.`)
}

async function startOn(bin: string, port: number, kept?: KeptDirectory): Promise<Server> {
  const user = serverUser()
  const password = kept?.password ?? randomBytes(18).toString('base64url')
  const directory = kept?.directory ?? mkdtempSync(join(tmpdir(), 'sobremesa-pg-'))
  const data = join(directory, 'data')
  if (!existsSync(data)) {
    try {
      initialise(bin, directory, password, user)
    } catch (error) {
      rmSync(kept ? data : directory, { recursive: true, force: true })
      throw error
    }
  }
  const settings = { ...(kept?.settings ?? SETTINGS), port: String(port), unix_socket_directories: directory }
  const child = spawnChild(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // SIGINT is Postgres' fast shutdown.
    { signal: 'INT', ...(kept ? {} : { directory }), user },
  )
  const address = { host: '127.0.0.1', port, superuser: SUPERUSER, password }
  try {
    await until('Start of Postgres', kept ? 300_000 : 30_000, child, async () => {
      const client = new Client(clientConfig(address, 'postgres'))
      await client.connect()
      await client.end()
      return true
    })
  } catch (error) {
    await child.stop()
    throw error
  }
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return { address, pid, stop: child.stop }
}

function initialise(
  bin: string,
  directory: string,
  password: string,
  user: ReturnType<typeof serverUser>,
): void {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) {
    chownSync(directory, user.uid, user.gid)
    chownSync(passwordFile, user.uid, user.gid)
  }
  const identity = ['-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const locale = ['-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(join(bin, 'initdb'), ['-D', join(directory, 'data'), ...identity, ...locale, '--no-sync'], {
    cwd: '/',
    stdio: 'pipe',
    ...user,
  })
}

/** `pg` settings for a database of the server, as the superuser by default. */
export function clientConfig(address: ServerAddress, database: string, user = address.superuser) {
  return { host: address.host, port: address.port, user, password: address.password, database }
}

/** The same as a URL. */
export function databaseUrl(address: ServerAddress, database: string, user = address.superuser): string {
  return `postgres://${user}:${address.password}@${address.host}:${address.port}/${database}`
}

/** The user to run it as, when this is root: Postgres refuses to run as root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
