import { IconHistoryOff } from '@tabler/icons-react'
import { useFormatter, useNow, useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { reasonText } from '@/components/messages/reason-text'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Link } from '@/components/ui/link'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Session } from '@/lib/auth/session'
import { type AutomationView, automationPage } from '@/lib/automations/filters'
import { emptyRuns, listRuns, type RunOutcome, runOutcomes } from '@/lib/automations/runs'
import type { AutomationRun } from '@/lib/automations/schema'
import classes from './runs.module.css'

const PAGE = 10

interface RunsPanelProps {
  session: Session
  automationId: string
  shown: AutomationView
}

/** The automation's log. */
export async function RunsPanel({ session, automationId, shown }: RunsPanelProps) {
  const { runs_cursor: cursor } = shown
  const t = await getTranslations('automations.runs')
  const [runs, empty] = await Promise.all([
    fromCursor(cursor, (after) =>
      listRuns(session, automationId, { cursor: after, limit: PAGE, folded: true }),
    ),
    cursor ? null : emptyRuns(session, automationId),
  ])
  const searched = empty !== null && empty.count > 0
  const outcomes = await runOutcomes(
    session,
    runs.data.map(({ id }) => id),
  )
  return (
    <Panel title={t('title')} flush>
      {searched ? <EmptyRuns {...empty} /> : null}
      {runs.data.length > 0 ? (
        <RunsTable runs={runs.data} outcomes={outcomes} />
      ) : searched ? (
        <EmptyState icon={IconHistoryOff} title={t('noRecipients')} text={t('noRecipientsText')} />
      ) : (
        <EmptyState icon={IconHistoryOff} title={t('none')} text={t('noneText')} />
      )}
      <Pager
        label={t('pages')}
        path={cursor}
        next={runs.next_cursor}
        hrefAt={(path) => automationPage(automationId).href({ ...shown, runs_cursor: path })}
        texts={{ first: t('firstPage'), next: t('nextPage') }}
      />
    </Panel>
  )
}

const TONES: Record<AutomationRun['status'], BadgeTone> = {
  running: 'blue',
  paused: 'amber',
  finished: 'green',
  waiting_approval: 'amber',
  refused: 'neutral',
  expired: 'neutral',
  stopped: 'red',
}

interface RunsTableProps {
  runs: readonly AutomationRun[]
  outcomes: ReadonlyMap<string, RunOutcome[]>
}

/** Runs with their counts, and the reasons of undelivered messages. */
function RunsTable({ runs, outcomes }: RunsTableProps) {
  const t = useTranslations('automations.runs')
  const format = useFormatter()
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('counts')}</th>
          <th scope="col" data-wide>
            {t('reasons')}
          </th>
          <th scope="col">{t('status')}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => {
          const { id, automation_id, processed, sent, skipped, failed, pending, simulated } = run
          const when = format.dateTime(new Date(run.started_at), 'instant')
          return (
            <tr key={id}>
              <th scope="row" data-nowrap>
                {when}
                <small className={classes.line}>{t(run.triggered_by)}</small>
              </th>
              <td>
                {processed > 0 ? (
                  <Link href={`/automations/${automation_id}?run_id=${id}#messages`} prefetch={false}>
                    {t('processed', { count: processed })}
                    <VisuallyHidden>{t('messages', { when })}</VisuallyHidden>
                  </Link>
                ) : (
                  t('processed', { count: processed })
                )}
                {processed > 0 ? (
                  <small className={classes.line}>{t('summary', { sent, skipped, failed })}</small>
                ) : null}
                {simulated > 0 ? (
                  <small className={classes.line}>{t('simulated', { count: simulated })}</small>
                ) : null}
                {pending > 0 ? (
                  <small className={classes.line}>{t('pending', { count: pending })}</small>
                ) : null}
                <div data-narrow>
                  <Reasons outcomes={outcomes.get(id) ?? []} paused={pausedBy(run)} />
                </div>
              </td>
              <td data-wide>
                <Reasons outcomes={outcomes.get(id) ?? []} paused={pausedBy(run)} />
              </td>
              <td>
                <Badge tone={TONES[run.status]} dot>
                  {t(`states.${run.status}`)}
                </Badge>
                <Ended run={run} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}

/** Who approved, refused or stopped a run, and when. */
function Ended({ run }: { run: AutomationRun }) {
  const t = useTranslations('automations.runs')
  const format = useFormatter()
  const when = (at: string | null) => (at ? format.dateTime(new Date(at), 'instant') : '')
  const { status, decided_by, decided_at, stopped_by, stopped_at } = run
  const lines = [
    decided_by &&
      t(status === 'refused' ? 'refusedBy' : 'approvedBy', { who: decided_by, when: when(decided_at) }),
    stopped_by && t('stoppedBy', { who: stopped_by, when: when(stopped_at) }),
  ].filter(Boolean)
  return lines.map((line) => (
    <small key={line} className={classes.line}>
      {line}
    </small>
  ))
}

const pausedBy = ({ status, reason }: AutomationRun) => (status === 'paused' ? reason : null)

function Reasons({ outcomes, paused }: { outcomes: readonly RunOutcome[]; paused: string | null }) {
  const t = useTranslations('automations.runs')
  const reasons = useTranslations('client.messageReasons')
  if (outcomes.length === 0 && paused === null) return null
  return (
    <ul className={classes.reasons}>
      {paused ? <li className={classes.paused}>{reasonText(reasons, paused)}</li> : null}
      {outcomes.map(({ status, reason, messages }) => {
        const text = reasonText(reasons, reason)
        return (
          <li key={`${status} ${reason}`}>
            {t('reason', {
              count: messages,
              reason: status === 'unknown' ? t('unknown', { reason: text }) : text,
            })}
          </li>
        )
      })}
    </ul>
  )
}

interface EmptyRunsProps {
  count: number
  /** The times of the latest of these runs, newest first. */
  latest: readonly string[]
}

/** Scheduled runs without recipients, folded into one line that opens to show their times. */
function EmptyRuns({ count, latest }: EmptyRunsProps) {
  const t = useTranslations('automations.runs.empty')
  const format = useFormatter()
  const now = useNow()
  const [last] = latest
  if (last === undefined) return null
  return (
    <details className={classes.empty}>
      <summary className={classes.summary}>
        {t('line', { count, ago: format.relativeTime(new Date(last), now) })}
      </summary>
      <p className={classes.text}>{t('text')}</p>
      <ul className={classes.times} aria-label={t('list')}>
        {latest.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format.dateTime(new Date(at), 'instant')}</time>
          </li>
        ))}
      </ul>
      {count > latest.length ? (
        <p className={classes.text}>{t('more', { count: count - latest.length })}</p>
      ) : null}
    </details>
  )
}
