import { Button } from '@mantine/core'
import { IconMail, IconMailOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { GuestLanguages } from '@/components/ui/guest-languages'
import { StatePage } from '@/components/ui/state-page'
import { readableEmail } from '@/lib/contact/readable-email'
import type { Locale } from '@/lib/i18n/locales'
import { type Link, type Subscription, subscriptionHref } from '@/lib/messaging/unsubscribe'

interface SubscriptionPanelProps {
  link: Link
  subscription: Subscription
  locale: Locale
}

/** Whether the address gets messages, and a button that changes it: a plain form that works without scripts. */
export async function SubscriptionPanel({ link, subscription, locale }: SubscriptionPanelProps) {
  const t = await getTranslations({ locale, namespace: 'unsubscribe' })
  const { recipient, organizationName, state } = subscription
  const values = {
    organization: organizationName,
    channel: t(`channel.${recipient.channel}`),
    address: maskAddress(readableEmail(recipient.address)),
  }
  return (
    <>
      <StatePage
        icon={state === 'subscribed' ? IconMail : IconMailOff}
        title={t(`${state}.title`)}
        text={t(`${state}.text`, values)}
      >
        {state === 'blocked' ? null : (
          <form method="post" action={subscriptionHref(link, locale)}>
            <input type="hidden" name="language" value={locale} />
            <input type="hidden" name="action" value={state === 'subscribed' ? 'unsubscribe' : 'undo'} />
            <Button type="submit" variant={state === 'subscribed' ? 'filled' : 'default'}>
              {t(`${state}.action`)}
            </Button>
          </form>
        )}
      </StatePage>
      <GuestLanguages locale={locale} hrefOf={(each) => subscriptionHref(link, each)} />
    </>
  )
}

/** A masked address that only its owner recognises: `an…@example.com`, `+34 … 01`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return `${address.slice(0, 3)} … ${address.slice(-2)}`
  return `${address.slice(0, Math.min(2, at - 1))}…${address.slice(at)}`
}
