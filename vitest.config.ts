import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Small files that take long: Vitest goes by size, and would end with one of them beside idle workers.
const SLOW =
  /sql\/rls-(calendar|loyalty|delivery|integrations|imports|messaging|organization)|api\/(audience|health|delivery-channels|sync-faults|ai-chat-faults|sync-ledger)|unit\/texts/

/** Starts what takes longest first. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const slow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    return [...sorted.filter(slow), ...sorted.filter((file) => !slow(file))]
  }
}

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': new URL('./tests/support/server-only.ts', import.meta.url).pathname },
  },
  test: {
    include: ['tests/{unit,sql,api}/**/*.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    setupFiles: ['./tests/support/fresh-state.ts'],
    // A worker goes from file to file, with the database engine compiled once.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // Passwords of tests need no protection.
    env: { LITE_AUTH_BCRYPT_COST: '4' },
    testTimeout: 30_000,
    hookTimeout: 90_000,
    maxWorkers: 3,
  },
})
