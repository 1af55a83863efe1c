import { afterAll, beforeAll, expect, it } from 'vitest'
import { stackClient } from '../factories/group'
import { importFunctions, importTables } from './cases/imports'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(importTables, () => cast)
describeFunctions(importFunctions, () => cast)

it('import_customers lets the service save nothing for an import that is over', async () => {
  const parameters = {
    p_import: String(cast.ids['Norte import']),
    p_rows: [{ line: 1, email: 'eva@norte.example' }],
  }
  const { data } = await stackClient(cast.stack, 'service').rpc('import_customers', parameters).throwOnError()
  expect(data).toEqual({ running: false })
  expect(await cast.stack.sql(`select 1 from public.customers where email = 'eva@norte.example'`)).toEqual([])
})
