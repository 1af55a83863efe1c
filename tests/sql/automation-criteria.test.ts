import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeCriteria } from '@/lib/automations/check'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { createGroup, type Group } from '../factories/group'
import { type Stack, startStack } from '../support/stack'

let stack: Stack
let group: Group
beforeAll(async () => {
  stack = await startStack()
  group = await createGroup(stack, 'Criterios')
})
afterAll(() => stack?.close())

const store = (type: string, criteria: object) =>
  stack.sql(
    `insert into public.automations (organization_id, name, type, channel, criteria) values ($1, gen_random_uuid()::text, $2, 'sms', $3)`,
    [group.id, type, JSON.stringify(criteria)],
  )
const CASES = [
  ...AUTOMATION_TYPES.map((type) => ({ type, given: {} })),
  { type: 'vip_reward', given: { min_spend: 100 } },
  { type: 'reservation_confirmation', given: { answers: true } },
] as const

describe('the database takes criteria that are complete, and none without what has a default', () => {
  it.each(CASES)('$type $given', async ({ type, given }) => {
    const complete = completeCriteria(type, given).data ?? {}
    await store(type, complete)
    const names = Object.keys(complete).filter((name) => !(name in given))
    // A confirmation that does not ask has nothing to complete; a reward by spend has no tier.
    if (Object.keys(given).length === 0 && type !== 'reservation_confirmation') expect(names).not.toEqual([])
    for (const name of names)
      for (const missing of [undefined, null])
        await expect(store(type, { ...complete, [name]: missing }), name).rejects.toThrow(
          'automations_criteria_complete',
        )
  })
})
