import { authBinary } from './auth-binary'
import { type ServerAddress, startServer } from './server'
import { createTemplate, TEMPLATE } from './template'

/** A running cluster with the migrated template; plain JSON, so it crosses to the test workers. */
export interface ClusterConnection extends ServerAddress {
  template: string
  /** The program of Supabase Auth. */
  authBinary: string
}

/**
 * Starts Postgres and makes the migrated template, once a test run; builds Supabase Auth when it has to. `stop` shuts it down and removes
 * its directory; so does the end of this process, however it ends.
 */
export async function startCluster(): Promise<{ connection: ClusterConnection; stop: () => Promise<void> }> {
  const binary = await authBinary()
  const server = await startServer()
  try {
    await createTemplate(server.address, binary)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { connection: { ...server.address, template: TEMPLATE, authBinary: binary }, stop: server.stop }
}
