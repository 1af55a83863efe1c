import { defineConfig } from 'vitest/config'

// The contract is that of Postgres, PostgREST and Supabase Auth: what a deployment runs on.
process.env.STACK ??= 'postgres'

// One file at a time: each brings a database and one or two processes of the built app.
export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': new URL('../support/server-only.ts', import.meta.url).pathname },
  },
  test: {
    include: ['tests/contract/**/*.test.ts'],
    setupFiles: ['./tests/support/network.ts'],
    globalSetup: ['./tests/support/global-setup.ts', './tests/contract/build.ts'],
    fileParallelism: false,
    // CI prints only the message of a failure: it has to hold what was found.
    chaiConfig: { truncateThreshold: 400 },
    // Passwords of tests need no protection.
    env: { LITE_AUTH_BCRYPT_COST: '4' },
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
