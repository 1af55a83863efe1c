import 'server-only'
import type { PersonSession } from '@/lib/auth/session'
import { serviceDb } from '@/lib/db/service'
import { env } from '@/lib/env'
import { authSettings, type Fault, findFault } from '@/lib/health/fault'
import { HttpError } from '@/lib/http/errors'
import { log } from '@/lib/log'
import { appUrlLine } from './app-url'
import { type Clocks, databaseLines, hearDatabase } from './database'
import { addressLine, authLines, publishableKeyLine, secretKeyLines, settingLines } from './keys'
import { limit } from './limit'
import { inOrder, type Line, type LineId, unknown } from './lines'
import { type Group, providerLines, secretsLine } from './providers'
import type { Report } from './report-schema'
import { cronLine, replicaLines, storageLine } from './services'

const CLOCKS: Clocks = { elapsed: () => performance.now(), now: () => new Date() }
const MOST_GROUPS = 20
const MOST_PLACES = 1000

/**
 * The check for the page: of the installation, and of the caller's own group.
 * @throws HttpError 403 for everyone but super_admins.
 */
export async function installationOf({
  role,
  organization,
}: Pick<PersonSession, 'role' | 'organization'>): Promise<Report> {
  if (role !== 'super_admin') throw new HttpError('FORBIDDEN')
  return installation({ only: organization.id })
}

/**
 * Checks the installation: its settings, the database, Auth, the schedule, webhooks, its own address, storage, and the
 * accounts of each group. Everything is asked at the same time, and answers within ten seconds or so. It changes
 * nothing, sends no message, and names no secret.
 */
export async function installation({
  only,
  clocks = CLOCKS,
}: {
  only?: string
  clocks?: Clocks
} = {}): Promise<Report> {
  const [fault, auth, heard] = await Promise.all([findFault(), authSettings(), hearDatabase(clocks)])
  // Nothing else is asked of a database that does not answer: each question would wait.
  const found = heard && (await readGroups(only))
  const hasGroup = found && found.groups.length > 0
  const groups = found?.groups ?? []
  const parts = await Promise.all([
    addressLine(),
    publishableKeyLine(auth),
    secretKeyLines(secretKeyHeard(fault)),
    databaseLines(heard, fault, found?.zones ?? []),
    authLines(auth),
    settingLines(hasGroup),
    found ? guarded('secrets_key', secretsLine) : unknown('secrets_key', 'no_answer', { detail: 'Supabase' }),
    guarded('cron', () => cronLine(hasGroup, clocks.now())),
    appUrlLine(),
    guarded('storage', storageLine),
    guarded('replica', replicaLines),
    ...groups.map((group) => ofGroup(group, clocks.now(), groups.length > 1)),
  ])
  return { lines: inOrder(parts.flat()), app_url: env().PUBLIC_URL, now: clocks.now().toISOString() }
}

/** What the database made of the secret key. */
function secretKeyHeard(fault: Fault | null): 'accepted' | 'refused' | 'silent' {
  if (fault?.kind === 'key_refused' && fault.setting === 'SUPABASE_SECRET_KEY') return 'refused'
  return fault?.kind === 'silent' || fault?.kind === 'foreign' ? 'silent' : 'accepted'
}

interface Found {
  groups: Group[]
  /** The time zones of the groups and their locations. */
  zones: string[]
}

/** The groups, the first one first, or only one; null when the database gives no answer. */
async function readGroups(only?: string): Promise<Found | null> {
  const db = serviceDb()
  const { data: groups, error } = await db
    .from('organizations')
    .select('id, name, slug, timezone')
    .match(only === undefined ? {} : { id: only })
    .order('created_at')
    .limit(MOST_GROUPS)
    .abortSignal(limit())
  if (error) return null
  const places = await db
    .from('locations')
    .select('timezone')
    .in(
      'organization_id',
      groups.map(({ id }) => id),
    )
    .limit(MOST_PLACES)
    .abortSignal(limit())
  const zones = [...groups, ...(places.data ?? [])].map(({ timezone }) => timezone)
  return { groups, zones: [...new Set(zones)] }
}

async function ofGroup(group: Group, now: Date, isOneOfSeveral: boolean): Promise<Line[]> {
  const lines = await guarded('mailer', () => providerLines(group, now))
  return isOneOfSeveral ? lines.map((line) => ({ ...line, group: group.name })) : lines
}

/** What the question finds; when it fails unexpectedly, the line could not be checked, and the log says why. */
async function guarded(id: LineId, ask: () => Promise<Line | Line[]>): Promise<Line[]> {
  try {
    return [await ask()].flat()
  } catch (err) {
    log().warn({ err, line: id }, 'a part of the installation could not be checked')
    return [unknown(id, 'no_answer', { detail: 'Supabase' })]
  }
}
