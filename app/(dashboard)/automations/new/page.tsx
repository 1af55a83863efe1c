import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { z } from 'zod'
import { EditorFrame } from '@/components/automations/editor/editor-frame'
import { TypeCards } from '@/components/automations/type-cards'
import { BackLink } from '@/components/ui/back-link'
import { PageHeader } from '@/components/ui/page-header'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { pageAddress } from '@/lib/http/page-address'

const address = pageAddress('/automations/new', z.object({ type: z.enum(AUTOMATION_TYPES).optional() }))

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('automations')
  return { title: t('editNew') }
}

/** Choose a type of automation, then fill in the editor. */
export default async function NewAutomationPage({ searchParams }: PageProps<'/automations/new'>) {
  const session = await pageSessionWith('canAccessMarketing')
  if (!session) return <NoAccess />
  const [query, t] = await Promise.all([searchParams, getTranslations('automations')])
  const { type } = address.read(query)
  return (
    <>
      <BackLink href="/automations">{t('back')}</BackLink>
      <PageHeader title={t('choose.title')} subtitle={type ? null : t('choose.subtitle')} />
      {type ? <EditorFrame key={type} session={session} type={type} /> : <TypeCards />}
    </>
  )
}
