import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { LocalKeys } from '../../supabase/local/keys'
import { readSources } from '../../supabase/release/sources'

const FILL = new URL('./fill/', import.meta.url)

/** How large a lab is. */
export interface LabSize {
  guests: number
  reservations: number
  locations: number
  /** Whether guests have their comparison forms, which take about 300 s a million. */
  identity: boolean
}

/** A lab's group. */
export interface LabGroup {
  organization: string
  locations: { id: string; name: string }[]
  /** Their password is that of tests/factories/account.ts. */
  people: { role: string; id: string; email: string; bound: boolean }[]
  /** An e-mail to three guests in five, and the segment of the same guests. */
  automation: string
  segment: string
  /** The inactive automation that sent the messages of the past. */
  past: string
}

/** What a grown lab keeps about itself, in `lab.json`. */
export interface Lab extends LabGroup {
  size: LabSize
  /** Of the database's sources and of the SQL that fills the lab. */
  hash: string
  grownAt: string
  seconds: number
  /** The password of every database role. */
  password: string
  keys: LocalKeys
}

/** The folder of the lab: LAB_DIR, else one of the user's cache that the user `postgres` can reach. */
export function labDirectory(): string {
  if (process.env.LAB_DIR) return process.env.LAB_DIR
  // Root runs Postgres as another user, who cannot look into /root.
  const cache =
    process.getuid?.() === 0 ? '/var/tmp' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'sobremesa', 'lab')
}

/** LAB_GUESTS (a million), LAB_RESERVATIONS (ten a guest), LAB_LOCATIONS (5) and LAB_IDENTITY. */
export function labSize(): LabSize {
  const guests = whole('LAB_GUESTS', 1_000_000, 1000, 10_000_000)
  return {
    guests,
    reservations: whole('LAB_RESERVATIONS', guests * 10, 1000, 100_000_000),
    locations: whole('LAB_LOCATIONS', 5, 1, 1000),
    identity: process.env.LAB_IDENTITY === '1',
  }
}

function whole(name: string, usual: number, least: number, most: number): number {
  const value = process.env[name] === undefined ? usual : Number(process.env[name])
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} is a whole number from ${least} to ${most}.`)
  return value
}

const CODE = ['./fill.ts', './group.ts', '../bench/identity/spanish/names.ts']

/** A hash of the database's sources and of the code that fills a lab. Its size is compared apart. */
export function labHash(): string {
  const hash = createHash('sha256')
  for (const file of CODE) hash.update(readFileSync(new URL(file, import.meta.url)))
  const { schema, logic } = readSources()
  for (const { text } of [...schema, ...logic]) hash.update(text)
  for (const file of readdirSync(FILL).sort()) hash.update(readFileSync(new URL(file, FILL)))
  return hash.digest('hex').slice(0, 16)
}

/** The lab that a directory has; undefined when it has none or its growth did not end. */
export function readLab(directory: string): Lab | undefined {
  const file = join(directory, 'lab.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Lab) : undefined
}
