import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { SubscriptionPanel } from '@/components/unsubscribe/subscription-panel'
import { guestMetadata } from '@/lib/guests/metadata'
import { unsubscribeQuery } from '@/lib/messaging/operations'
import { readSubscription } from '@/lib/messaging/unsubscribe'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('unsubscribe')
  // The address is as good as a key: it goes nowhere else.
  return { ...guestMetadata(t('title')), referrer: 'no-referrer' }
}

/** Where a message's unsubscribe link leads. Looking changes nothing: mail scanners look too. */
export default async function UnsubscribePage({ params, searchParams }: PageProps<'/u/[token]'>) {
  const [{ token }, query] = await Promise.all([params, searchParams])
  const subscription = await readSubscription(token)
  if (!subscription) notFound()
  return (
    <main>
      <SubscriptionPanel
        link={{ token, message: unsubscribeQuery.parse(query).m }}
        subscription={subscription}
        locale={await getLocale()}
      />
    </main>
  )
}
