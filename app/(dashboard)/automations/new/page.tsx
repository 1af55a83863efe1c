import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { BackLink } from '@/components/automations/back-link'
import { EditorFrame } from '@/components/automations/editor/editor-frame'
import { TypeCards } from '@/components/automations/type-cards'
import { NoAccess } from '@/components/ui/no-access'
import { PageHeader } from '@/components/ui/page-header'
import { choice } from '@/components/ui/query'
import { pageSessionWith } from '@/lib/auth/page-session'
import { AUTOMATION_TYPES } from '@/lib/automations/types'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('automations')
  return { title: t('editNew') }
}

/** What it should do, then the editor of that. */
export default async function NewAutomationPage({ searchParams }: PageProps<'/automations/new'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('automations')])
  const type = choice(query, 'type', AUTOMATION_TYPES)
  return (
    <>
      <BackLink href="/automations" text={t('back')} />
      <PageHeader title={t('choose.title')} subtitle={type ? null : t('choose.subtitle')} />
      {type ? <EditorFrame key={type} session={session} type={type} /> : <TypeCards />}
    </>
  )
}
