import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CORE } from './tests/core'

// Small files that take long: Vitest goes by size, and would end with one of them beside an idle worker.
const SLOW = [
  'security/(deploy-pages|roles|hostile-values|bad-rows|approval|invitations|second-factor)',
  'sql/(visit-histories|merge-histories|rls-(organization|messaging|calendar|loyalty|delivery|integrations|imports|changes))',
  'api/(sync-horizon|sync-faults|sync-ledger|audience|health|inbound|delivery-channels|ai-chat-faults|nobody-who-said-no)',
  'unit/texts',
]
const isSlow = new RegExp(SLOW.join('|'))

/** Starts what takes longest first; what shares workers stays together. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      (project.config.isolate ? 0 : 2) + (isSlow.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': new URL('./tests/support/server-only.ts', import.meta.url).pathname },
  },
  test: {
    // CI prints only the message of a failure: it has to hold what was found.
    chaiConfig: { truncateThreshold: 400 },
    sequence: { sequencer: SlowFirst },
    // Passwords of tests need no protection.
    env: { LITE_AUTH_BCRYPT_COST: '4' },
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // What a test makes is gone soon: with more room for it, less time goes into collecting it.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['./tests/support/network.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: ['./tests/support/fresh-state.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'stack',
          // `npm test` needs npm only, so it tries a core on the embedded stack; Postgres has all.
          include: process.env.TEST_CORE ? CORE : ['tests/{sql,api,security,upgrade}/**/*.test.ts'],
          globalSetup: './tests/support/global-setup.ts',
          setupFiles: ['./tests/support/fresh-state.ts'],
          // A worker goes from file to file, with the database engine compiled once.
          isolate: false,
        },
      },
    ],
  },
})
