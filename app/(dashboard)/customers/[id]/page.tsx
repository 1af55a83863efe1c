import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache, Suspense } from 'react'
import { ContactPanel } from '@/components/customers/contact-panel'
import { CustomerFigures } from '@/components/customers/customer-figures'
import { CustomerHeader } from '@/components/customers/customer-header'
import { HistoryPanel } from '@/components/customers/history-panel'
import { NoAccess } from '@/components/ui/no-access'
import { personName } from '@/components/ui/person-name'
import { param } from '@/components/ui/query'
import { Skeleton } from '@/components/ui/skeleton'
import { pageSessionWith } from '@/lib/auth/page-session'
import { getCustomer } from '@/lib/customers/get-customer'
import { listLocations } from '@/lib/organization/list-locations'
import { firstReservation } from '@/lib/reservations/first-reservation'
import classes from './page.module.css'

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
  const [query, locations, first, t] = await Promise.all([
    searchParams,
    listLocations(session),
    firstReservation(session, customer.id),
    getTranslations('reservation'),
  ])
  return (
    <>
      <CustomerHeader customer={customer} name={personName(customer) ?? t('noName')} />
      <CustomerFigures customer={customer} />
      <div className={classes.grid}>
        {session.can('canAccessOperaciones') ? (
          <Suspense fallback={<Skeleton height={320} />}>
            <HistoryPanel
              session={session}
              customerId={customer.id}
              cursor={param(query, 'cursor', 1000) || undefined}
            />
          </Suspense>
        ) : null}
        <ContactPanel
          customer={customer}
          location={locations.find(({ id }) => id === customer.location_id)?.name ?? null}
          firstReservation={first}
        />
      </div>
    </>
  )
}
