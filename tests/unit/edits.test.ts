import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareMigrations, editedLogic } from '../../supabase/local/edits'

let folder: string
let dataDir: string
const migration = (name: string, text: string) => writeFileSync(join(folder, name), text)
/** A start of the stack: the migrations it finds edited. */
function start(): string[] {
  const { changed, remember } = compareMigrations(dataDir, folder)
  mkdirSync(join(dataDir, 'db'), { recursive: true })
  remember()
  return changed
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  dataDir = mkdtempSync(join(tmpdir(), 'data-'))
  migration('1_tables.sql', 'create table a ();')
})
afterEach(() => {
  for (const made of [folder, dataDir]) rmSync(made, { recursive: true })
})

it('warns at every start of a migration that was edited or removed after it was applied', () => {
  expect(start()).toEqual([])
  expect(start()).toEqual([])
  migration('1_tables.sql', 'create table b ();')
  expect(start()).toEqual(['1_tables.sql'])
  expect(start()).toEqual(['1_tables.sql'])
  rmSync(join(folder, '1_tables.sql'))
  expect(start()).toEqual(['1_tables.sql'])
})

it('says nothing of a new migration, nor once the data are gone', () => {
  start()
  migration('2_more.sql', 'create table c ();')
  expect(start()).toEqual([])
  migration('2_more.sql', 'create table d ();')
  rmSync(join(dataDir, 'db'), { recursive: true })
  expect(start()).toEqual([])
  expect(start()).toEqual([])
})

describe('an edited file of the logic', () => {
  const path = 'supabase/logic/foundation/foundation.sql'
  const write = (text: string) => writeFileSync(join(folder, path), text)
  beforeEach(() => {
    for (const name of ['schema', 'logic', 'migrations'])
      cpSync(join('supabase', name), join(folder, 'supabase', name), { recursive: true })
  })
  /** A start of the stack: the files that it runs. */
  function run(): string[] {
    const { edited, remember } = editedLogic(dataDir, folder)
    mkdirSync(join(dataDir, 'db'), { recursive: true })
    remember()
    return edited.map((file) => file.path)
  }

  it('runs at the next start, and again when the edit is taken back', () => {
    const released = readFileSync(path, 'utf8')
    expect(run()).toEqual([])
    write(`${released}-- edited\n`)
    expect(run()).toEqual([path])
    expect(run()).toEqual([])
    write(released)
    expect(run()).toEqual([path])
  })

  it('runs at the first start when no migration has the edit', () => {
    write('-- edited\n')
    expect(run()).toEqual([path])
  })
})
