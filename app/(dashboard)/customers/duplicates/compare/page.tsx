import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { z } from 'zod'
import { mergeFields } from '@/components/customers/merge-fields'
import { MergeForm } from '@/components/customers/merge-form'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readableEmail } from '@/lib/contact/readable-email'
import { personName } from '@/lib/customers/person-name'
import { customerBelongings, getCustomer, NOTHING } from '@/lib/customers/read-customer'
import { pageAddress } from '@/lib/http/page-address'
import { listLocations } from '@/lib/locations/locations'

const customerId = z.string().optional()
const comparePage = pageAddress(
  '/customers/duplicates/compare',
  z.object({ keep: customerId, merge: customerId }),
)

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('duplicates.compare')
  return { title: t('title') }
}

/** Two customers side by side: choose which values to keep, see what moves, merge. */
export default async function ComparePage({ searchParams }: PageProps<'/customers/duplicates/compare'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const { keep = '', merge = '' } = comparePage.read(await searchParams)
  if (keep === merge) redirect('/customers/duplicates')
  const [kept, gone, locations, t] = await Promise.all([
    getCustomer(session, keep),
    getCustomer(session, merge),
    listLocations(session),
    getTranslations('duplicates'),
  ])
  if (!kept || !gone) notFound()
  const belongings = await customerBelongings(session, [gone.id])
  const nameOf = (person: typeof kept) =>
    personName(person) ?? (person.email && readableEmail(person.email)) ?? t('noName')
  const fields = await mergeFields(kept, gone, new Map(locations.map(({ id, name }) => [id, name])))
  return (
    <>
      <BackLink href="/customers/duplicates">{t('compare.back')}</BackLink>
      <PageHeader title={t('compare.title')} subtitle={t('compare.subtitle')} />
      <MergeForm
        key={`${kept.id} ${gone.id}`}
        kept={{ id: kept.id, name: nameOf(kept) }}
        gone={{ id: gone.id, name: nameOf(gone) }}
        fields={fields}
        belongings={belongings.get(gone.id) ?? NOTHING}
        swapHref={comparePage.href({ keep: gone.id, merge: kept.id })}
      />
    </>
  )
}
