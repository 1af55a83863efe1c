import { afterAll, beforeAll, expect, it } from 'vitest'
import { segmentFunctions, segmentTables } from './cases/segments'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
  const { stack, ids } = cast
  await stack.sql(
    `update public.automations set criteria = criteria || jsonb_build_object('segment_id', $1::text)
     where organization_id = $2 and deleted_at is null`,
    [ids['Norte segment'], ids.Norte],
  )
})
afterAll(() => cast?.stack.close())

describeTables(segmentTables, () => cast)
describeFunctions(segmentFunctions, () => cast)

it('what a person did not share goes with them, what they shared stays', async () => {
  const { stack, ids } = cast
  await stack.sql(`update public.segments set owner_id = $1 where name in ('De Norte', 'De marketing')`, [
    ids.pr_comunicacion,
  ])
  await stack.sql('delete from public.profiles where id = $1', [ids.pr_comunicacion])
  const left = await stack.sql('select name, owner_id from public.segments where organization_id = $1', [
    ids.Norte,
  ])
  expect(left).toEqual([{ name: 'De Norte', owner_id: null }])
})
