// `npm run test:breaks -- [parts of names or kinds] [--tree <commit>] [--check]`: sixty slips, each of which the tests
// must find. Works in copies of HEAD, or of another commit with what found them there. `--check` only looks whether each
// still fits the sources. Exits 1 when one is not found.
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Break, Finders } from './break'
import { codeBreaks } from './list-code'
import { pageBreaks } from './list-pages'
import { policyBreaks } from './list-policies'
import { type Outcome, ofBrowser, ofContract, type Ran, runBrowser, runVitest, stopAll } from './tests'
import { copyTree, type Tree } from './tree'

interface Verdict {
  slip: Break
  found: boolean
  text: string
}

const { values, positionals } = parseArgs({
  options: { tree: { type: 'string' }, check: { type: 'boolean' } },
  allowPositionals: true,
})
const commit = execFileSync('git', ['rev-parse', values.tree ?? 'HEAD'], { encoding: 'utf8' }).trim()
const wanted = [...policyBreaks, ...codeBreaks, ...pageBreaks].filter(
  ({ kind, name }) =>
    positionals.length === 0 || positionals.some((part) => `${kind}: ${name}`.includes(part)),
)
const findersOf = ({ noticedBy, noticedByBefore }: Break): Finders =>
  values.tree === undefined ? noticedBy : (noticedByBefore ?? noticedBy)
const isFoundBy = (kind: (file: string) => boolean) => (slip: Break) => findersOf(slip).files.some(kind)

const trees: Tree[] = []
const seconds = new Map<string, number>()
process.once('exit', () => {
  stopAll()
  for (const { remove } of trees) remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = values.check ? check() : await judgeAll()

function newTree(): Tree {
  const tree = copyTree(commit)
  trees.push(tree)
  return tree
}

/** Whether each break still fits the sources. */
function check(): number {
  const tree = newTree()
  let unfit = 0
  for (const slip of wanted)
    try {
      tree.apply([slip])()
    } catch (error) {
      unfit++
      console.error((error as Error).message)
    }
  console.log(`${wanted.length} breaks, ${unfit} do not fit ${commit.slice(0, 8)}`)
  return unfit > 0 ? 1 : 0
}

async function judgeAll(): Promise<number> {
  console.log(`${wanted.length} breaks of ${commit.slice(0, 8)}`)
  const [contract, browser] = [wanted.filter(isFoundBy(ofContract)), wanted.filter(isFoundBy(ofBrowser))]
  const quick = wanted.filter((slip) => !contract.includes(slip) && !browser.includes(slip))
  const verdicts = [
    ...(await judgeQuick(quick)),
    ...(await judgeBuilt('built app', contract, runVitest)),
    ...(await judgeBuilt('browser', browser, runBrowser)),
  ]
  console.log('\n| break | kind | found |\n|---|---|---|')
  for (const { slip, text } of verdicts) console.log(`| ${slip.name} | ${slip.kind} | ${text} |`)
  const missing = verdicts.filter(({ found }) => !found).length
  const times = [...seconds].map(([part, spent]) => `${part} ${Math.round(spent)} s`).join(', ')
  console.log(`\n${verdicts.length} breaks, ${missing} not found (${times})`)
  return missing > 0 ? 1 : 0
}

/** One break after another in each of two copies, with Vitest. */
async function judgeQuick(slips: readonly Break[]): Promise<Verdict[]> {
  if (slips.length === 0) return []
  const lanes = [newTree(), newTree()]
  const files = [...new Set(slips.flatMap((slip) => findersOf(slip).files))]
  const clean = await timed('without a break', () => runVitest(lanes[0]?.directory ?? '', files))
  requireClean(slips, clean)
  const left = [...slips]
  const verdicts: Verdict[] = []
  await Promise.all(
    lanes.map(async ({ directory, apply }) => {
      for (let slip = left.shift(); slip; slip = left.shift()) {
        const current = slip
        const { files: own, tests } = findersOf(current)
        const undo = apply([current])
        const outcome = await timed(current.kind, () => runVitest(directory, own, tests)).finally(undo)
        verdicts.push(report(judge(current, outcome)))
      }
    }),
  )
  return slips.flatMap((slip) => verdicts.filter((verdict) => verdict.slip === slip))
}

/** All of them in one build. */
async function judgeBuilt(
  part: string,
  slips: readonly Break[],
  runTests: (directory: string, files: readonly string[], tests: string) => Promise<Outcome>,
): Promise<Verdict[]> {
  if (slips.length === 0) return []
  const { directory, apply } = newTree()
  const finders = slips.map(findersOf)
  const files = [...new Set(finders.flatMap((each) => each.files))]
  const run = () => runTests(directory, files, finders.map(({ tests = '' }) => `(?:${tests})`).join('|'))
  requireClean(slips, await timed(`${part} without a break`, run))
  const undo = apply(slips)
  const outcome = await timed(part, run).finally(undo)
  return slips.map((slip) => report(judge(slip, outcome)))
}

function testsOf(slip: Break, { ran }: Outcome): Ran[] {
  const { files, tests = '' } = findersOf(slip)
  return ran.filter(({ file, name }) => files.includes(file) && new RegExp(tests).test(name))
}

/** A test that fails, or does not run, without the break proves nothing. */
function requireClean(slips: readonly Break[], outcome: Outcome): void {
  if (outcome.trouble) throw new Error(`Without a break: ${outcome.trouble}`)
  for (const slip of slips) {
    const tests = testsOf(slip, outcome)
    if (tests.length === 0) throw new Error(`${slip.name}: no test of ${findersOf(slip).files} ran`)
    for (const { file, name, complaint } of tests)
      if (complaint !== null) throw new Error(`Without a break, ${file} fails: ${name}\n${complaint}`)
  }
}

function judge(slip: Break, outcome: Outcome): Verdict {
  const says = new RegExp(findersOf(slip).says ?? '')
  const tests = testsOf(slip, outcome)
  const red = tests.filter(({ complaint }) => complaint !== null && says.test(complaint))
  if (red.length > 0) return { slip, found: true, text: `${red.length} of ${tests.length} tests` }
  if (outcome.trouble) return { slip, found: false, text: `BROKEN: ${endOf(outcome.trouble)}` }
  if (tests.length === 0) return { slip, found: false, text: 'BROKEN: no test ran' }
  return { slip, found: false, text: `NOT FOUND by ${tests.length} tests` }
}

function report(verdict: Verdict): Verdict {
  console.log(`${verdict.found ? 'found' : '!!'} ${verdict.slip.kind}: ${verdict.slip.name}: ${verdict.text}`)
  return verdict
}

// No constant: what runs above comes first.
function endOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(-400)
}

async function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work()
  } finally {
    seconds.set(part, (seconds.get(part) ?? 0) + (performance.now() - began) / 1000)
  }
}
