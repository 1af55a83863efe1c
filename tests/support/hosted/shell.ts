import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A shell in a folder that looks like the repository, without what lies in a developer's. */
export interface Shell {
  directory: string
  /** Runs a block as it stands, and keeps what it exports for the next. @returns all that it printed. */
  run: (code: string) => Promise<string>
  close: () => void
}

const LINKED = ['node_modules', 'package.json', 'tsconfig.json', 'lib', 'scripts', 'vercel.json']

/** Opens a shell that knows these variables, PATH, and nothing else of this process. */
export function openShell(variables: Record<string, string>, ...programs: string[]): Shell {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-pages-'))
  for (const name of LINKED) symlinkSync(resolve(name), join(directory, name))
  // A folder of its own: the CLI keeps notes in it.
  mkdirSync(join(directory, 'supabase'))
  for (const name of ['config.toml', 'migrations', 'templates'])
    symlinkSync(resolve('supabase', name), join(directory, 'supabase', name))
  const path = [...programs, resolve('node_modules/.bin'), process.env.PATH].join(':')
  let env: NodeJS.ProcessEnv = { NODE_ENV: 'production', PATH: path, LANG: 'C.UTF-8', ...variables }
  return {
    directory,
    run: async (code) => {
      const kept = join(directory, '.kept')
      const output = await bash(`set -euo pipefail\n${code}\nenv -0 > ${kept}`, directory, env)
      const pairs = readFileSync(kept, 'utf8').split('\0').filter(Boolean)
      env = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2))) as NodeJS.ProcessEnv
      rmSync(kept)
      return output
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function bash(code: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn('bash', ['-c', code], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', fail)
    child.once('close', (status) =>
      status === 0 ? done(output) : fail(new Error(`Exit ${status} of:\n${code}\n\nIt printed:\n${output}`)),
    )
  })
}
