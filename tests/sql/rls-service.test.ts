import { afterAll, beforeAll } from 'vitest'
import { serviceFunctions, serviceTables } from './cases/service'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(serviceTables, () => cast)
describeFunctions(serviceFunctions, () => cast)
