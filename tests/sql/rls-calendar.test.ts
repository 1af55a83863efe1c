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
