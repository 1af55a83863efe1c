'use client'
import { Checkbox, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { CriteriaFields } from './criteria-fields'
import type { StepProps } from './editor'
import { Step } from './step'
import { fieldId } from './use-problems'
import classes from './whom-step.module.css'

export interface Named {
  id: string
  name: string
}

interface WhomStepProps extends StepProps {
  locations: readonly Named[]
  tiers: readonly Named[]
}

/** Whom it writes to: its criteria, and filters by location, tier and tag. */
export function WhomStep({ locations, tiers, ...step }: WhomStepProps) {
  const t = useTranslations('client.automationEditor')
  const { draft, change, errorAt } = step
  return (
    <Step number={2} title={t('steps.whom')}>
      <CriteriaFields {...step} tiers={tiers.map(({ name }) => name)} />
      <div>
        <h3 className={classes.title}>{t('filters')}</h3>
        <p className={classes.hint}>{t('filtersHint')}</p>
      </div>
      <Choices
        label={t('locations')}
        options={locations}
        chosen={draft.location_ids}
        onChange={(location_ids) => change({ location_ids })}
        error={errorAt('location_ids')}
      />
      <Choices
        label={t('tiers')}
        options={tiers}
        chosen={draft.tier_ids}
        onChange={(tier_ids) => change({ tier_ids })}
        error={errorAt('tier_ids')}
      />
      <TextInput
        id={fieldId('tags')}
        label={t('tags')}
        description={t('tagsHint')}
        value={draft.tags}
        onChange={(event) => change({ tags: event.currentTarget.value })}
        error={errorAt('tags')}
        maxLength={2000}
        autoComplete="off"
      />
    </Step>
  )
}

interface ChoicesProps {
  label: string
  options: readonly Named[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  error?: string
}

function Choices({ label, options, chosen, onChange, error }: ChoicesProps) {
  if (options.length === 0) return null
  return (
    <fieldset className={classes.choices}>
      <legend>{label}</legend>
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(event) =>
            onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
      {error ? (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
