import { IconRefreshOff } from '@tabler/icons-react'
import { type Messages, useFormatter, useNow, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { Panel } from '@/components/ui/panel'
import type { Session } from '@/lib/auth/session'
import { type LastSync, lastSync } from '@/lib/overview/reads'
import type { SyncIssue } from '@/lib/pms/sync-issues'
import classes from './last-sync.module.css'

/** The last sync, limited to these locations; streamed after the page's first content. */
export async function LastSyncPanel({ session, locationIds }: { session: Session; locationIds: string[] }) {
  return <SyncPanel run={await lastSync(session, locationIds)} />
}

const TONES: Record<SyncState, BadgeTone> = {
  running: 'blue',
  succeeded: 'green',
  partial: 'amber',
  failed: 'red',
  interrupted: 'red',
}

/** The last sync: its time, the reservations of each location, and its issues. */
function SyncPanel({ run }: { run: LastSync | null }) {
  const t = useTranslations('sync')
  const format = useFormatter()
  const now = useNow()
  if (!run)
    return (
      <Panel title={t('title')}>
        <EmptyState icon={IconRefreshOff} title={t('never')} text={t('neverText')} />
      </Panel>
    )
  const state = syncState(run, now)
  const instant = new Date(run.finished_at ?? run.started_at)
  return (
    <Panel
      title={t('title')}
      aside={
        <Badge tone={TONES[state]} dot>
          {t(`state.${state}`)}
        </Badge>
      }
    >
      <p className={classes.when}>
        <strong>{format.relativeTime(instant, now)}</strong>
        <time dateTime={instant.toISOString()}>{format.dateTime(instant, 'instant')}</time>
      </p>
      <p className={classes.explanation}>{t(`explanation.${state}`)}</p>
      <SyncProblems issues={run.result.issues} />
      <SyncCounts locations={run.result.locations} />
    </Panel>
  )
}

type SyncState = 'running' | 'succeeded' | 'partial' | 'failed' | 'interrupted'

// Longer than a run's lease: a run that is still marked as running after that has died.
const LONGEST_RUN_MS = 120_000

/** The state of the last run; a run that died is `interrupted`. */
function syncState(run: LastSync, now = new Date()): SyncState {
  if (run.status === 'running')
    return now.getTime() - Date.parse(run.started_at) > LONGEST_RUN_MS ? 'interrupted' : 'running'
  return run.status === 'failed' && run.result.error !== undefined ? 'interrupted' : run.status
}

type Issues = LastSync['result']['issues']

const SHOWN = 5

/** The issues as sentences: whole locations first, then by location; the first few are open. */
function SyncProblems({ issues }: { issues: Issues }) {
  const t = useTranslations('sync')
  if (issues.length === 0) return null
  const sorted = issues.toSorted(
    (a, b) =>
      Number(a.reservation !== null) - Number(b.reservation !== null) || a.location.localeCompare(b.location),
  )
  return (
    <div className={classes.problems}>
      <ProblemList issues={sorted.slice(0, SHOWN)} />
      {sorted.length > SHOWN ? (
        <details>
          <summary>{t('showAll', { count: sorted.length - SHOWN })}</summary>
          <ProblemList issues={sorted.slice(SHOWN)} />
        </details>
      ) : null}
    </div>
  )
}

function ProblemList({ issues }: { issues: Issues }) {
  return (
    <ul className={classes.list}>
      {issues.map((issue, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a finished run's list never changes
        <SyncProblem key={index} issue={issue} problem={problemKey(issue.code)} />
      ))}
    </ul>
  )
}

interface SyncProblemProps {
  issue: LastSync['result']['issues'][number]
  problem: ProblemKey
}

/** An issue as a sentence that names the location and, if there is one, the reservation. */
function SyncProblem({ issue, problem }: SyncProblemProps) {
  const t = useTranslations('sync')
  const { reservation, detail } = issue
  // A row without an id is named by its index in the response (`#12`), counted from 0.
  const row = /^#(\d+)$/.exec(reservation ?? '')?.[1]
  const subject = row ? t('row', { position: Number(row) + 1 }) : t('reservation', { id: reservation ?? '' })
  const value = detail === null ? '' : t('value', { detail })
  return (
    <li>
      <strong>{issue.location}:</strong>{' '}
      {t(`problems.${problem}`, { subject, value, count: Number(detail) || 0 })}
    </li>
  )
}

type ProblemKey = keyof Messages['sync']['problems']

// Exhaustive: a new code does not compile until it has a text.
const KEYS: Record<SyncIssue['code'], ProblemKey> = {
  timeout: 'timeout',
  unreachable: 'unreachable',
  rate_limited: 'rateLimited',
  http_status: 'answeredWithError',
  not_json: 'unreadable',
  refused: 'refused',
  bad_base_url: 'badAddress',
  out_of_time: 'outOfTime',
  not_saved: 'notSaved',
  not_an_object: 'notAReservation',
  no_id: 'noId',
  bad_date: 'badDate',
  bad_time: 'badTime',
  bad_party_size: 'badPartySize',
  bad_field: 'badField',
  too_long: 'tooLong',
  refused_row: 'refusedRow',
  unknown_status: 'unknownStatus',
  bad_email: 'badEmail',
  held_elsewhere: 'heldElsewhere',
  not_applied: 'notApplied',
  not_cancelled: 'notCancelled',
  more: 'more',
}

/** The text of an issue code; stored runs may contain codes of another version. */
function problemKey(code: string): ProblemKey {
  return Object.hasOwn(KEYS, code) ? KEYS[code as SyncIssue['code']] : 'other'
}

/** The number of reservations that each location received. */
function SyncCounts({ locations }: { locations: LastSync['result']['locations'] }) {
  const t = useTranslations('sync')
  if (locations.length === 0) return null
  return (
    <ul className={classes.counts} aria-label={t('counts')}>
      {locations.map(({ id, name, count, created, updated, failed, missing }) => (
        <li key={id} className={classes.count}>
          <span>{name}</span>
          {failed && count === 0 ? (
            <span data-failed>{t('nothing')}</span>
          ) : (
            <span>
              {t('count', { count, created, updated })}
              {missing.length > 0 ? ` · ${t('countLeft', { count: missing.length })}` : null}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
