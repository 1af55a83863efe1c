import { vi } from 'vitest'

// A worker goes from file to file: what it has compiled stays (the database engine above all), what a file set does not.
const worker = globalThis as { atStart?: { env: NodeJS.ProcessEnv; consoleError: typeof console.error } }
worker.atStart ??= { env: { ...process.env }, consoleError: console.error }
const { env, consoleError } = worker.atStart
for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
Object.assign(process.env, env)
console.error = consoleError
// The embedded database takes the process's clock, too.
vi.useRealTimers()
// The app's modules keep its settings and clients; each file gets its own.
vi.resetModules()
// Comparing guests after an answer goes on beside the next test, which may empty the tables. tests/api/compare-soon.test.ts
// tries it; elsewhere guests wait for the page of duplicates or the job.
vi.doMock('@/lib/identity/score', async (original) => ({
  ...(await original<typeof import('@/lib/identity/score')>()),
  compareSoon: () => undefined,
}))
