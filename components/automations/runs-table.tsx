import { useFormatter, useTranslations } from 'next-intl'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { Link } from '@/components/ui/link'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { RunOutcome } from '@/lib/automations/run-outcomes'
import type { AutomationRun } from '@/lib/automations/schema'
import { reasonText } from './reason-text'
import classes from './runs-table.module.css'

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

/** Runs with their counts, and why messages did not get through. */
export function RunsTable({ runs, outcomes }: RunsTableProps) {
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
                  <Link href={`/automations/${automation_id}?run=${id}#messages`} prefetch={false}>
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

/** By whom and when a run was decided on or stopped. */
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
  const reasons = useTranslations('client.automations.reasons')
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
