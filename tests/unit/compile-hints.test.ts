import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hintCompilation } from '@/scripts/compile-hints'

const HINTED = /^\/\/# allFunctionsCalledOnLoad\n(?!\/\/#)/
let distDir: string

const read = (path: string) => readFileSync(join(distDir, path), 'utf8')

function build(rootMainFiles: string[]) {
  mkdirSync(join(distDir, 'static'))
  for (const name of ['start.js', 'page.js']) writeFileSync(join(distDir, 'static', name), 'run(() => {})')
  writeFileSync(join(distDir, 'build-manifest.json'), JSON.stringify({ rootMainFiles }))
}

beforeEach(() => {
  distDir = mkdtempSync(join(tmpdir(), 'compile-hints-'))
})
afterEach(() => rmSync(distDir, { recursive: true }))

test('what starts every page is marked once, in its first line, and the rest is as it was', async () => {
  build(['static/start.js'])
  await hintCompilation({ distDir })
  await hintCompilation({ distDir })
  expect(read('static/start.js')).toMatch(HINTED)
  expect(read('static/start.js')).toMatch(/\nrun\(\(\) => {}\)$/)
  expect(read('static/page.js')).toBe('run(() => {})')
})

test('a build that names no such script is a mistake', async () => {
  build([])
  await expect(hintCompilation({ distDir })).rejects.toThrow('names no script')
})
