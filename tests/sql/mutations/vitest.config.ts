import { defineConfig } from 'vitest/config'

// For tests/support/rls-mutations.ts, which provides the cluster: what it generates, and the test files by themselves.
export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': new URL('../../support/server-only.ts', import.meta.url).pathname },
  },
  test: {
    include: ['.tmp/mutations/*/*.test.ts', 'tests/{sql,api,security}/**/*.test.ts'],
    setupFiles: ['./tests/support/network.ts', './tests/support/fresh-state.ts'],
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
