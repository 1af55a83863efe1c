import { afterAll, beforeAll, expect, it } from 'vitest'
import { askRows } from './ask'
import { loyaltyFunctions, loyaltyTables } from './cases/loyalty'
import { arrangeCast, BOUND, type Cast, NORTE } from './cast'
import { answers } from './expectations'
import { describeFunctions, describeTables, forEveryone } from './matrix'
import { startRlsStack } from './support'

let cast: Cast
beforeAll(async () => {
  cast = await arrangeCast(await startRlsStack())
})
afterAll(() => cast?.stack.close())

describeTables(loyaltyTables, () => cast)
describeFunctions(loyaltyFunctions, () => cast)

it('embeds in a tier only the rules and locations one may read', async () => {
  const path =
    'loyalty_tiers?select=name,loyalty_rules(min_visits,locations(name))&name=in.(Plata,Oro)&order=rank'
  const tier = (name: string, ...rules: [number, string][]) => ({
    name,
    loyalty_rules: rules.map(([min_visits, location]) => ({
      min_visits,
      locations: { name: location },
    })),
  })
  const norte = [tier('Plata', [2, 'Sol']), tier('Oro')]
  const bound = [tier('Plata'), tier('Oro')]
  expect(await forEveryone((who) => askRows(cast, who, path))).toEqual(
    answers<unknown>(
      [],
      [NORTE, norte],
      [BOUND, bound],
      [['stranger'], [tier('Plata'), tier('Oro', [3, 'Triana'])]],
    ),
  )
})
