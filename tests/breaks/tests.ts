import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A test that ran, with what it said when it failed. */
export interface Ran {
  file: string
  name: string
  complaint: string | null
}

/** What a run of test files did. */
export interface Outcome {
  ran: Ran[]
  /** What went wrong outside of tests: then a test that did not fail proves nothing. */
  trouble: string | null
}

const REPORT = 'breaks-report.json'
const MAX_TAIL = 1500

export const ofContract = (file: string) => file.startsWith('tests/contract/')
export const ofBrowser = (file: string) => file.endsWith('.spec.ts')

interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[]
  }[]
}

/** Runs test files of a copied tree on Postgres; with `tests`, those with such names. Those of the contract build the app. */
export async function runVitest(
  directory: string,
  files: readonly string[],
  tests?: string,
): Promise<Outcome> {
  const report = join(directory, REPORT)
  const config = files.some(ofContract) ? ['--config', 'tests/contract/vitest.config.ts'] : []
  const pattern = tests === undefined ? [] : ['-t', tests]
  const args = ['run', ...files, ...config, ...pattern, '--reporter=json', `--outputFile=${report}`]
  const environment = { STACK: 'postgres', APP_BUILT: '' }
  const { output, read } = await runTool(directory, report, 'vitest', args, environment)
  const found = read<VitestReport>()
  if (!found) return { ran: [], trouble: output }
  const ran = found.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: relative(directory, name),
        name: fullName,
        complaint: status === 'failed' ? (failureMessages ?? []).join('\n') : null,
      })),
  )
  // A file whose own hooks failed has no failed test.
  const stuck = found.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const trouble = stuck.map(({ name, message }) => `${relative(directory, name)}: ${message}`).join('\n')
  return { ran, trouble: trouble || null }
}

interface Suite {
  title: string
  file: string
  suites?: Suite[]
  specs: { title: string; tests: { results: { status: string; errors: { message?: string }[] }[] }[] }[]
}

/** Builds a copied tree, starts its demo, and runs the browser tests with such names. */
export async function runBrowser(
  directory: string,
  files: readonly string[],
  tests: string,
): Promise<Outcome> {
  const report = join(directory, REPORT)
  const args = ['tests/e2e/run.ts', ...files, '-g', tests, '--reporter=json']
  const { output, read } = await runTool(directory, report, 'tsx', args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    E2E_PORT_SHIFT: '7',
    APP_BUILT: '',
    CI: '',
  })
  const found = read<{ suites: Suite[]; errors: { message?: string }[] }>()
  if (!found) return { ran: [], trouble: output }
  const trouble = found.errors.map(({ message }) => message ?? '').join('\n')
  return { ran: found.suites.flatMap((suite) => ranOf(suite, '')), trouble: trouble || null }
}

function ranOf({ title, file, suites = [], specs }: Suite, above: string): Ran[] {
  const prefix = title === file ? '' : `${above}${title} > `
  const own = specs.flatMap((spec) =>
    spec.tests
      .map(({ results }) => results.at(-1))
      .filter((result) => result !== undefined && result.status !== 'skipped')
      .map((result) => ({
        file: `tests/e2e/${file}`,
        name: prefix + spec.title,
        complaint:
          result?.status === 'passed'
            ? null
            : (result?.errors ?? []).map(({ message }) => message ?? '').join('\n'),
      })),
  )
  return [...own, ...suites.flatMap((suite) => ranOf(suite, prefix))]
}

const running = new Set<ChildProcess>()

/** Ends what still runs, with all that it started. */
export function stopAll(): void {
  for (const { pid } of running) if (pid) process.kill(-pid, 'SIGKILL')
}

async function runTool(
  directory: string,
  report: string,
  tool: string,
  args: readonly string[],
  environment: Record<string, string>,
) {
  rmSync(report, { force: true })
  const bin = join(directory, 'node_modules/.bin')
  const child = spawn(join(bin, tool), args, {
    cwd: directory,
    // A group of its own, to end it as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      PATH: `${bin}:${process.env.PATH}`,
      ...environment,
    },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output = (output + chunk).slice(-MAX_TAIL)))
  await once(child, 'exit')
  running.delete(child)
  const read = <T>(): T | null => {
    try {
      return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as T) : null
    } catch {
      return null
    }
  }
  return { output, read }
}
