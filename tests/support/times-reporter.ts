import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** How long a file took, in milliseconds: its modules and Vitest's own start, hooks, tests. */
interface FileTimes {
  file: string
  tests: number
  loadMs: number
  hooksMs: number
  testsMs: number
}

/**
 * Writes the times of each file beside the run's JSON report, which has only those of tests: `x.times` for
 * `--outputFile.json=x.json`. `npm run test:times` prints them.
 */
export default class TimesReporter implements Reporter {
  private readonly files: FileTimes[] = []
  private readonly began = Date.now()
  private output: string | undefined

  onInit({ config: { outputFile } }: Vitest): void {
    const json = typeof outputFile === 'string' ? outputFile : outputFile?.json
    this.output = json?.replace(/\.json$/, '.times')
  }

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, setupDuration, environmentSetupDuration, prepareDuration, duration } =
      module.diagnostic()
    const tests = [...module.children.allTests()]
    const testsMs = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
    this.files.push({
      file: module.moduleId,
      tests: tests.length,
      loadMs: collectDuration + setupDuration + environmentSetupDuration + prepareDuration,
      // Tests that run beside each other add up to more than their file.
      hooksMs: Math.max(0, duration - testsMs),
      testsMs,
    })
  }

  onTestRunEnd(): void {
    if (!this.output) return
    writeFileSync(this.output, JSON.stringify({ wallMs: Date.now() - this.began, files: this.files }))
  }
}
