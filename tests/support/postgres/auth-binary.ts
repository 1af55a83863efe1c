import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lockDataDir } from '../../../supabase/local/lock'

const MODULE = 'github.com/supabase/auth'
const VERSION = 'v1.11.1-0.20260423164320-7f889859787c'
// Go compares the download with its checksum database; this pins it here as well.
const SUM = 'h1:Rfpz+VcjyTuDde+SxrQ0iJACeVxwd74wz3F7sHsE0LY='
/** The Go that its go.mod asks for. */
const GO = '1.25.8'

type Say = (line: string) => void
const run = promisify(execFile)

/**
 * The program of Supabase Auth: AUTH_BIN, else the pinned version of the cache, which is built when it is not there
 * (with Go, one and a half minutes on two cores). The cache is the user's (XDG_CACHE_HOME, `~/.cache`), so that every
 * working copy shares it; of several processes one builds and the others wait.
 * @throws when AUTH_BIN names no file, there is no Go, or the build fails, with what to do.
 */
export async function authBinary(say: Say = console.log): Promise<string> {
  const named = process.env.AUTH_BIN
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`AUTH_BIN names no file: ${named}`)
  }
  const directory = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'sobremesa',
    `supabase-auth-${VERSION}-${process.platform}-${process.arch}`,
  )
  const binary = join(directory, 'auth')
  for (let waiting = false; !existsSync(binary); waiting = true) {
    const unlock = lock(directory)
    if (!unlock) {
      if (!waiting) say(`Another process builds ${binary}: waiting for it.`)
      await pause(500)
      continue
    }
    try {
      if (!existsSync(binary)) await build(directory, binary, say)
    } finally {
      unlock()
    }
  }
  return binary
}

function lock(directory: string): (() => void) | undefined {
  try {
    return lockDataDir(directory)
  } catch {
    return undefined
  }
}

async function build(directory: string, binary: string, say: Say): Promise<void> {
  const began = performance.now()
  const go = await findGo(say)
  say(`Building Supabase Auth ${VERSION} into ${directory}, once; this takes a minute or two.`)
  const downloaded = await download(go, `${MODULE}@${VERSION}`)
  if (downloaded.Sum !== SUM)
    throw new Error(`${MODULE} ${VERSION} has the sum ${downloaded.Sum}, not ${SUM}`)
  const work = mkdtempSync(join(directory, 'build-'))
  try {
    const source = join(work, 'source')
    await run('cp', ['-R', downloaded.Dir, source])
    // The module cache is read-only.
    await run('chmod', ['-R', 'u+w', source])
    const options = { cwd: source, env: goEnvironment({ CGO_ENABLED: '0' }), maxBuffer: 1 << 24 }
    // It is replaced by a folder that module archives leave out.
    await run(go, ['mod', 'edit', '-dropreplace=github.com/joho/godotenv'], options)
    const stamp = `-s -w -X ${MODULE}/internal/utilities.Version=${VERSION}`
    await run(
      go,
      ['build', '-mod=mod', '-trimpath', '-ldflags', stamp, '-o', join(work, 'auth'), '.'],
      options,
    )
    renameSync(join(work, 'auth'), binary)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  say(`Built Supabase Auth in ${Math.round((performance.now() - began) / 1000)} s.`)
}

/** The command of a Go that is new enough: the one in PATH, or the one it can download as a module. */
async function findGo(say: Say): Promise<string> {
  const version = await run('go', ['env', 'GOVERSION'], { env: goEnvironment() }).then(
    ({ stdout }) => /^go([\d.]+)/.exec(stdout)?.[1],
    () => undefined,
  )
  if (!version) {
    throw new Error(
      `The tests on Postgres need Supabase Auth, and there is no Go to build it with. Install Go ${GO} or later, ` +
        'or set AUTH_BIN to a binary of Supabase Auth (CONTRIBUTING.md).',
    )
  }
  if (version.localeCompare(GO, 'en', { numeric: true }) >= 0) return 'go'
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  say(`Go ${version} is too old: downloading ${GO} beside it.`)
  const { Dir } = await download('go', `golang.org/toolchain@v0.0.1-go${GO}.${system}`)
  // Modules have no executable files; later versions of Go do the same with a toolchain.
  const programs = [join(Dir, 'bin'), ...subfolders(join(Dir, 'pkg', 'tool'))]
  for (const folder of programs) for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o755)
  return join(Dir, 'bin', 'go')
}

const subfolders = (folder: string) => readdirSync(folder).map((name) => join(folder, name))

async function download(go: string, module: string): Promise<{ Dir: string; Sum: string }> {
  const { stdout } = await run(go, ['mod', 'download', '-json', module], {
    cwd: homedir(),
    env: goEnvironment(),
    maxBuffer: 1 << 24,
  })
  return JSON.parse(stdout) as { Dir: string; Sum: string }
}

// The Go that is there is used: it fetches no other by itself.
const goEnvironment = (more: Record<string, string> = {}) => ({
  ...process.env,
  GOTOOLCHAIN: 'local',
  ...more,
})
