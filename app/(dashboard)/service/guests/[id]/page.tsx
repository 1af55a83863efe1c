import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { CustomerHabits } from '@/components/customers/customer-habits'
import classes from '@/components/customers/customer-header.module.css'
import { FactsStrip } from '@/components/customers/facts-strip'
import { GuestNotes } from '@/components/service/guest-notes'
import { BackLink } from '@/components/ui/back-link'
import { Badge, TierBadge } from '@/components/ui/badge'
import { ClientTexts } from '@/components/ui/client-texts'
import { PageHeader } from '@/components/ui/page-header'
import { Panel, Panels } from '@/components/ui/panel'
import { NoAccess } from '@/components/ui/state-page'
import { pageSessionWith } from '@/lib/auth/page-session'
import { readGuestCard } from '@/lib/customers/guest-card'
import { customerHabits } from '@/lib/customers/habits'
import { shownName } from '@/lib/customers/person-name'

/** The title and the page both read the guest; `cache` makes it one query. */
const load = cache(async (id: string) => {
  const session = await pageSessionWith('canUseGuestCards')
  return session && { session, card: await readGuestCard(session, id) }
})

export async function generateMetadata({ params }: PageProps<'/service/guests/[id]'>): Promise<Metadata> {
  const [t, found] = await Promise.all([getTranslations(), load((await params).id)])
  return { title: found?.card?.name ? shownName(found.card.name) : t('nav.service') }
}

/** A guest's card for floor staff: allergies, notes and habits, without addresses or spend. */
export default async function GuestPage({ params }: PageProps<'/service/guests/[id]'>) {
  const [found, t] = await Promise.all([load((await params).id), getTranslations()])
  if (!found) return <NoAccess />
  const { session, card } = found
  if (!card) notFound()
  const habits = await customerHabits(session, card.id)
  const name = card.name ? shownName(card.name) : t('reservation.noName')
  return (
    <ClientTexts features={['service', 'facts', 'customerFacts']}>
      <BackLink href="/service">{t('nav.service')}</BackLink>
      <PageHeader
        title={name}
        subtitle={
          <span className={classes.badges}>
            {t('service.card')}
            <TierBadge tier={card.tier === null ? null : { name: card.tier }} />
            {card.tags.map((tag) => (
              <Badge key={tag} tone="neutral">
                {tag}
              </Badge>
            ))}
          </span>
        }
      />
      <FactsStrip customerId={card.id} facts={card.facts} suggested={card.suggested} />
      <CustomerHabits habits={habits} />
      <Panels>
        <Panel title={t('service.notes')}>
          <GuestNotes guestId={card.id} notes={card.notes ?? ''} />
        </Panel>
      </Panels>
    </ClientTexts>
  )
}
