import { afterAll, beforeAll } from 'vitest'
import { emailDesignFunctions, emailDesignTables } from './cases/email-designs'
import { arrangeCast, type Cast } from './cast'
import { describeFunctions, describeTables } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(emailDesignTables, () => cast)
describeFunctions(emailDesignFunctions, () => cast)
