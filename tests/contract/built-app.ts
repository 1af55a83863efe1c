import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import webPush from 'web-push'
import { answers } from '../../scripts/demo/processes'
import type { LocalKeys } from '../../supabase/local/keys'
import { freePort } from '../support/free-port'

const NEXT = 'node_modules/next/dist/bin/next'
// A test that generates requests notices late that an idle connection was closed.
const KEEP_ALIVE_MS = '120000'

/** The built app in a process of its own, as a deployment runs it. */
export interface BuiltApp {
  url: string
  /** What it has written to stdout and stderr. */
  output: () => string
  pid: number
  /** The memory the process holds now, in MB. */
  residentMb: () => number
  stop: () => Promise<void>
}

/** What would open /setup in a database without a group. */
export const SETUP_TOKEN = 'setup-token-of-the-contract'

const vapid = webPush.generateVAPIDKeys()

/**
 * Starts `next start` on a free port of loopback, pointed at a stack.
 * @param extra further settings, or how its own address makes them
 * @throws when it does not answer in time.
 */
export async function startBuiltApp(
  stack: { url: string; keys: LocalKeys },
  extra: Record<string, string> | ((url: string) => Record<string, string>) = {},
  deadlineMs?: number,
): Promise<BuiltApp> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port), '--keepAliveTimeout', KEEP_ALIVE_MS],
    {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        SUPABASE_URL: stack.url,
        SUPABASE_PUBLISHABLE_KEY: stack.keys.publishableKey,
        SUPABASE_SECRET_KEY: stack.keys.secretKey,
        CRON_SECRET: stack.keys.cronSecret,
        SETUP_TOKEN,
        VAPID_PUBLIC_KEY: vapid.publicKey,
        VAPID_PRIVATE_KEY: vapid.privateKey,
        SECRETS_KEY: stack.keys.secretsKey,
        ALLOW_LOOPBACK_UPSTREAMS: '1',
        APP_URL: 'https://crm.example',
        MESSAGE_SANDBOX: '1',
        AUTH_MAILER: '1',
        LOG_LEVEL: 'error',
        ...(typeof extra === 'function' ? extra(url) : extra),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await answers(`${url}/api/docs/openapi.yaml`, deadlineMs).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  const residentMb = () =>
    Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024)
  return { url, pid: child.pid ?? 0, output: () => output, residentMb, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  // It waits for open connections, and a test may leave one.
  const patience = setTimeout(() => child.kill('SIGKILL'), 5000)
  await once(child, 'exit')
  clearTimeout(patience)
}
