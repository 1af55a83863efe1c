import { afterAll, beforeAll } from 'vitest'
import { campaignFunctions, campaignTables } from './cases/campaigns'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(campaignTables, () => cast)
describeFunctions(campaignFunctions, () => cast)
