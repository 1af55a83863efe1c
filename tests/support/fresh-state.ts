import { vi } from 'vitest'

// A worker goes from file to file: what it has compiled stays (the database engine above all), what a file set does not.
const worker = globalThis as { atStart?: { env: NodeJS.ProcessEnv; consoleError: typeof console.error } }
worker.atStart ??= { env: { ...process.env }, consoleError: console.error }
const { env, consoleError } = worker.atStart
for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
Object.assign(process.env, env)
console.error = consoleError
// The app's modules keep its settings and clients; each file gets its own.
vi.resetModules()
