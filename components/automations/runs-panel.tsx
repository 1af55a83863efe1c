import { IconHistoryOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { fromCursor } from '@/components/ui/from-cursor'
import { Pager } from '@/components/ui/pager'
import { Panel } from '@/components/ui/panel'
import { href } from '@/components/ui/query'
import type { Session } from '@/lib/auth/session'
import { emptyRuns, listRuns } from '@/lib/automations/list-runs'
import { runOutcomes } from '@/lib/automations/run-outcomes'
import { EmptyRuns } from './empty-runs'
import { RunsTable } from './runs-table'

const PAGE = 10

interface RunsPanelProps {
  session: Session
  automationId: string
  cursor: string | undefined
}

/** The automation's log. */
export async function RunsPanel({ session, automationId, cursor }: RunsPanelProps) {
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
  const path = `/automations/${automationId}`
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
        first={cursor ? { href: path, text: t('firstPage') } : null}
        next={runs.next_cursor ? { href: href(path, { runs: runs.next_cursor }), text: t('nextPage') } : null}
      />
    </Panel>
  )
}
