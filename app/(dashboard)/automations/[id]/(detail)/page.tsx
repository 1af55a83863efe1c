import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { EngagementPanel } from '@/components/automations/engagement-panel'
import { DetailHeader } from '@/components/automations/header'
import { LiftPanel } from '@/components/automations/lift-panel'
import { MessagesPanel } from '@/components/automations/messages-panel'
import { ProviderNote, SendingNote } from '@/components/automations/notes'
import { ResultsPanel } from '@/components/automations/results-panel'
import { RunWatch } from '@/components/automations/run-watch'
import { RunsPanel } from '@/components/automations/runs-panel'
import { WaitingRun } from '@/components/automations/waiting-run'
import { reasonText } from '@/components/messages/reason-text'
import { Skeleton } from '@/components/ui/page-skeleton'
import { Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { readSending } from '@/lib/automations/control-runs'
import { automationPage } from '@/lib/automations/filters'
import { automationLift } from '@/lib/automations/lift'
import { pageAutomation } from '@/lib/automations/reads'
import { automationResults } from '@/lib/automations/results'
import { listRuns } from '@/lib/automations/runs'
import { isMarketing } from '@/lib/automations/types'
import { channelTroubles } from '@/lib/messaging/providers'

export async function generateMetadata({ params }: PageProps<'/automations/[id]'>): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: (await pageAutomation((await params).id))?.automation?.name ?? t('automations') }
}

/** An automation: its results, runs and messages. */
export default async function AutomationPage({ params, searchParams }: PageProps<'/automations/[id]'>) {
  const found = await pageAutomation((await params).id)
  if (!found) return <NoAccess />
  const { session, automation } = found
  if (!automation) notFound()
  const shown = automationPage(automation.id).read(await searchParams)
  const [latest, troubles, sending, reasons] = await Promise.all([
    listRuns(session, automation.id, { limit: 5, folded: true }),
    channelTroubles(session),
    readSending(session),
    getTranslations('client.messageReasons'),
  ])
  // After the runs: one that ends in between is still watched, and the page read anew.
  const [results, lift] = await Promise.all([
    automationResults(session, automation.id, shown.days),
    isMarketing(automation.type) ? automationLift(session, automation.id) : null,
  ])
  const open = latest.data.filter(({ status }) => status === 'running' || status === 'paused')
  const waiting = latest.data.filter(({ status }) => status === 'waiting_approval')
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
          <RunWatch
            key={one.id}
            run={one}
            why={one.status === 'paused' ? reasonText(reasons, one.reason) : null}
          />
        ))}
        <ResultsPanel results={results} days={shown.days} />
        <EngagementPanel messages={results.messages} links={results.links} />
        {lift ? <LiftPanel lift={lift} /> : null}
        <Suspense fallback={<Skeleton height={200} />}>
          <RunsPanel session={session} automationId={automation.id} shown={shown} />
        </Suspense>
        <Suspense fallback={<Skeleton height={320} />}>
          <MessagesPanel session={session} automationId={automation.id} shown={shown} />
        </Suspense>
      </Panels>
    </>
  )
}
