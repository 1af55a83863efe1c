import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compareMigrations } from '../../supabase/local/migration-texts'

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
