import { spawn } from 'node:child_process'

/** A running demo: its address, what it printed, and how to stop it. */
export interface DemoProcess {
  url: string
  output: () => string
  stop: () => Promise<void>
}

/** Runs `scripts/demo/demo.ts` with the given environment until it prints its Ready line. @throws when it ends before. */
export function startDemo(environment: Record<string, string>): Promise<DemoProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo/demo.ts'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      process.stdout.write(chunk)
      output += chunk
      const url = /^Ready on (\S+)$/m.exec(output)?.[1]
      if (url) resolve({ url, output: () => output, stop })
    })
    child.once('exit', (code) => reject(new Error(`the demo ended with ${code}`)))
  })
}
