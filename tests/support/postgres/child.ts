import { spawn } from 'node:child_process'
import { createServer } from 'node:net'

// The shell ends the command when its standard input closes: that happens however this process ends,
// SIGKILL included, and needs no signal handlers beside the test runner's. $1 is a directory to remove
// at the end (or nothing), $2 the signal, the rest the command.
const KEEPER = `
exec 3<&0
directory=$1; signal=$2; shift 2
"$@" 3<&- & child=$!
{ read -r _ <&3; kill -"$signal" $child; } 2>/dev/null & watcher=$!
wait $child
kill $watcher 2>/dev/null
[ -z "$directory" ] || rm -rf "$directory"
`

/** A program running beside this process. */
export interface Child {
  isRunning: () => boolean
  /** The end of what it printed. */
  output: () => string
  /** Ends the program with its signal and waits for it. */
  stop: () => Promise<void>
}

export interface ChildOptions {
  /** The signal that ends it, as `kill` names it. */
  signal: 'INT' | 'KILL'
  /** Removed after the program has ended. */
  directory?: string
  env?: Record<string, string>
  /** User to run as; for root only. */
  user?: { uid: number; gid: number } | undefined
}

/** Runs a program that ends no later than this process, however that ends. */
export function spawnChild(command: string, args: string[], options: ChildOptions): Child {
  const keeper = spawn(
    '/bin/sh',
    ['-c', KEEPER, 'sh', options.directory ?? '', options.signal, command, ...args],
    {
      // A session of its own: Ctrl-C in a terminal reaches this process only.
      detached: true,
      cwd: '/',
      env: (options.env ?? process.env) as NodeJS.ProcessEnv,
      stdio: 'pipe',
      ...options.user,
    },
  )
  let running = true
  let output = ''
  const read = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000)
  }
  keeper.stdout.on('data', read)
  keeper.stderr.on('data', read)
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      running = false
      resolve()
    }
    keeper.once('close', end)
    keeper.once('error', end)
  })
  keeper.stdin.on('error', () => {})
  return {
    isRunning: () => running,
    output: () => output,
    stop: async () => {
      keeper.stdin.end()
      await exited
    },
  }
}

/** A loopback port that is free now. Another process may still take it: callers try again. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(address)))
    })
  })
}
