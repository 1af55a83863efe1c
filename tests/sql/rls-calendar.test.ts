import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, REFUSED } from './ask'
import { calendarFunctions, calendarTables } from './cases/calendar'
import { arrangeCast, type Cast, EVERYONE, NORTE, UNBOUND, type Who } from './cast'
import { describeFunctions, describeTables, snapshot } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(calendarTables, () => cast)
describeFunctions(calendarFunctions, () => cast)

const SETTINGS: readonly Who[] = ['super_admin', 'admin']

describe.each<[name: string, table: string, row: string, allowed: readonly Who[]]>([
  ['delete_calendar_event', 'calendar_events', 'event Sol', UNBOUND],
  ['delete_calendar_event', 'calendar_events', 'event Norte', NORTE],
  ['delete_ticket', 'tickets', 'ticket Sol', SETTINGS],
  ['delete_ticket', 'tickets', 'ticket Norte', [...SETTINGS, 'boundAdmin']],
])('%s', (name, table, row, allowed) => {
  it(`leaves the ${row} to everyone who may not`, async () => {
    const before = await snapshot(cast, table)
    for (const who of EVERYONE.filter((each) => !allowed.includes(each))) {
      const body = { p_id: cast.ids[row] }
      const deleted = await ask(cast, who, `rpc/${name}`, { method: 'POST', body })
      expect(deleted, who).toBe(who === 'anon' ? REFUSED : false)
    }
    expect(await snapshot(cast, table)).toEqual(before)
  })
})

it('a person writes nothing but what is for people to write', async () => {
  const body = {
    p_id: cast.ids['event Norte'],
    p_fields: {
      id: cast.ids['event Sol'],
      organization_id: cast.ids.Sur,
      notification_sent: true,
      reminder_sent: true,
      created_by: cast.ids.stranger,
    },
  }
  const before = await snapshot(cast, 'calendar_events')
  await ask(cast, 'rrhh', 'rpc/save_calendar_event', { method: 'POST', body })
  expect(await snapshot(cast, 'calendar_events')).toEqual(before)
})

describe('a series over two locations', () => {
  /** The titles of a series with a date in Retiro and one in Sol. */
  const titles = async () => {
    const rows = await cast.stack.sql<{ title: string }>(
      'select title from public.calendar_events where occurs_on is not null order by occurs_on',
    )
    return rows.map(({ title }) => title)
  }
  const arrange = async () => {
    await cast.stack.sql('delete from public.calendar_events where occurs_on is not null')
    const [series] = await cast.stack.sql<{ id: string }>(
      `insert into private.calendar_series (organization_id, frequency, every, starts_on, month_day, begins, made_until)
       values ($1, 'daily', 1, '2026-12-01', 1, '13:00', '2027-12-01') returning id::text`,
      [cast.ids.Norte],
    )
    const rows = await cast.stack.sql<{ id: string }>(
      `insert into public.calendar_events (organization_id, series_id, occurs_on, title, event_datetime, location_id)
       select $1, $2, day, title, day + time '12:00Z', location
       from unnest('{2026-12-01,2026-12-02}'::date[], '{aquí,allí}'::text[], $3::uuid[]) as e (day, title, location)
       returning id::text`,
      [cast.ids.Norte, series?.id, `{${cast.ids.Retiro},${cast.ids.Sol}}`],
    )
    return String(rows[0]?.id)
  }
  afterAll(() => cast?.stack.sql('delete from public.calendar_events where occurs_on is not null'))

  it.each<[scope: string, who: Who, left: string[]]>([
    ['all', 'boundAdmin', ['cambiado', 'allí']],
    ['all', 'super_admin', ['cambiado', 'cambiado']],
    ['all', 'stranger', ['aquí', 'allí']],
    ['following', 'boundAdmin', ['cambiado', 'allí']],
  ])('is changed (%s) by %s where they work', async (scope, who, left) => {
    const p_id = await arrange()
    const body = { p_id, p_fields: { title: 'cambiado' }, p_scope: scope }
    await ask(cast, who, 'rpc/save_calendar_event', { method: 'POST', body })
    expect(await titles()).toEqual(left)
  })

  it.each<[what: string, who: Who, left: string[]]>([
    ['all', 'boundAdmin', ['allí']],
    ['following', 'boundAdmin', ['allí']],
    ['all', 'super_admin', []],
    ['all', 'stranger', ['aquí', 'allí']],
  ])('is deleted (%s) by %s where they work', async (scope, who, left) => {
    const p_id = await arrange()
    await ask(cast, who, 'rpc/delete_calendar_event', { method: 'POST', body: { p_id, p_scope: scope } })
    expect(await titles()).toEqual(left)
  })
})
