import { afterAll, beforeAll } from 'vitest'
import { setupFunctions, setupTables } from './cases/setup'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(setupTables, () => cast)
describeFunctions(setupFunctions, () => cast)
