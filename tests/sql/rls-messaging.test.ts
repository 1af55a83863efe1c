import { afterAll, beforeAll } from 'vitest'
import { messagingFunctions, messagingTables } from './cases/messaging'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(messagingTables, () => cast)
describeFunctions(messagingFunctions, () => cast)
