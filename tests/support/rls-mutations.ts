// Proof that every policy and grant is watched: `tsx tests/support/rls-mutations.ts [parts of names, with |]`,
// the names of a test file or a mutation. Breaks the schema of a Postgres in one way at a time and runs the test file
// that must notice; exits with 1 when one does not.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node'
import { generateKeys } from '../../supabase/local/keys'
import type { Arranged } from '../sql/cast'
import { derivedMutations } from '../sql/mutations/derived'
import { handmadeMutations } from '../sql/mutations/handmade'
import { type Mutation, UNBROKEN } from '../sql/mutations/mutation'
import './outside-next'
import { type ClusterConnection, startCluster } from './postgres/cluster'
import { copyTemplate, serveDatabase } from './postgres/stack'
import { changeTemplate } from './postgres/template'
import { OF_TESTS } from './server-clock'

// Two runs beside each other stay out of each other's way.
const GENERATED = `.tmp/mutations/${process.pid}`
// A few generated files for each of the larger test files: two workers share them.
const MOST_AT_ONCE = 20
// Tokens that live as long as the slowest machine needs.
const AUTH = { settings: { GOTRUE_JWT_EXP: '86400' } }

interface Outcome {
  red: string[]
  /** What went wrong outside of tests. */
  errors: string[]
}

process.env.STACK = 'postgres'
const wanted = (process.argv[2] ?? '').split('|')
const keys = await generateKeys()
const { connection, stop } = await startCluster()
await changeTemplate(connection, [OF_TESTS])
// What a run returns is everything this Vitest has ever run; the reporter hears only what just ended.
const ended: TestModule[] = []
const vitest = await createVitest({
  config: 'tests/sql/mutations/vitest.config.ts',
  watch: false,
  reporters: [
    {
      onTestModuleEnd: (module) => {
        ended.push(module)
        console.log(`${Math.round(process.uptime())} s: ${module.relativeModuleId}`)
      },
    },
  ],
})
let unnoticed = 0
process.exitCode = 1
try {
  const { mutations, arranged } = await arrange(connection)
  const chosen = mutations.filter(({ file, name }) =>
    wanted.some((part) => `${file}: ${name}`.includes(part)),
  )
  vitest.provide('keys', keys)
  vitest.provide('postgres', connection)
  vitest.provide('arranged', arranged)
  vitest.provide('mutations', chosen)
  const { outcomes, proveNothing } = await tryAll(vitest, chosen)
  console.log('| mutation | red tests | noticed |\n|---|---:|---|')
  for (const [number, mutation] of chosen.entries()) {
    let outcome = outcomes[number] ?? { red: [], errors: [] }
    // What is noticed only while the tests' data are made needs the mutation before them.
    if (judge(mutation, outcome)) outcome = await tryFromTheStart(vitest, mutation)
    const complaint = judge(mutation, outcome)
    if (complaint) unnoticed++
    console.log(`| ${mutation.name} | ${outcome.red.length} | ${complaint ?? 'yes'} |`)
  }
  for (const test of proveNothing) console.log(`Red without a mutation: ${test}`)
  console.log(`\n${chosen.length} mutations, ${unnoticed} not noticed`)
  if (unnoticed === 0 && proveNothing.length === 0) process.exitCode = 0
} finally {
  await vitest.close()
  await stop()
  rmSync(GENERATED, { recursive: true, force: true })
}
/** The mutations, and a database with the cast of the rls files in it. */
async function arrange(postgres: ClusterConnection) {
  const { arrangeCast } = await import('../sql/cast')
  const database = 'mutations_cast'
  await copyTemplate(postgres, database)
  const stack = await serveDatabase(postgres, database, keys, AUTH)
  try {
    const mutations = [...(await derivedMutations(stack.sql)), ...handmadeMutations]
    const { ids, tokens, names }: Arranged = await arrangeCast(stack)
    return { mutations, arranged: { database, ids, tokens, names } }
  } finally {
    await stack.close()
  }
}

/** Every mutation's outcome by its number, in one run of generated test files; what is red without any proves nothing. */
async function tryAll(vitest: Vitest, mutations: Mutation[]) {
  const groups = [...groupsOf(mutations)]
  mkdirSync(GENERATED, { recursive: true })
  for (const [place, { file, tried }] of groups.entries())
    writeFileSync(
      `${GENERATED}/${place}-${basename(file)}`,
      `import { tryMutations } from '../../../tests/sql/mutations/trial'\ntryMutations('${file}', ${JSON.stringify(tried)})\n`,
    )
  const patterns = mutations.map(({ noticedBy }, number) => `^${number}( > | ).*(${patternOf(noticedBy)})`)
  vitest.setGlobalTestNamePattern(new RegExp([...patterns, `^${UNBROKEN}( > | )`].join('|')))
  const { red, errors } = await run(vitest, await vitest.globTestSpecifications([`${GENERATED}/`]))
  if (errors[0]) throw new Error(errors[0])
  const namesOf = (tried: number | string) =>
    red.flatMap((name) => new RegExp(`^${tried}(?: > | )(.*)`, 's').exec(name)?.[1] ?? [])
  const proveNothing = namesOf(UNBROKEN)
  const outcomes = mutations.map((_, number): Outcome => {
    return { red: namesOf(number).filter((name) => !proveNothing.includes(name)), errors: [] }
  })
  return { outcomes, proveNothing }
}

/** What is tried in one generated file: of an rls file many, of others one. */
function* groupsOf(mutations: Mutation[]): Generator<{ file: string; tried: (number | string)[] }> {
  for (const file of new Set(mutations.map((mutation) => mutation.file))) {
    const numbers = [...mutations.keys()].filter((number) => mutations[number]?.file === file)
    const most = file.startsWith('rls-') ? MOST_AT_ONCE : 1
    while (numbers.length > 0) yield { file, tried: numbers.splice(0, most) }
    yield { file, tried: [UNBROKEN] }
  }
}

/** Runs the test file itself, whose stack is broken at its start. */
async function tryFromTheStart(vitest: Vitest, { file, sql, noticedBy }: Mutation): Promise<Outcome> {
  process.env.RLS_MUTATION = sql
  vitest.setGlobalTestNamePattern(new RegExp(patternOf(noticedBy)))
  return run(vitest, await vitest.globTestSpecifications([`tests/sql/${file}`]))
}

/** Test names that have one of the parts. */
function patternOf(parts: string[] = []): string {
  const escaped = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return escaped.map((part) => part.replaceAll(' > ', '( > | )')).join('|')
}

async function run(vitest: Vitest, specifications: TestSpecification[]): Promise<Outcome> {
  ended.length = 0
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return {
    red: ended.flatMap((module) => [...module.children.allTests('failed')].map((test) => test.fullName)),
    errors: [
      ...(ended.length === specifications.length
        ? []
        : [`${ended.length} of ${specifications.length} test files ran`]),
      ...unhandledErrors.map(String),
      ...ended.flatMap((module) => module.errors().map((error) => error.message)),
    ],
  }
}

/** Why the mutation does not count as noticed. Errors in hooks may be its effect, so only tests count. */
function judge({ noticedBy = [''] }: Mutation, { red, errors }: Outcome): string | undefined {
  const missing = noticedBy.filter((part) => !red.some((name) => name.includes(part)))
  if (missing.length === 0) return undefined
  if (red.length === 0 && errors[0]) return `NO, it did not run: ${errors[0]}`
  return `NO, still green: ${missing.join('; ') || 'everything'}`
}
