import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { BackLink } from '@/components/customers/back-link'
import { mergeFields } from '@/components/customers/merge-fields'
import { MergeForm } from '@/components/customers/merge-form'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { personName } from '@/components/ui/person-name'
import { param } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { customerBelongings, NOTHING } from '@/lib/customers/belongings'
import { getCustomer } from '@/lib/customers/get-customer'
import { listLocations } from '@/lib/organization/list-locations'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('duplicates.compare')
  return { title: t('title') }
}

/** Two customers side by side: which values to keep, what moves, and the merge. */
export default async function ComparePage({ searchParams }: PageProps<'/customers/duplicates/compare'>) {
  const session = await pageSessionWith('canAccessClientes')
  if (!session) return <NoAccess />
  const query = await searchParams
  const ids = [param(query, 'keep'), param(query, 'merge')] as const
  if (ids[0] === ids[1]) redirect('/customers/duplicates')
  const [kept, gone, locations, t] = await Promise.all([
    getCustomer(session, ids[0]),
    getCustomer(session, ids[1]),
    listLocations(session),
    getTranslations('duplicates'),
  ])
  if (!kept || !gone) notFound()
  const belongings = await customerBelongings(session, [gone.id])
  const nameOf = (person: typeof kept) => personName(person) ?? person.email ?? t('noName')
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
      />
    </>
  )
}
