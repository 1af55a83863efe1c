import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { DetailHeader } from '@/components/automations/detail-header'
import { MessagesPanel } from '@/components/automations/messages-panel'
import { ProviderNote } from '@/components/automations/provider-note'
import { PERIODS, ResultsPanel } from '@/components/automations/results-panel'
import { RunWatch } from '@/components/automations/run-watch'
import { RunsPanel } from '@/components/automations/runs-panel'
import { SendingNote } from '@/components/automations/sending-note'
import { WaitingRun } from '@/components/automations/waiting-run'
import { NoAccess } from '@/components/ui/no-access'
import { Panels } from '@/components/ui/panels'
import { choice, param } from '@/components/ui/query'
import { Skeleton } from '@/components/ui/skeleton'
import { listRuns } from '@/lib/automations/list-runs'
import { pageAutomation } from '@/lib/automations/page-automation'
import { automationResults } from '@/lib/automations/results'
import { readSending } from '@/lib/automations/stop-sending'
import { channelTroubles } from '@/lib/messaging/channel-troubles'
import { MESSAGE_STATUSES } from '@/lib/messaging/schema'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export async function generateMetadata({ params }: PageProps<'/automations/[id]'>): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: (await pageAutomation((await params).id))?.automation?.name ?? t('automations') }
}

/** What an automation brought, its runs and its messages. */
export default async function AutomationPage({ params, searchParams }: PageProps<'/automations/[id]'>) {
  const found = await pageAutomation((await params).id)
  if (!found) return <NoAccess />
  const { session, automation } = found
  if (!automation) notFound()
  const query = await searchParams
  const days = choice(query, 'days', PERIODS) ?? '90'
  const run = param(query, 'run')
  const [latest, troubles, sending] = await Promise.all([
    listRuns(session, automation.id, { limit: 5, folded: true }),
    channelTroubles(session),
    readSending(session),
  ])
  // After the runs: one that ends in between is still watched, and the page read anew.
  const results = await automationResults(session, automation.id, Number(days))
  const open = latest.data.filter(({ status }) => status === 'running' || status === 'paused')
  const waiting = latest.data.filter(({ status }) => status === 'waiting_approval')
  const filters = {
    status: choice(query, 'status', MESSAGE_STATUSES),
    run: UUID.test(run) ? run : undefined,
    cursor: param(query, 'cursor', 1000) || undefined,
    days: choice(query, 'days', PERIODS),
  }
  return (
    <>
      <DetailHeader automation={automation} />
      <SendingNote sending={sending} />
      <ProviderNote automations={[automation]} troubles={troubles} />
      <Panels>
        {waiting.map((one) => (
          <WaitingRun key={one.id} session={session} run={one} />
        ))}
        {open.map((one) => (
          <RunWatch key={one.id} run={one} />
        ))}
        <ResultsPanel results={results} days={days} />
        <Suspense fallback={<Skeleton height={200} />}>
          <RunsPanel
            session={session}
            automationId={automation.id}
            cursor={param(query, 'runs', 1000) || undefined}
          />
        </Suspense>
        <Suspense fallback={<Skeleton height={320} />}>
          <MessagesPanel session={session} automationId={automation.id} filters={filters} />
        </Suspense>
      </Panels>
    </>
  )
}
