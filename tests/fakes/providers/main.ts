import type { FakeServer } from './server'

/** Reads the port of a fake in a process of its own from that variable. @throws when it is none. */
export function portOf(variable: string, fallback: number): number {
  const port = Number(process.env[variable] || fallback)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error(`${variable} must be a port number`)
}

/** Says where the fake is, and ends it with the process. */
export function run(name: string, fake: FakeServer): void {
  console.log(`${name} simulator on ${fake.url}`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      fake.close().then(() => process.exit(0))
    })
}
