'use client'
import { Button } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import type { RefObject } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { readableEmail } from '@/lib/contact/readable-email'
import type { GuestMatch, TypedGuest } from '@/lib/customers/matches-schema'
import { personName } from '@/lib/customers/person-name'
import { calendarDate } from '@/lib/i18n/formats'
import classes from './already-here.module.css'
import { useMatches } from './use-matches'

interface AlreadyHereProps {
  form: RefObject<HTMLFormElement | null>
  /** The guest's details from the form. */
  read: (fields: FormData) => TypedGuest
  /**
   * Called with the guest that is chosen. Without it, each guest links to their page in a new tab, so that the form
   * stays.
   */
  onUse?: (guest: { id: string; name: string }) => void
}

/** "Already here?": existing guests who may be the person typed into a form. Renders nothing without any. */
export function AlreadyHere({ form, read, onUse }: AlreadyHereProps) {
  const t = useTranslations('client.customerMatches')
  const matches = useMatches(form, read)
  return (
    <>
      <VisuallyHidden>
        <span aria-live="polite">{matches.length > 0 ? t('found', { count: matches.length }) : ''}</span>
      </VisuallyHidden>
      {matches.length > 0 ? (
        <section className={classes.box} aria-label={t('title')}>
          <h3>{t('title')}</h3>
          <ul className={classes.people}>
            {matches.map((guest) => (
              <Match key={guest.id} guest={guest} onUse={onUse} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

function Match({ guest, onUse }: { guest: GuestMatch; onUse: AlreadyHereProps['onUse'] }) {
  const t = useTranslations('client.customerMatches')
  const format = useFormatter()
  const name = personName(guest) ?? t('noName')
  const visit = guest.last_visit_on
    ? t('lastVisit', { date: format.dateTime(calendarDate(guest.last_visit_on), 'date') })
    : t('noVisit')
  const reasons = guest.reasons.map((reason) => t(`reasons.${reason}`)).join(', ')
  const of = <VisuallyHidden>{t('of', { name })}</VisuallyHidden>
  return (
    <li className={classes.person}>
      <div>
        <strong>{name}</strong>
        <small>
          {[guest.phone, guest.email && readableEmail(guest.email), visit].filter(Boolean).join(' · ')}
        </small>
        <small>{[t(`chances.${guest.chance}`), reasons].filter(Boolean).join(': ')}</small>
      </div>
      {onUse ? (
        <Button variant="default" size="xs" onClick={() => onUse({ id: guest.id, name })}>
          {t('use')}
          {of}
        </Button>
      ) : (
        <Button
          component="a"
          variant="default"
          size="xs"
          href={`/customers/${guest.id}`}
          target="_blank"
          rel="noopener"
        >
          {t('open')}
          {of}
        </Button>
      )}
    </li>
  )
}
