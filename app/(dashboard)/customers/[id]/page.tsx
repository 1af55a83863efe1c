import { IconCopy, IconDownload } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache, Suspense } from 'react'
import { ConsentPanel } from '@/components/customers/consent-panel'
import { ContactPanel } from '@/components/customers/contact-panel'
import { CustomerActions } from '@/components/customers/customer-actions'
import { CustomerHabits } from '@/components/customers/customer-habits'
import { CustomerFigures, CustomerHeader } from '@/components/customers/customer-header'
import { FactsStrip } from '@/components/customers/facts-strip'
import { MergesPanel } from '@/components/customers/merges-panel'
import { PointsPanel } from '@/components/customers/points-panel'
import { TimelinePanel } from '@/components/customers/timeline-panel'
import { LatestFeedback } from '@/components/feedback/latest-feedback'
import { DownloadLink } from '@/components/forms/download-link'
import { NewReservation } from '@/components/reservations/new-reservation'
import { Link } from '@/components/ui/link'
import { Skeleton } from '@/components/ui/page-skeleton'
import { Panels } from '@/components/ui/panel'
import { currentServiceDay } from '@/components/ui/service-day'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { brandNames } from '@/lib/brands/brands'
import { readableEmail } from '@/lib/contact/readable-email'
import { readGuestCard } from '@/lib/customers/guest-card'
import { customerHabits } from '@/lib/customers/habits'
import { listMerges } from '@/lib/customers/merges'
import { personName, writtenName } from '@/lib/customers/person-name'
import { listPoints } from '@/lib/customers/points'
import { customerBelongings, getCustomer, NOTHING } from '@/lib/customers/read-customer'
import type { TimelineKind } from '@/lib/customers/timeline-schema'
import { latestFeedback } from '@/lib/feedback/reads'
import { zoneOf } from '@/lib/locations/chosen-location'
import { listLocations } from '@/lib/locations/locations'
import { SUBJECT_EXPORT_ROLES } from '@/lib/permissions'
import { isUuid } from '@/lib/uuid'
import classes from './page.module.css'

const POINTS_SHOWN = 6

/** The title and the page both read the customer; `cache` makes it one query. */
const load = cache(getCustomer)

export async function generateMetadata({ params }: PageProps<'/customers/[id]'>): Promise<Metadata> {
  const t = await getTranslations()
  const session = await pageSessionWith('canAccessClientes')
  const customer = session && (await load(session, (await params).id))
  return { title: (customer && personName(customer)) ?? t('nav.customers') }
}

/** Everything about one customer. */
export default async function CustomerPage({ params, searchParams }: PageProps<'/customers/[id]'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const { id } = await params
  if (!isUuid(id)) notFound()
  const { can } = session
  // All at once: of a customer that is not visible there is nothing.
  const [customer, card, query, locations, belongings, points, habits, merges, feedback, t] =
    await Promise.all([
      load(session, id),
      readGuestCard(session, id),
      searchParams,
      listLocations(session),
      customerBelongings(session, [id]),
      listPoints(session, id, { limit: POINTS_SHOWN }),
      customerHabits(session, id),
      listMerges(session, id),
      latestFeedback(session, id),
      getTranslations(),
    ])
  if (!customer || !card) notFound()
  const name = personName(customer) ?? t('reservation.noName')
  const location = locations.find(({ id }) => id === customer.location_id)
  const places = locations.map(({ id, name }) => ({ value: id, label: name }))
  const only = locations.length === 1 ? locations[0] : undefined
  const kinds: TimelineKind[] = [
    'reservation',
    ...(can('canAccessMarketing') ? (['message'] as const) : []),
    'conversation',
    'ticket',
    'feedback',
    ...(can('canViewSettings') ? (['change'] as const) : []),
  ]
  return (
    <>
      <CustomerHeader customer={customer} name={name}>
        {can('canAccessOperaciones') && places.length > 0 ? (
          <NewReservation
            locations={places}
            locationId={(location ?? only)?.id ?? ''}
            date={currentServiceDay(zoneOf(session, locations, location))}
            findsCustomers
            customer={{
              id: customer.id,
              name:
                writtenName(customer) ??
                (customer.email && readableEmail(customer.email)) ??
                customer.phone ??
                name,
            }}
          />
        ) : null}
        <CustomerActions
          customer={customer}
          name={name}
          belongings={belongings.get(customer.id) ?? NOTHING}
          locations={places}
        >
          <Link href="/customers/duplicates" prefetch={false}>
            <IconCopy size={16} aria-hidden />
            {t('customer.duplicates')}
          </Link>
          {SUBJECT_EXPORT_ROLES.includes(session.role) && (
            <DownloadLink
              href={`/api/customers/${customer.id}/export`}
              confirm={session.second_factor.enrolled}
            >
              <IconDownload size={16} aria-hidden />
              {t('customer.export')}
            </DownloadLink>
          )}
        </CustomerActions>
      </CustomerHeader>
      <FactsStrip customerId={customer.id} facts={card.facts} suggested={card.suggested} />
      <LatestFeedback feedback={feedback} />
      <CustomerFigures customer={customer} />
      <CustomerHabits habits={habits} />
      <div className={classes.grid}>
        <Suspense key={`${query.kind} ${query.cursor}`} fallback={<Skeleton height={480} />}>
          <TimelinePanel
            session={session}
            customerId={customer.id}
            kinds={kinds}
            timeZone={location?.timezone}
            query={query}
          />
        </Suspense>
        <Panels>
          <ContactPanel
            customer={customer}
            location={location?.name ?? null}
            firstReservation={habits.first_date}
          />
          <ConsentPanel customer={customer} brands={await brandNames(session, customer.muted_brands)} />
          <PointsPanel customer={customer} name={name} entries={points.data} />
          <MergesPanel merges={merges} />
        </Panels>
      </div>
    </>
  )
}
