import { Client } from 'pg'
import { LAB_DATABASE } from '../../lab/cluster'
import { clientConfig } from '../../support/postgres/server'
import type { Figure } from '../support/figures'
import type { Place } from './place'
import { figureOf } from './row'

/** The file of all guests: its time, the app's memory meanwhile, and whether a file that is cut short is noticed. */
export async function exports(place: Place): Promise<Figure[]> {
  const before = place.app.residentMb()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, place.app.residentMb())
  }, 500)
  try {
    const { milliseconds, bytes, problem } = await download(place)
    const floor = await bareCopy(place)
    return [
      figureOf({
        name: 'export of all guests',
        times: problem ? [] : [milliseconds],
        floor: { times: [floor], what: 'select to text by the superuser, over one connection' },
        goal: { most: 25, unit: 's', of: 'median' },
        note: problem ?? `${(bytes / 1e6).toFixed(0)} MB`,
      }),
      {
        name: 'the app’s memory during the export, above what it had',
        measured: peak - before,
        unit: 'MB',
        bound: 150,
        detail: `${before} MB before, ${peak} MB at most`,
      },
      await cutShort(place),
    ]
  } finally {
    clearInterval(watch)
  }
}

async function download({ app, cookie }: Place) {
  const begin = performance.now()
  let bytes = 0
  try {
    const response = await fetch(new URL('/api/customers/export', app.url), { headers: { cookie } })
    if (!response.ok || !response.body) return { milliseconds: 0, bytes, problem: `${response.status}` }
    for await (const chunk of response.body) bytes += chunk.length
    return { milliseconds: performance.now() - begin, bytes }
  } catch (error) {
    return { milliseconds: 0, bytes, problem: `after ${bytes} bytes: ${error}` }
  }
}

async function bareCopy({ bare, lab }: Place): Promise<number> {
  const begin = performance.now()
  await bare.query('begin')
  await bare.query(
    `declare guests no scroll cursor for select concat_ws(';', first_name, last_name, email, phone, birth_date, company,
       address, array_to_string(tags, ','), total_visits, total_spend, last_visit_at, points, notes)
     from public.customers where organization_id = $1`,
    [lab.organization],
  )
  for (;;) {
    const { rowCount } = await bare.query('fetch 20000 from guests')
    if (!rowCount) break
  }
  await bare.query('rollback')
  return performance.now() - begin
}

/** Ends the database's connections in the middle of the file: the client must not take the rest for the whole. */
async function cutShort({ app, cookie, connection }: Place): Promise<Figure> {
  const killer = new Client(clientConfig(connection, LAB_DATABASE))
  await killer.connect()
  let noticed = 0
  try {
    const response = await fetch(new URL('/api/customers/export', app.url), { headers: { cookie } })
    let chunks = 0
    for await (const _ of response.body ?? []) {
      // Again and again: a pool may connect anew.
      if (chunks++ % 20 === 5)
        await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator' and pid <> pg_backend_pid()`,
        )
    }
  } catch {
    noticed = 1
  } finally {
    await killer.end()
  }
  return { name: 'an export that is cut short is noticed', measured: noticed, unit: 'share', least: 1 }
}
