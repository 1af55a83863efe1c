import { afterAll, beforeAll } from 'vitest'
import { feedbackFunctions, feedbackTables } from './cases/feedback'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(feedbackTables, () => cast)
describeFunctions(feedbackFunctions, () => cast)
