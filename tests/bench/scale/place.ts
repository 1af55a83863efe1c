import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import build from '../../contract/build'
import { type BuiltApp, startBuiltApp } from '../../contract/built-app'
import { PASSWORD } from '../../factories/account'
import { LAB_DATABASE, type RunningLab, serveLab } from '../../lab/cluster'
import { labDirectory, labHash, readLab } from '../../lab/settings'
import { clientConfig } from '../../support/postgres/server'

/** For the start of the app on a machine that does other things, too. */
export const PATIENCE_MS = 300_000

/** Where rows are measured that need no app: the lab. */
export interface Ground extends RunningLab {
  /** The superuser's connection, for floors and for looking behind the app. */
  bare: Client
}

/** The lab, the built app on it, and the session of its first person. */
export interface Place extends Ground {
  app: BuiltApp
  cookie: string
  /** Asks the app as that person; the body is read whole. */
  ask: (path: string, init?: RequestInit) => Promise<{ status: number; text: string }>
}

/**
 * Runs `work` on the lab. With `writes` on a copy of it beside it, which is removed at the end: the lab stays as it is.
 * @throws when there is no lab.
 */
export async function withGround<T>(writes: boolean, work: (ground: Ground) => Promise<T>): Promise<T> {
  const directory = labDirectory()
  const found = readLab(directory)
  if (!found) throw new Error(`${directory} has no lab. Grow one first: npm run lab`)
  if (found.hash !== labHash())
    console.log(`The lab was grown with other migrations (${found.grownAt}); npm run lab grows it again.`)
  const used = writes ? copyOf(directory) : directory
  const closers: (() => unknown)[] = []
  if (writes) closers.push(() => rmSync(used, { recursive: true, force: true }))
  try {
    const lab = await serveLab(used)
    closers.push(lab.stop)
    const bare = new Client(clientConfig(lab.connection, LAB_DATABASE))
    bare.on('error', () => {})
    await bare.connect()
    closers.push(() => bare.end())
    return await work({ ...lab, bare })
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Runs `work` with the built app on the lab; APP_BUILT=1 takes the build at hand. `settings` are more of its environment. */
export async function withApp<T>(
  ground: Ground,
  work: (place: Place) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  build()
  const app = await startBuiltApp(ground.stack, settings, PATIENCE_MS)
  try {
    const cookie = await signIn(app.url, ground.lab.people[0]?.email ?? '')
    const ask: Place['ask'] = async (path, init = {}) => {
      const headers = { cookie, 'content-type': 'application/json', ...init.headers }
      const response = await fetch(new URL(path, app.url), { ...init, headers })
      return { status: response.status, text: await response.text() }
    }
    return await work({ ...ground, app, cookie, ask })
  } finally {
    await app.stop()
  }
}

/** A copy beside the lab; where the file system can, the blocks are shared until they are written. */
function copyOf(directory: string): string {
  const copy = `${directory.replace(/\/$/, '')}-bench`
  if (existsSync(join(copy, 'data', 'postmaster.pid'))) throw new Error(`${copy} is in use.`)
  rmSync(copy, { recursive: true, force: true })
  console.log(`Copying the lab to ${copy} …`)
  execFileSync('cp', ['-a', '--reflink=auto', directory, copy])
  return copy
}

/** Signs in over the app; the answer is the session's cookie. */
export async function signIn(url: string, email: string): Promise<string> {
  const response = await fetch(new URL('/api/auth/sign-in', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`${email} cannot sign in: ${response.status}`)
  const lines = response.headers.getSetCookie().map((line) => line.split(';')[0])
  return lines.join('; ')
}
