import { Button } from '@mantine/core'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { GUEST_LANGUAGES, type GuestLanguage, LANGUAGE_NAMES } from '@/lib/i18n/guest-languages'
import { FREQUENCIES } from '@/lib/messaging/operations'
import type { Preferences } from '@/lib/messaging/preferences'
import { type Link, subscriptionHref } from '@/lib/messaging/unsubscribe'
import type { Chosen } from '@/lib/messaging/unsubscribe-form'
import { channelLines } from './channel-lines'
import classes from './preferences.module.css'

interface PreferencesFormProps {
  link: Link
  preferences: Preferences
  /** What a refused form had, which is not lost. */
  chosen: Chosen
  /** The language that the guest chose on the page. */
  language: GuestLanguage | null
}

/** What a guest gets from the group: a plain form that works without scripts. */
export async function PreferencesForm({ link, preferences, chosen, language }: PreferencesFormProps) {
  const t = await getTranslations('unsubscribe')
  const { saved, refused } = chosen
  // Offered, not yet saved: whoever reads the page in a language may want the messages in another.
  const wanted = refused?.guest_language ?? (saved ? null : language) ?? preferences.language
  const { known, channels, brands } = preferences
  const { lines, closed } = channelLines(channels)
  const frequency = refused?.frequency ?? (lines.some(({ isOn }) => isOn) ? preferences.frequency : 'none')
  return (
    <form method="post" action={subscriptionHref(link, language)} className={classes.form}>
      {language ? <input type="hidden" name="language" value={language} /> : null}
      <input type="hidden" name="action" value="preferences" />
      <fieldset>
        <legend>{t('form.channels')}</legend>
        {/* An empty one says that the form asks, when none is chosen. */}
        <input type="hidden" name="channels" value="" />
        {lines.map(({ channels: names, isOn }) => (
          <Choice
            key={names[0]}
            type="checkbox"
            name="channels"
            value={names.join(',')}
            checked={refused?.channels ? names.every((each) => refused.channels?.includes(each)) : isOn}
          >
            {names.map((each) => t(`form.channel.${each}`)).join(` ${t('form.and')} `)}
          </Choice>
        ))}
        {closed.map((each) => (
          <p key={each} className={classes.closed}>
            {t('form.closed', { channel: t(`name.${each}`) })}
          </p>
        ))}
      </fieldset>
      {known ? (
        <fieldset>
          <legend>{t('form.frequency')}</legend>
          {FREQUENCIES.map((each) => (
            <Choice key={each} type="radio" name="frequency" value={each} checked={each === frequency}>
              {t(`form.often.${each}`)}
            </Choice>
          ))}
        </fieldset>
      ) : null}
      {known && brands.length > 1 ? (
        <fieldset>
          <legend>{t('form.brands')}</legend>
          <input type="hidden" name="brands" value="" />
          {brands.map(({ id, name, wanted }) => (
            <Choice
              key={id}
              type="checkbox"
              name="brands"
              value={id}
              checked={refused?.brands ? refused.brands.includes(id) : wanted}
            >
              <span lang="">{name}</span>
            </Choice>
          ))}
        </fieldset>
      ) : null}
      {known ? (
        <label className={classes.language}>
          <span>{t('form.language')}</span>
          <select name="guest_language" defaultValue={wanted ?? ''}>
            {preferences.language === null ? <option value="">{t('form.sameLanguage')}</option> : null}
            {GUEST_LANGUAGES.map((each) => (
              <option key={each} value={each} lang={each}>
                {LANGUAGE_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <Button type="submit" fullWidth>
        {t('form.save')}
      </Button>
    </form>
  )
}

interface ChoiceProps {
  type: 'checkbox' | 'radio'
  name: string
  value: string
  checked: boolean
  children: ReactNode
}

function Choice({ checked, children, ...input }: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input {...input} defaultChecked={checked} />
      <span>{children}</span>
    </label>
  )
}
