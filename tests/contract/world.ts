import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROLES, type Role } from '@/lib/permissions'
import { createGroup, type Group, type Person } from '../factories/group'
import type { PmsSimulator } from '../fakes/pms/server'
import { startPmsGroup } from '../support/pms-group'
import { type Stack, startStack } from '../support/stack'
import { type BuiltApp, startBuiltApp } from './built-app'
import { type HttpClient, httpClient, signIn } from './http-client'
import type { Asker } from './row'

const PEOPLE: Asker[] = [...ROLES, 'bound', 'stranger']

/** The built app, a group with its PMS and people, and another group. */
export interface World {
  stack: Stack
  app: BuiltApp
  pms: PmsSimulator
  group: Group
  other: Group
  /** Where the five files of the import are looked for. */
  importDir: string
  location: (name: string) => string
  tier: (name: string) => string
  client: (as: Asker, databaseDown?: boolean) => HttpClient
  email: (as: Asker) => string
  /** The person's own id. */
  id: (as: Asker) => string
  /** Gives someone whose profile or session is gone a new one. */
  renew: (as: Asker) => Promise<void>
  close: () => Promise<void>
}

/** Starts everything the rows need. */
export async function startWorld(extra: Record<string, string> = {}): Promise<World> {
  const stack = await startStack()
  const importDir = mkdtempSync(join(tmpdir(), 'sobremesa-imports-'))
  const [app, down] = await Promise.all([
    startBuiltApp(stack, { IMPORT_DIR: importDir, ...extra }),
    // Nothing listens there: the database of this one never answers.
    startBuiltApp({ url: 'http://127.0.0.1:9', keys: stack.keys }, { IMPORT_DIR: importDir }),
  ])
  const { group, pms } = await startPmsGroup({ stack }, ['Alfa', 'Bravo', 'Charlie'])
  const other = await createGroup(stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  const tiers = await stack.sql<{ name: string; id: string }>(
    'select name, id::text from public.loyalty_tiers where organization_id = $1',
    [group.id],
  )
  const location = (name: string) => idOf([...group.locations, ...other.locations], name)

  const hire = (as: Asker) => {
    if (as === 'stranger') return other.person('super_admin')
    if (as === 'bound') return group.person('operaciones', [location('Alfa')])
    return group.person(as as Role)
  }
  const clients: Record<string, HttpClient> = {}
  const people: Partial<Record<Asker, Person>> = {}
  const enrol = async (as: Asker) => {
    const person = await hire(as)
    const cookies = new Map<string, string>()
    people[as] = person
    clients[as] = await signIn(app.url, person.email, cookies)
    clients[`${as}-down`] = httpClient(down.url, new Map(cookies))
  }
  for (const as of PEOPLE) await enrol(as)
  const bearer = { authorization: `Bearer ${stack.keys.cronSecret}` }
  for (const [suffix, { url }] of [
    ['', app],
    ['-down', down],
  ] as const) {
    const plain = httpClient(url)
    clients[`cron${suffix}`] = {
      request: (method, path, init = {}) =>
        plain.request(method, path, { ...init, headers: { ...bearer, ...init.headers } }),
    }
  }
  return {
    stack,
    app,
    pms,
    group,
    other,
    importDir,
    location,
    tier: (name) => idOf(tiers, name),
    client: (as, databaseDown) => {
      // A visitor starts without cookies each time: signing in must not carry over.
      if (as === 'visitor') return httpClient(databaseDown ? down.url : app.url)
      return found(clients[databaseDown ? `${as}-down` : as], as)
    },
    email: (as) => found(people[as]?.email, as),
    id: (as) => found(people[as]?.id, as),
    renew: async (as) => {
      if (PEOPLE.includes(as)) await enrol(as)
    },
    close: async () => {
      await Promise.all([app.stop(), down.stop(), pms.close()])
      await stack.close()
      rmSync(importDir, { recursive: true, force: true })
    },
  }
}

const idOf = (rows: { name: string; id: string }[], name: string): string =>
  found(rows.find((row) => row.name === name)?.id, name)

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`There is no ${name}`)
  return value
}
