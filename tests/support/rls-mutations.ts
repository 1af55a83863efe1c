// Proof that every policy and grant is watched: `tsx tests/support/rls-mutations.ts [parts of names, with |]`,
// the names of a test file or a mutation. Breaks the schema in one way at a time and runs the test file that must
// notice; exits with 1 when one does not. Takes about an hour.
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { startEmbedded } from '../../supabase/local/embedded'
import { generateKeys } from '../../supabase/local/keys'
import { derivedMutations } from '../sql/mutations/derived'
import { handmadeMutations } from '../sql/mutations/handmade'
import type { Mutation } from '../sql/mutations/mutation'

interface Outcome {
  red: string[]
  /** What went wrong outside of tests. */
  errors: string[]
}

const wanted = (process.argv[2] ?? '').split('|')
// What a run returns is everything this Vitest has ever run; the reporter hears only what just ended.
const ended: TestModule[] = []
const vitest = await createVitest({
  watch: false,
  reporters: [{ onTestModuleEnd: (module) => void ended.push(module) }],
})
let failures = 0
try {
  const mutations = (await listMutations()).filter(({ file, name }) =>
    wanted.some((part) => `${file}: ${name}`.includes(part)),
  )
  for (const file of new Set(mutations.map((mutation) => mutation.file))) {
    const { red, errors } = await run(vitest, file, '')
    const trouble = [...errors, ...red][0]
    if (trouble) throw new Error(`${file} is red without a mutation: ${trouble}`)
  }
  console.log('| mutation | red tests | noticed |\n|---|---:|---|')
  for (const mutation of mutations) {
    const outcome = await run(vitest, mutation.file, mutation.sql, mutation.noticedBy)
    const complaint = judge(mutation, outcome)
    if (complaint) failures++
    console.log(`| ${mutation.name} | ${outcome.red.length} | ${complaint ?? 'yes'} |`)
  }
  console.log(`\n${mutations.length} mutations, ${failures} not noticed`)
} finally {
  await vitest.close()
}
process.exitCode = failures > 0 ? 1 : 0

async function listMutations(): Promise<Mutation[]> {
  const stack = await startEmbedded({}, await generateKeys())
  try {
    return [...(await derivedMutations(stack.sql)), ...handmadeMutations]
  } finally {
    await stack.close()
  }
}

/** Runs a file's tests on a schema with this change; with parts of names only the tests that have one of them. */
async function run(vitest: Vitest, file: string, sql: string, parts: string[] = []): Promise<Outcome> {
  process.env.RLS_MUTATION = sql
  const names = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(' > ', '( > | )'))
  vitest.setGlobalTestNamePattern(names.length > 0 ? new RegExp(names.join('|')) : '')
  const specifications = await vitest.globTestSpecifications([`tests/sql/${file}`])
  ended.length = 0
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return {
    red: ended.flatMap((module) => [...module.children.allTests('failed')].map((test) => test.fullName)),
    errors: [
      ...(ended.length === 1 ? [] : [`${ended.length} test files ran for ${file}`]),
      ...unhandledErrors.map(String),
      ...ended.flatMap(errorsOf),
    ],
  }
}

/** Errors outside of tests: of the file, and of the hooks. */
function errorsOf(module: TestModule): string[] {
  const suites = [...module.children.allSuites()]
  return [module, ...suites].flatMap((each) => each.errors().map((error) => error.message))
}

/** Why the mutation does not count as noticed. Errors in hooks may be its effect, so only tests count. */
function judge({ noticedBy = [''] }: Mutation, { red, errors }: Outcome): string | undefined {
  const missing = noticedBy.filter((part) => !red.some((name) => name.includes(part)))
  if (missing.length === 0) return undefined
  if (red.length === 0 && errors[0]) return `NO, it did not run: ${errors[0]}`
  return `NO, still green: ${missing.join('; ') || 'everything'}`
}
