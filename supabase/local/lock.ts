import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes `<dataDir>/lock` for this process; PGlite itself does not stop two processes from opening one
 * directory. Returns the release function.
 * @throws when a living process holds it, naming that process.
 */
export function lockDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'lock')
  for (const attempt of [1, 2]) {
    try {
      const handle = openSync(file, 'wx')
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return () => rmSync(file, { force: true })
    } catch (error) {
      const holder = Number(readFileSync(file, 'utf8'))
      if (attempt === 2 || isAlive(holder)) {
        throw new Error(`${dataDir} is in use by process ${holder}. Stop it first, or set DATA_DIR.`, {
          cause: error,
        })
      }
      rmSync(file, { force: true })
    }
  }
  throw new Error('unreachable')
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
