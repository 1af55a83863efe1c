import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Source } from './sources'

const FILE = 'supabase/release/releases.json'

/** Each release with the migrations that came with it, oldest first: file name to the SHA-256 of its text. */
export type Releases = Record<string, Record<string, string>>

/** @param root the repository. */
export function readReleases(root = '.'): Releases {
  return JSON.parse(readFileSync(join(root, FILE), 'utf8'))
}

/** The migrations that a database of a release has had. */
export function migrationsOf(version: string, releases: Releases): string[] {
  const versions = Object.keys(releases)
  return versions.slice(0, versions.indexOf(version) + 1).flatMap((each) => Object.keys(releases[each] ?? {}))
}

/** Adds a release to the list: it has the migrations that none before had. */
export function addRelease(version: string, migrations: Source[]): void {
  const releases = readReleases()
  const had = new Set(Object.values(releases).flatMap(Object.keys))
  const added = migrations.filter(({ path }) => !had.has(basename(path)))
  releases[version] = Object.fromEntries(added.map(({ path, text }) => [basename(path), digest(text)]))
  writeFileSync(FILE, `${JSON.stringify(releases, null, 2)}\n`)
}

/** Released migrations whose text is no longer the released one, or that are gone: databases that had them differ from now on. */
export function editedSince(releases: Releases, migrations: Source[]): string[] {
  const now = new Map(migrations.map(({ path, text }) => [basename(path), digest(text)]))
  return Object.values(releases)
    .flatMap(Object.entries)
    .filter(([file, sum]) => now.get(file) !== sum)
    .map(([file]) => file)
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
