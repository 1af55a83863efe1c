import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { EditorFrame } from '@/components/automations/editor/editor-frame'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageAutomation } from '@/lib/automations/reads'

export async function generateMetadata({ params }: PageProps<'/automations/[id]/edit'>): Promise<Metadata> {
  const t = await getTranslations()
  const name = (await pageAutomation((await params).id))?.automation?.name
  return { title: name ? t('automations.editTitle', { name }) : t('nav.automations') }
}

/** The editor of an automation. */
export default async function EditAutomationPage({ params }: PageProps<'/automations/[id]/edit'>) {
  const found = await pageAutomation((await params).id)
  if (!found) return <NoAccess />
  const { session, automation } = found
  if (!automation) notFound()
  const { id, name, type, updated_at } = automation
  const t = await getTranslations('automations')
  return (
    <>
      <BackLink href={`/automations/${id}`}>{name}</BackLink>
      <PageHeader title={t('editTitle', { name })} />
      <EditorFrame key={updated_at} session={session} type={type} automation={automation} />
    </>
  )
}
