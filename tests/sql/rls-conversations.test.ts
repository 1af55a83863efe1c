import { afterAll, beforeAll } from 'vitest'
import { conversationFunctions, conversationTables } from './cases/conversations'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(conversationTables, () => cast)
describeFunctions(conversationFunctions, () => cast)
