import { IconDownload } from '@tabler/icons-react'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache, Suspense } from 'react'
import { ConsentPanel } from '@/components/customers/consent-panel'
import { ContactPanel } from '@/components/customers/contact-panel'
import { CustomerActions } from '@/components/customers/customer-actions'
import { CustomerFigures } from '@/components/customers/customer-figures'
import { CustomerHeader } from '@/components/customers/customer-header'
import { PointsPanel } from '@/components/customers/points-panel'
import { TimelinePanel } from '@/components/customers/timeline-panel'
import { DownloadLink } from '@/components/ui/download-link'
import { NoAccess } from '@/components/ui/no-access'
import { Panels } from '@/components/ui/panels'
import { personName } from '@/components/ui/person-name'
import { choice, param } from '@/components/ui/query'
import { Skeleton } from '@/components/ui/skeleton'
import { pageSessionWith } from '@/lib/auth/page-session'
import { SUBJECT_EXPORT_ROLES } from '@/lib/auth/permissions'
import { customerBelongings, NOTHING } from '@/lib/customers/belongings'
import { getCustomer } from '@/lib/customers/get-customer'
import { listPoints } from '@/lib/customers/points'
import type { TimelineKind } from '@/lib/customers/timeline-schema'
import { listLocations } from '@/lib/organization/list-locations'
import { firstReservation } from '@/lib/reservations/first-reservation'
import classes from './page.module.css'

const POINTS_SHOWN = 6

/** Title and page ask for the same customer: one query. */
const load = cache(async (id: string) => {
  const session = await pageSessionWith('canAccessClientes')
  return session && { session, customer: await getCustomer(session, id) }
})

export async function generateMetadata({ params }: PageProps<'/customers/[id]'>): Promise<Metadata> {
  const t = await getTranslations()
  const found = await load((await params).id)
  return {
    title: (found?.customer && personName(found.customer)) ?? t('nav.customers'),
  }
}

/** Everything about one customer. */
export default async function CustomerPage({ params, searchParams }: PageProps<'/customers/[id]'>) {
  const found = await load((await params).id)
  if (!found) return <NoAccess />
  const { session, customer } = found
  if (!customer) notFound()
  const { can } = session
  const [query, locations, first, belongings, points, t] = await Promise.all([
    searchParams,
    listLocations(session),
    firstReservation(session, customer.id),
    customerBelongings(session, [customer.id]),
    listPoints(session, customer.id, { limit: POINTS_SHOWN }),
    getTranslations(),
  ])
  const name = personName(customer) ?? t('reservation.noName')
  const location = locations.find(({ id }) => id === customer.location_id)
  const kinds: TimelineKind[] = [
    'reservation',
    ...(can('canAccessMarketing') ? (['message'] as const) : []),
    'ticket',
    ...(can('canViewSettings') ? (['change'] as const) : []),
  ]
  const show = choice(query, 'show', kinds)
  const cursor = param(query, 'cursor', 1000) || undefined
  return (
    <>
      <CustomerHeader customer={customer} name={name}>
        {SUBJECT_EXPORT_ROLES.includes(session.role) && (
          <DownloadLink
            href={`/api/customers/${customer.id}/export`}
            confirm={session.second_factor.enrolled}
          >
            <IconDownload size={16} aria-hidden />
            {t('customer.export')}
          </DownloadLink>
        )}
        <CustomerActions
          customer={customer}
          name={name}
          belongings={belongings.get(customer.id) ?? NOTHING}
          locations={locations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </CustomerHeader>
      <CustomerFigures customer={customer} />
      <div className={classes.grid}>
        <Suspense key={`${show} ${cursor}`} fallback={<Skeleton height={480} />}>
          <TimelinePanel
            session={session}
            customerId={customer.id}
            kinds={kinds}
            show={show}
            cursor={cursor}
            timeZone={location?.timezone}
          />
        </Suspense>
        <Panels>
          <ContactPanel customer={customer} location={location?.name ?? null} firstReservation={first} />
          <ConsentPanel customer={customer} />
          <PointsPanel customer={customer} name={name} entries={points.data} />
        </Panels>
      </div>
    </>
  )
}
