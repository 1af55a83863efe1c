import { Button } from '@mantine/core'
import { IconMail, IconMailOff } from '@tabler/icons-react'
import { getTranslations } from 'next-intl/server'
import { StatePage } from '@/components/ui/state-page'
import type { Locale } from '@/lib/i18n/locales'
import type { Subscription } from '@/lib/messaging/unsubscribe'
import { maskAddress } from './mask-address'

interface SubscriptionPanelProps {
  token: string
  subscription: Subscription
  locale: Locale
}

/** Whether somebody gets messages, and the one button that changes it: a plain form, it works without scripts. */
export async function SubscriptionPanel({ token, subscription, locale }: SubscriptionPanelProps) {
  const t = await getTranslations({ locale, namespace: 'unsubscribe' })
  const { recipient, organizationName, state } = subscription
  const values = {
    organization: organizationName,
    channel: t(`channel.${recipient.channel}`),
    address: maskAddress(recipient.address),
  }
  return (
    <StatePage
      icon={state === 'subscribed' ? IconMail : IconMailOff}
      title={t(`${state}.title`)}
      text={t(`${state}.text`, values)}
    >
      {state === 'blocked' ? null : (
        <form method="post" action={`/api/u/${token}`}>
          <input type="hidden" name="action" value={state === 'subscribed' ? 'unsubscribe' : 'undo'} />
          <Button type="submit" variant={state === 'subscribed' ? 'filled' : 'default'}>
            {t(`${state}.action`)}
          </Button>
        </form>
      )}
    </StatePage>
  )
}
