import { IconPrinter } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ForgetLists } from '@/components/forms/draft-owner'
import { ShiftNotesFold } from '@/components/morning/shift-notes'
import { Board } from '@/components/service/board'
import classes from '@/components/service/board.module.css'
import { ChooseLocation, ServiceViews } from '@/components/service/choose-location'
import { ClientTexts } from '@/components/ui/client-texts'
import { LinkButton } from '@/components/ui/link-button'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { servedLocation } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { listShiftNotes } from '@/lib/morning/notes'
import { reservationsPrint } from '@/lib/reservations/filters'
import { readService } from '@/lib/service/service'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('nav')
  return { title: t('service') }
}

/** Tonight's service in one location, for the host: expected, waiting and seated parties. */
export default async function ServicePage({ searchParams }: PageProps<'/service'>) {
  const session = await pageSessionWith('canAccessOperaciones')
  if (!session) return <NoAccess />
  const [query, all, t] = await Promise.all([
    searchParams,
    listLocations(session),
    getTranslations('service'),
  ])
  const { location, locations } = await servedLocation(query, all)
  const theirs = { person: session.user_id, locations: all.map(({ id }) => id) }
  if (!location)
    return (
      <>
        <ForgetLists except={theirs} />
        <ChooseLocation title={t('title')} path="/service" locations={locations} can={session.can} />
      </>
    )
  const [service, notes] = await Promise.all([
    readService(session, { locationId: location.id }),
    listShiftNotes(session, { locationId: location.id }),
  ])
  return (
    <div className={classes.page}>
      <ForgetLists except={theirs} />
      <PageHeader title={t('title')} subtitle={location.name} tight>
        <ServiceViews locationId={location.id} current="parties" />
        <LinkButton
          href={reservationsPrint.href({ date: service.day, location_id: location.id })}
          target="_blank"
        >
          <IconPrinter size={16} aria-hidden />
          <span className={classes.word}>{t('print')}</span>
        </LinkButton>
      </PageHeader>
      <ClientTexts features={['service', 'facts', 'booking', 'closings', 'morning', 'risk']}>
        <Board
          key={location.id}
          person={session.user_id}
          cards={session.can('canAccessClientes') ? '/customers' : '/service/guests'}
          initial={service}
        />
        <ShiftNotesFold notes={notes} location={location} />
      </ClientTexts>
    </div>
  )
}
