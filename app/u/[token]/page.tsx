import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { GuestBrand } from '@/components/ui/guest-brand'
import { SubscriptionPanel } from '@/components/unsubscribe/subscription-panel'
import { chosenLanguage } from '@/lib/guests/language'
import { readGuestLook } from '@/lib/guests/look'
import { guestMetadata } from '@/lib/guests/metadata'
import { unsubscribeQuery } from '@/lib/messaging/operations'
import { readPreferences } from '@/lib/messaging/preferences'
import { messageOf } from '@/lib/messaging/unsubscribe'
import { chosenOf } from '@/lib/messaging/unsubscribe-form'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('unsubscribe')
  // The address is as good as a key: it goes nowhere else.
  return { ...guestMetadata(t('title')), referrer: 'no-referrer' }
}

/** Where a message's unsubscribe link leads. Looking changes nothing: mail scanners look too. */
export default async function UnsubscribePage({ params, searchParams }: PageProps<'/u/[token]'>) {
  const [{ token }, query] = await Promise.all([params, searchParams])
  const preferences = await readPreferences(token)
  if (!preferences) notFound()
  const message = unsubscribeQuery.parse(query).m
  const { organizationId } = preferences.subscription.recipient
  return (
    <main>
      <GuestBrand look={await readGuestLook({ organizationId, messageId: messageOf(message) })}>
        <SubscriptionPanel
          link={{ token, message }}
          preferences={preferences}
          chosen={chosenOf(query)}
          language={chosenLanguage(query.lang)}
        />
      </GuestBrand>
    </main>
  )
}
