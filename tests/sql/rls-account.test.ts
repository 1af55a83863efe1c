import { afterAll, beforeAll } from 'vitest'
import { accountFunctions } from './cases/account'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeFunctions(accountFunctions, () => cast)
