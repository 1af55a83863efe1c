import { describe, expect, it } from 'vitest'
import { readMigrations } from '@/supabase/release/migrations'
import { editedSince, migrationsOf, readReleases } from '@/supabase/release/releases'

describe('a released migration', () => {
  it('is as it was released', () => {
    expect(editedSince(readReleases(), readMigrations())).toEqual([])
  })

  it('that was edited or removed is named', () => {
    const [first, ...more] = readMigrations()
    if (!first) throw new Error('There is no migration.')
    const edited = { ...first, text: `${first.text} ` }
    expect(editedSince(readReleases(), [edited, ...more])).toEqual(['20261126000000_base.sql'])
    expect(editedSince(readReleases(), more)).toEqual(['20261126000000_base.sql'])
  })

  it('belongs to its release and all later ones', () => {
    const releases = { '0.1.0': { 'a.sql': '1' }, '0.2.0': { 'b.sql': '2', 'c.sql': '3' }, '0.3.0': {} }
    expect(migrationsOf('0.1.0', releases)).toEqual(['a.sql'])
    expect(migrationsOf('0.3.0', releases)).toEqual(['a.sql', 'b.sql', 'c.sql'])
  })
})
