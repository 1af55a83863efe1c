import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'

const children: ChildProcess[] = []
let stopping = false

/** Starts a Node program of the project (TypeScript through tsx). Its end, unless we are stopping, ends everything. */
export function start(name: string, args: string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  children.push(child)
  child.once('exit', (code) => {
    if (stopping) return
    console.error(`${name} ended (${code ?? 'by a signal'}); stopping the rest.`)
    void stopAll(1)
  })
  return child
}

/** Runs a program to its end. @throws when it fails. */
export function run(name: string, args: string[], environment: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...environment }, stdio: 'inherit' })
    children.push(child)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} failed (${code})`))))
  })
}

/** Waits until an address answers at all. @throws after the deadline (milliseconds). */
export async function answers(url: string, deadlineMs = 60_000): Promise<void> {
  const end = Date.now() + deadlineMs
  // A busy machine may need longer for the first answer, and each request given up makes it busier.
  for (let patience = 5000; ; patience = Math.min(2 * patience, 40_000)) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(patience), redirect: 'manual' })
      await response.body?.cancel()
      return
    } catch (error) {
      if (Date.now() > end) throw new Error(`${url} does not answer`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** @throws with advice when something else listens on the port. */
export function portIsFree(port: number, variable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => reject(new Error(`Port ${port} is in use. Set ${variable} to another one.`)))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** Stops every child (SIGTERM) and, when all have ended, this process. */
export async function stopAll(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null)
  await Promise.all(
    running.map((child) => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      return ended
    }),
  )
  process.exit(code)
}
