'use client'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { fieldId } from '@/components/automations/editor/problems'
import { Step } from '@/components/automations/editor/steps'
import { FormRow } from '@/components/ui/form-layout'
import { useClock } from '@/components/ui/use-clock'
import type { PartProps } from './draft'
import classes from './editor.module.css'
import { startProblem } from './timing'

/** What the time of a campaign is compared with. */
export interface Hours {
  /** The time zones of the locations. */
  zones: readonly string[]
  /** That of guests without a location, to whom a campaign for all goes too. */
  groupZone: string
  /** The server's time when it made the page. */
  now: string
}

/** When it goes: at once, or at a time of each location; with a warning when that time does not serve. */
export function WhenPart({ draft, change, errorAt, hours }: PartProps & { hours: Hours }) {
  const t = useTranslations('client.campaignEditor')
  const now = useClock(new Date(hours.now))
  const zones = draft.location_ids.length === 0 ? [...hours.zones, hours.groupZone] : hours.zones
  const problem = draft.when === 'at' && draft.start !== '' ? startProblem(draft.start, zones, now) : null
  return (
    <Step number={5} title={t('parts.when')}>
      <FormRow>
        <NativeSelect
          id={fieldId('when')}
          label={t('when.label')}
          data={[
            { value: 'now', label: t('when.now') },
            { value: 'at', label: t('when.at') },
          ]}
          value={draft.when}
          onChange={(event) => change({ when: event.currentTarget.value as 'now' | 'at' })}
        />
        {draft.when === 'at' ? (
          <TextInput
            id={fieldId('starts_local')}
            type="datetime-local"
            label={t('when.start')}
            description={t('when.startHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={draft.start}
            onChange={(event) => change({ start: event.currentTarget.value })}
            error={errorAt('starts_local')}
          />
        ) : null}
      </FormRow>
      <p role="status" className={classes.warning}>
        {problem ? t(`when.${problem}`) : null}
      </p>
      <p className={classes.hint}>{t('when.quietHint')}</p>
    </Step>
  )
}
