import { Button } from '@mantine/core'
import { IconCheck, IconMail, IconMailOff } from '@tabler/icons-react'
import { getFormatter, getTranslations } from 'next-intl/server'
import { GuestLanguages } from '@/components/ui/guest-languages'
import { StatePage } from '@/components/ui/state-page'
import { readableEmail } from '@/lib/contact/readable-email'
import type { GuestLanguage } from '@/lib/i18n/guest-languages'
import type { Preferences } from '@/lib/messaging/preferences'
import { type Link, subscriptionHref } from '@/lib/messaging/unsubscribe'
import type { Chosen } from '@/lib/messaging/unsubscribe-form'
import { channelLines } from './channel-lines'
import classes from './preferences.module.css'
import { PreferencesForm } from './preferences-form'

interface SubscriptionPanelProps {
  link: Link
  preferences: Preferences
  chosen: Chosen
  /** The language that the guest chose on the page. */
  language: GuestLanguage | null
}

/** What an address gets, one button that ends it all, and a form to choose: plain forms that work without scripts. */
export async function SubscriptionPanel({ link, preferences, chosen, language }: SubscriptionPanelProps) {
  const t = await getTranslations('unsubscribe')
  const { recipient, organizationName, state } = preferences.subscription
  const { lines } = channelLines(preferences.channels)
  const values = {
    organization: organizationName,
    channel: t(`channel.${recipient.channel}`),
    address: maskAddress(readableEmail(recipient.address)),
  }
  const several = lines.length > 1
  const isOn = lines.some((line) => line.isOn)
  const text = chosen.saved
    ? await summary(preferences)
    : t(state === 'subscribed' && several ? 'subscribed.textOfAll' : `${state}.text`, values)
  return (
    <>
      <StatePage
        icon={chosen.saved ? IconCheck : state === 'subscribed' ? IconMail : IconMailOff}
        title={chosen.saved ? t('saved.title') : t(`${state}.title`)}
        text={text}
      >
        <div className={classes.stack}>
          {chosen.refused ? (
            <p role="alert" className={classes.refused}>
              {t('refused')}
            </p>
          ) : null}
          <div className={classes.taps}>
            {state === 'unsubscribed' ? (
              <Tap link={link} language={language} isNew={!chosen.saved} action="undo" variant="default">
                {t('unsubscribed.action')}
              </Tap>
            ) : null}
            {isOn ? (
              <Tap link={link} language={language} isNew={!chosen.saved} action="unsubscribe">
                {t(several ? 'subscribed.actionOfAll' : 'subscribed.action')}
              </Tap>
            ) : null}
          </div>
          {lines.length > 0 ? (
            <PreferencesForm link={link} preferences={preferences} chosen={chosen} language={language} />
          ) : null}
        </div>
      </StatePage>
      <GuestLanguages hrefOf={(each) => subscriptionHref(link, each)} />
    </>
  )
}

interface TapProps {
  link: Link
  language: GuestLanguage | null
  /** Whether the language was chosen since the guest last saved one. */
  isNew: boolean
  action: 'unsubscribe' | 'undo'
  variant?: 'filled' | 'default'
  children: string
}

/** A button that does it at once. */
function Tap({ link, language, isNew, action, variant = 'filled', children }: TapProps) {
  return (
    <form method="post" action={subscriptionHref(link, language)}>
      {language ? <input type="hidden" name="language" value={language} /> : null}
      {language && isNew ? <input type="hidden" name="guest_language" value={language} /> : null}
      <input type="hidden" name="action" value={action} />
      {action === 'unsubscribe' ? <input type="hidden" name="frequency" value="none" /> : null}
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </form>
  )
}

/** What counts now, in a sentence or two. */
async function summary({ channels, frequency, brands }: Preferences): Promise<string> {
  const t = await getTranslations('unsubscribe')
  const format = await getFormatter()
  const open = channels.filter(({ state }) => state === 'on').map(({ channel }) => channel)
  if (open.length === 0) return t('saved.none')
  const names = format.list(open.map((channel) => t(`name.${channel}`)))
  const muted = brands.filter(({ wanted }) => !wanted).map(({ name }) => name)
  return [
    t(`saved.${frequency}`, { channels: names }),
    ...(muted.length > 0 ? [t('saved.without', { brands: format.list(muted) })] : []),
  ].join(' ')
}

/** A masked address that only its owner recognises: `an…@example.com`, `+34 … 01`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return `${address.slice(0, 3)} … ${address.slice(-2)}`
  return `${address.slice(0, Math.min(2, at - 1))}…${address.slice(at)}`
}
