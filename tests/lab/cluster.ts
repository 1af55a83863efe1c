import { chmodSync, mkdirSync } from 'node:fs'
import { authBinary } from '../support/postgres/auth-binary'
import type { ClusterConnection } from '../support/postgres/cluster'
import { startServer } from '../support/postgres/server'
import { serveDatabase } from '../support/postgres/stack'
import { TEMPLATE } from '../support/postgres/template'
import type { Stack } from '../support/stack'
import { type Lab, readLab } from './settings'

/** The database of a lab. */
export const LAB_DATABASE = 'sobremesa_lab'

const COMMON = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  jit: 'off',
  timezone: 'UTC',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  shared_buffers: '2GB',
}

// Of hosted Supabase on 4 GB of memory: durable, a replica may follow.
const SERVING = {
  ...COMMON,
  shared_buffers: '1GB',
  effective_cache_size: '3GB',
  checkpoint_timeout: '5min',
  max_wal_size: '4GB',
  random_page_cost: '1.1',
  effective_io_concurrency: '200',
  wal_level: 'logical',
}

// A lab whose growth was interrupted is grown again, so nothing needs to survive a crash.
const GROWING = {
  ...COMMON,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_recycle: 'off',
  autovacuum: 'off',
  work_mem: '600MB',
  hash_mem_multiplier: '1',
  maintenance_work_mem: '1GB',
}

/** Starts Postgres on the lab's directory, set for serving or for growing. */
export async function startLabServer(
  directory: string,
  password: string,
  way: 'serve' | 'grow',
): Promise<{ connection: ClusterConnection; stop: () => Promise<void> }> {
  mkdirSync(directory, { recursive: true })
  // Root's umask may keep the user of the server out.
  if (process.getuid?.() === 0) chmodSync(directory, 0o755)
  const binary = await authBinary()
  const server = await startServer({ directory, password, settings: way === 'serve' ? SERVING : GROWING })
  return {
    connection: { ...server.address, template: TEMPLATE, authBinary: binary },
    stop: server.stop,
  }
}

/** A lab that runs. */
export interface RunningLab {
  lab: Lab
  stack: Stack
  connection: ClusterConnection
  stop: () => Promise<void>
}

/**
 * Starts Postgres, PostgREST, Auth and the gateway on a grown lab; what is written stays in it.
 * @throws when the directory has no lab.
 */
export async function serveLab(directory: string): Promise<RunningLab> {
  const lab = readLab(directory)
  if (!lab) throw new Error(`${directory} has no lab. Grow one first: npm run lab`)
  const { connection, stop } = await startLabServer(directory, lab.password, 'serve')
  try {
    const stack = await serveDatabase(connection, LAB_DATABASE, lab.keys)
    return {
      lab,
      stack,
      connection,
      stop: async () => {
        await stack.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
