import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Break } from './break'

/** A copy of a commit, to break. */
export interface Tree {
  directory: string
  /** Applies breaks. Returns how to undo them. @throws when a text to replace is not there exactly once. */
  apply: (breaks: readonly Break[]) => () => void
  remove: () => void
}

/** Copies a commit, with the packages that are installed here, into a directory of its own. */
export function copyTree(commit: string): Tree {
  const directory = mkdtempSync(join(tmpdir(), 'sobremesa-breaks-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  try {
    const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', directory], { input: archive })
    copyPackages(directory)
  } catch (error) {
    remove()
    throw error
  }
  return { directory, remove, apply: (breaks) => applyAll(directory, breaks) }
}

/** Hard links where the file system allows them. What tools keep in there stays here. */
function copyPackages(directory: string): void {
  const target = join(directory, 'node_modules')
  try {
    execFileSync('cp', ['-al', 'node_modules', target], { stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-a', 'node_modules', target])
  }
  for (const kept of ['.vite', '.vitest', '.cache'])
    rmSync(join(target, kept), { recursive: true, force: true })
}

function applyAll(directory: string, breaks: readonly Break[]): () => void {
  const before = new Map<string, string>()
  const undo = () => {
    for (const [file, text] of before) writeFileSync(file, text)
    // A next build is of the whole tree.
    rmSync(join(directory, '.next'), { recursive: true, force: true })
    mkdirSync(join(directory, 'test-results'), { recursive: true })
  }
  try {
    for (const { name, file, find, replace } of breaks) {
      const path = join(directory, file)
      if (!existsSync(path)) throw new Error(`${name}: there is no ${file}`)
      const text = readFileSync(path, 'utf8')
      const times = text.split(find).length - 1
      if (times !== 1)
        throw new Error(`${name}: what it replaces stands ${times} times in ${file}, and must once`)
      if (!before.has(path)) before.set(path, text)
      writeFileSync(
        path,
        text.replace(find, () => replace),
      )
    }
  } catch (error) {
    undo()
    throw error
  }
  return undo
}
