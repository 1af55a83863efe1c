import { afterAll, beforeAll } from 'vitest'
import { pushFunctions, pushTables } from './cases/push'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(pushTables, () => cast)
describeFunctions(pushFunctions, () => cast)
