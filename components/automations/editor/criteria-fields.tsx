'use client'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FormRow } from '@/components/ui/form-layout'
import type { StepProps } from './editor'
import { fieldId } from './use-problems'
import classes from './whom-step.module.css'

type Field = 'days_before' | 'inactive_days' | 'min_visits' | 'min_spend' | 'hours_after' | 'window_hours'
const HINTS: Partial<Record<Field, 'days_before_hint' | 'window_hint'>> = {
  days_before: 'days_before_hint',
  window_hours: 'window_hint',
}

/** What makes somebody match, by the automation's type. */
export function CriteriaFields({ draft, change, errorAt, tiers }: StepProps & { tiers: readonly string[] }) {
  const t = useTranslations('client.automationEditor.criteria')
  const set = (name: string, value: string) => change({ criteria: { ...draft.criteria, [name]: value } })
  const number = (name: Field) => (
    <TextInput
      id={fieldId(`criteria.${name}`)}
      label={t(name)}
      description={HINTS[name] ? t(HINTS[name]) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      autoComplete="off"
      maxLength={12}
      value={draft.criteria[name] ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
      error={errorAt(`criteria.${name}`)}
    />
  )
  switch (draft.type) {
    case 'birthday':
      return <FormRow>{number('days_before')}</FormRow>
    case 'reengagement':
      return (
        <FormRow>
          {number('inactive_days')}
          {number('min_visits')}
        </FormRow>
      )
    case 'vip_reward':
      return (
        <>
          <FormRow>
            <NativeSelect
              id={fieldId('criteria.min_tier')}
              label={t('min_tier')}
              data={[{ value: '', label: t('no_tier') }, ...tiers]}
              value={draft.criteria.min_tier ?? ''}
              onChange={(event) => set('min_tier', event.currentTarget.value)}
              error={errorAt('criteria.min_tier')}
            />
            {number('min_spend')}
          </FormRow>
          <p className={classes.hint}>{t('vip_hint')}</p>
        </>
      )
    case 'post_visit':
      return (
        <FormRow>
          {number('hours_after')}
          {number('window_hours')}
        </FormRow>
      )
    default:
      return <p className={classes.hint}>{t('confirmation')}</p>
  }
}
