import type { Role } from '@/lib/permissions'
import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group, type NewLocation, setRules, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from './app'
import { answer, signedIn } from './sign-in'

/** A location with its rules by tier: from which spend and number of visits a guest has it. */
interface GuestLocation extends NewLocation {
  rules?: Parameters<typeof setRules>[2]
}

/** The app with a group that has guests, and another group with the location `Este`. */
export interface Guests {
  app: TestApp
  group: Group
  other: Group
  /** Ids of the locations of both groups by name. */
  places: Record<string, string>
  /** A new person of the group, signed in; bound to the location when there is one. */
  hire: (role: Role, place?: string) => Promise<Client>
  /** Saves PMS rows as the sync does, in Norte by default. */
  sync: (rows: Record<string, unknown>[], place?: string) => Promise<unknown>
  /** Status and body of a request. */
  ask: (client: Client, method: string, path: string, body?: unknown) => ReturnType<typeof answer>
  sql: TestApp['stack']['sql']
}

const VISIT = { date: '2026-05-01', time: '21:00', pax: 2, status: 'finished' }

/** Starts the app with a group of these locations, and with further settings. */
export async function startGuests(
  locations: GuestLocation[],
  settings: Record<string, string> = {},
): Promise<Guests> {
  const app = await startApp(settings)
  const group = await createGroup(app.stack, 'Grupo Huéspedes', locations)
  for (const { name, rules } of locations) {
    const place = group.locations.find((location) => location.name === name)
    if (rules) await setRules(app.stack, place?.id ?? '', rules)
  }
  return guestsOf(app, group)
}

/** The guests of a group that is there, and another group beside it. */
export async function guestsOf(app: TestApp, group: Group): Promise<Guests> {
  const other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  const places = Object.fromEntries(
    [...group.locations, ...other.locations].map(({ id, name }) => [name, id]),
  )
  const sync = async (rows: Record<string, unknown>[], place = 'Norte') => {
    const p_rows = rows.map((row) => {
      const parsed = parseRow({ ...VISIT, ...row })
      if (!parsed.ok) throw new Error(`malformed row in a test: ${parsed.problem}`)
      return { ...parsed.row }
    })
    const parameters = { p_location: places[place] ?? '', p_rows }
    return (await stackClient(app.stack, 'service').rpc('sync_reservations', parameters).throwOnError()).data
  }
  return {
    app,
    group,
    other,
    places,
    hire: async (role, place) =>
      signedIn(await group.person(role, place === undefined ? undefined : [places[place] ?? ''])),
    sync,
    ask: async (client, method, path, body) => {
      const response = await client.request(method, path, { body })
      return response.status === 204 ? { status: 204, body: null } : answer(response)
    },
    sql: app.stack.sql,
  }
}

/** Every row of a list, page by page. */
export async function everyPage(ask: Guests['ask'], client: Client, path: string, limit: number) {
  const all: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const query: string = `limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const { status, body } = await ask(client, 'GET', `${path}${path.includes('?') ? '&' : '?'}${query}`)
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
    if (body.data.length > limit) throw new Error('a page longer than asked for')
    all.push(...body.data)
    cursor = body.next_cursor
    if (all.length > 2000) throw new Error('the pages never end')
  } while (cursor)
  return all
}
