import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from './ask'
import { noticeFunctions } from './cases/notices'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
  const { sql } = cast.stack
  await sql(`update public.job_runs set status = 'failed', finished_at = now()`)
  await sql(`update public.automation_runs set status = 'paused', reason = 'no_provider'`)
  await sql(`update public.messages set status = 'unknown'`)
  await sql(
    `update public.tickets t set assignee_id = $1, sla_due_at = now() - interval '1 minute'
     where t.organization_id = $2`,
    [cast.ids.boundOperaciones, cast.ids.Norte],
  )
  await sql(
    `update public.reservations set status = 'cancelled', pms_status = 'missing' where source <> 'import'`,
  )
  await sql(
    `insert into private.missing_bookings (reservation_id, organization_id, location_id, missing_since, cancelled_at)
     select id, organization_id, location_id, now(), now() from public.reservations where source <> 'import'`,
  )
})
afterAll(() => cast?.stack.close())

describeFunctions(noticeFunctions, () => cast)

describe('what is over', () => {
  const notices = (who: 'admin' | 'boundOperaciones', p_now?: string) =>
    ask(cast, who, 'rpc/my_notices', { method: 'POST', body: { p_now } })

  it('is no notice: a later sync that worked, solved tickets, messages of last week', async () => {
    const { sql } = cast.stack
    await sql(`insert into public.job_runs (organization_id, job, status, started_at)
      select id, 'sync', status, now() + ahead from public.organizations
      cross join (values ('succeeded', interval '1 s'), ('running', interval '2 s')) as r (status, ahead)`)
    expect(await notices('admin')).toMatchObject({ sync: null })
    const nextWeek = new Date(Date.now() + 8 * 86_400_000).toISOString()
    expect(await notices('admin', nextWeek)).toMatchObject({ unknown_messages: 0 })
    await sql(`update public.tickets set status = 'resolved'`)
    expect(await notices('boundOperaciones')).toMatchObject({ tickets: { near: 0, late: 0 } })
  })
})
