import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    tsconfigPaths: true,
    alias: { 'server-only': new URL('./tests/support/server-only.ts', import.meta.url).pathname },
  },
  test: {
    include: ['tests/{unit,sql,api}/**/*.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 90_000,
    maxWorkers: 2,
  },
})
