import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Stack, startStack } from '../support/stack'
import { derivedMutations } from './mutations/derived'
import { handmadeMutations } from './mutations/handmade'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.close())

// Whether the tests notice each is tests/support/rls-mutations.ts' to say, every night.
it('every mutation of the rights still fits the schema', async () => {
  const mutations = [...(await derivedMutations(stack.sql)), ...handmadeMutations]
  const unfit: string[] = []
  for (const { file, name, sql } of mutations) {
    const tried = `begin ${sql}; raise sqlstate 'ZZ999'; exception when sqlstate 'ZZ999' then null; end`
    await stack.sql(`do $try$ begin ${tried}; end $try$`).catch((error: Error) => {
      unfit.push(`${file}: ${name}: ${error.message}`)
    })
  }
  expect(mutations.length).toBeGreaterThan(300)
  expect(unfit).toEqual([])
})
