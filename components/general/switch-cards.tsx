'use client'
import { Switch } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { OwnTexts } from '@/components/forms/error-text'
import { useSubmit } from '@/components/forms/use-submit'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import type { LocationRecord } from '@/lib/locations/schema'
import classes from './settings-card.module.css'

/** Whether running automations and saving loyalty rules needs the marketing permission. */
export function MarketingCard({ limited }: { limited: boolean }) {
  const t = useTranslations('client.general')
  return (
    <Panel title={t('cards.marketing.title')}>
      <p className={classes.text}>{t('cards.marketing.text')}</p>
      <SavedSwitch
        path="/api/organization"
        field="limit_marketing_to_roles"
        label={t('fields.limit_marketing_to_roles')}
        stored={limited}
        done={(on) => t(on ? 'marketingLimited' : 'marketingOpen')}
      />
    </Panel>
  )
}

/** Whether home shows the first steps, while one is still to be done. */
export function SetupCard({ shown }: { shown: boolean }) {
  const t = useTranslations('client.general')
  return (
    <Panel title={t('cards.setup.title')}>
      <p className={classes.text}>{t('cards.setup.text')}</p>
      <SavedSwitch
        path="/api/organization"
        field="show_setup"
        label={t('fields.show_setup')}
        stored={shown}
        done={(on) => t(on ? 'setupOn' : 'setupOff')}
      />
    </Panel>
  )
}

interface SecondFactorCardProps {
  required: boolean
  /** Whether the person's role may change it. */
  editable: boolean
}

/** Whether a super_admin or admin must have a second factor. */
export function SecondFactorCard({ required, editable }: SecondFactorCardProps) {
  const t = useTranslations('client.general')
  return (
    <Panel title={t('cards.secondFactor.title')}>
      <p className={classes.text}>{t('cards.secondFactor.text')}</p>
      <SavedSwitch
        path="/api/organization"
        field="require_second_factor"
        label={t('fields.require_second_factor')}
        stored={required}
        disabled={!editable}
        done={(on) => t(on ? 'secondFactorOn' : 'secondFactorOff')}
        texts={{ OWN_SECOND_FACTOR_FIRST: t('ownFirst') }}
      />
    </Panel>
  )
}

interface VisitsCardProps {
  locations: readonly Pick<LocationRecord, 'id' | 'name' | 'count_unmarked_visits'>[]
}

/** Whether each location counts confirmed reservations that were never marked as visits. */
export function VisitsCard({ locations }: VisitsCardProps) {
  const t = useTranslations('client.general')
  return (
    <Panel title={t('cards.visits.title')}>
      <p className={classes.text}>{t('cards.visits.text')}</p>
      <ul className={classes.locations}>
        {locations.map(({ id, name, count_unmarked_visits }) => (
          <li key={id}>
            <SavedSwitch
              path={`/api/locations/${id}`}
              field="count_unmarked_visits"
              label={name}
              stored={count_unmarked_visits}
              done={(on) => t(on ? 'visitsOn' : 'visitsOff', { name })}
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface SavedSwitchProps {
  path: string
  field: string
  label: string
  stored: boolean
  disabled?: boolean
  /** Returns the toast's text for the new state. */
  done: (on: boolean) => string
  texts?: OwnTexts
}

/** A switch that saves its field at once. */
function SavedSwitch({ path, field, label, stored, disabled = false, done, texts }: SavedSwitchProps) {
  const say = useToast()
  const [on, setOn] = useState(stored)
  const { busy, submit, failure } = useSubmit({ texts })

  async function change(wanted: boolean) {
    const answer = await submit<Record<string, unknown>>('PATCH', path, { [field]: wanted })
    if (!answer.ok) return
    const now = answer.data[field] === true
    setOn(now)
    say(done(now))
  }

  return (
    <Switch
      label={label}
      checked={on}
      disabled={busy || disabled}
      error={failure}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
