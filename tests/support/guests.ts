import { parseRow } from '@/lib/pms/parse-row'
import { createGroup, type Group, setRules, stackClient } from '../factories/group'
import { type Client, startApp, type TestApp } from './app'
import { answer, signedIn } from './sign-in'

/** A group with two restaurants and people of several kinds, and a stranger of another group. */
export interface Guests {
  app: TestApp
  group: Group
  other: Group
  /** Ids of the group's locations by name; `Este` is the other group's. */
  places: Record<string, string>
  /** An admin of every location; `host` works in Sur only; `cook` may see no guests; `stranger` is elsewhere. */
  boss: Client
  host: Client
  cook: Client
  stranger: Client
  /** Saves PMS rows as the sync does, in Norte unless told. */
  sync: (rows: Record<string, unknown>[], place?: string) => Promise<unknown>
  /** Status and body of a request. */
  ask: (client: Client, method: string, path: string, body?: unknown) => ReturnType<typeof answer>
  sql: TestApp['stack']['sql']
}

const VISIT = { date: '2026-05-01', time: '21:00', pax: 2, status: 'finished' }

/** Starts the app with them: Norte spends 20 a head and has rules for Bronce (1 visit) and Plata (50 €). */
export async function startGuests(): Promise<Guests> {
  const app = await startApp()
  const group = await createGroup(app.stack, 'Grupo Huéspedes', [
    { name: 'Norte', slug: 'norte', averageSpend: 20 },
    { name: 'Sur', slug: 'sur', averageSpend: null, timezone: 'Atlantic/Canary' },
  ])
  const other = await createGroup(app.stack, 'Otro Grupo', [{ name: 'Este', slug: 'este' }])
  const places = Object.fromEntries(
    [...group.locations, ...other.locations].map(({ id, name }) => [name, id]),
  )
  await setRules(app.stack, places.Norte ?? '', {
    Bronce: { min_spend: 0, min_visits: 1 },
    Plata: { min_spend: 50, min_visits: 1 },
  })
  const boss = await signedIn(await group.person('admin'))
  const host = await signedIn(await group.person('operaciones', [places.Sur ?? '']))
  const cook = await signedIn(await group.person('rrhh'))
  const stranger = await signedIn(await other.person('super_admin'))
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
    boss,
    host,
    cook,
    stranger,
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
