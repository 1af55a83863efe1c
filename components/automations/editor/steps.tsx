'use client'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import {
  AUTOMATION_TYPES,
  type AutomationType,
  type CriteriaNumber,
  isMarketing,
  numbersOf,
} from '@/lib/automations/types'
import { CHANNELS, type Channel } from '@/lib/messaging/channels'
import type { ChannelTroubles } from '@/lib/messaging/providers'
import { kindOf, type MessageText, type StepProps } from './draft'
import { fieldId } from './problems'
import classes from './steps.module.css'

interface WhatStepProps extends StepProps {
  onType: (type: AutomationType) => void
}

/** The step with the automation's name and description. */
export function WhatStep({ draft, change, errorAt, onType }: WhatStepProps) {
  const t = useTranslations('client.automationEditor')
  const words = useTranslations('client.automations')
  return (
    <Step number={1} title={t('steps.what')}>
      <FormRow>
        <TextInput
          id={fieldId('name')}
          label={t('name')}
          description={t('nameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errorAt('name')}
          maxLength={120}
          autoComplete="off"
        />
        <NativeSelect
          id={fieldId('type')}
          label={t('type')}
          description={words(`explains.${draft.type}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={AUTOMATION_TYPES.map((type) => ({ value: type, label: words(`types.${type}`) }))}
          value={draft.type}
          onChange={(event) => onType(event.currentTarget.value as AutomationType)}
        />
      </FormRow>
    </Step>
  )
}

export interface Named {
  id: string
  name: string
}

interface WhomStepProps extends StepProps {
  /** The segments shared with the group. */
  segments: readonly Named[]
  locations: readonly Named[]
  tiers: readonly Named[]
}

/** The step with the recipients: criteria, and filters by location, tier and tag. */
export function WhomStep({ segments, locations, tiers, ...step }: WhomStepProps) {
  const t = useTranslations('client.automationEditor')
  const { draft, change, errorAt } = step
  return (
    <Step number={2} title={t('steps.whom')}>
      <CriteriaFields {...step} tiers={tiers.map(({ name }) => name)} />
      <div>
        <h3 className={classes.title}>{t('filters')}</h3>
        <p className={classes.hint}>{t('filtersHint')}</p>
      </div>
      {segments.length > 0 || draft.criteria.segment_id ? (
        <NativeSelect
          id={fieldId('criteria.segment_id')}
          label={t('segment')}
          description={t('segmentHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            { value: '', label: t('noSegment') },
            ...segments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.criteria.segment_id ?? ''}
          onChange={(event) =>
            change({ criteria: { ...draft.criteria, segment_id: event.currentTarget.value } })
          }
          error={errorAt('criteria.segment_id')}
        />
      ) : null}
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
      {isMarketing(draft.type) ? (
        <NumberField
          id={fieldId('control_share')}
          label={t('controlShare')}
          description={t('controlShareHint')}
          value={draft.controlShare}
          onChange={(controlShare) => change({ controlShare })}
          error={errorAt('control_share')}
        />
      ) : null}
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

/** Choices to tick, side by side; nothing without any. */
export function Choices({ label, options, chosen, onChange, error }: ChoicesProps) {
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

const HINTS: Partial<Record<CriteriaNumber, 'days_before_hint' | 'window_hint' | 'nudge_hint'>> = {
  nudge_hours: 'nudge_hint',
  days_before: 'days_before_hint',
  window_hours: 'window_hint',
}

/** The criteria a customer has to meet, by the automation's type. */
function CriteriaFields({ draft, change, errorAt, tiers }: StepProps & { tiers: readonly string[] }) {
  const t = useTranslations('client.automationEditor.criteria')
  const set = (name: string, value: string) => change({ criteria: { ...draft.criteria, [name]: value } })
  const number = (name: CriteriaNumber) => (
    <NumberField
      key={name}
      id={fieldId(`criteria.${name}`)}
      label={t(name)}
      description={HINTS[name] ? t(HINTS[name]) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={draft.criteria[name] ?? ''}
      onChange={(value) => set(name, value)}
      error={errorAt(`criteria.${name}`)}
      {...kindOf(draft.type, name)}
    />
  )
  const numbers = <FormRow>{numbersOf(draft.type).map(([name]) => number(name))}</FormRow>
  switch (draft.type) {
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
    case 'reservation_confirmation':
      return (
        <>
          <p className={classes.hint}>{t('confirmation')}</p>
          <Checkbox
            id={fieldId('criteria.answers')}
            label={t('answers')}
            description={t('answers_hint')}
            checked={draft.criteria.answers === 'true'}
            onChange={(event) => {
              const answers = event.currentTarget.checked ? 'true' : ''
              const question = draft.criteria.question || t('question_default')
              change({ criteria: { ...draft.criteria, answers, question } })
            }}
          />
          {draft.criteria.answers === 'true' ? (
            <>
              <TextInput
                id={fieldId('criteria.question')}
                label={t('question')}
                description={t('question_hint')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                autoComplete="off"
                maxLength={300}
                value={draft.criteria.question ?? ''}
                onChange={(event) => set('question', event.currentTarget.value)}
                error={errorAt('criteria.question')}
              />
              {numbers}
            </>
          ) : null}
        </>
      )
    default:
      return numbers
  }
}

/** The step with the channel and its fallback; `troubles` lists why a channel would deliver nothing. */
export function ChannelStep({ draft, change, errorAt, troubles }: StepProps & { troubles: ChannelTroubles }) {
  const t = useTranslations('client.automationEditor')
  return (
    <Step number={3} title={t('steps.channel')}>
      <ChannelFields
        message={draft}
        change={change}
        errorAt={errorAt}
        troubles={troubles}
        hasUnsubscribe={isMarketing(draft.type)}
      />
    </Step>
  )
}

interface ChannelFieldsProps {
  message: Pick<MessageText, 'channel' | 'fallback'>
  change: (changes: Partial<MessageText>) => void
  errorAt: StepProps['errorAt']
  troubles: ChannelTroubles
  /** Marketing does; a confirmation needs no unsubscribe link. */
  hasUnsubscribe?: boolean
  /** As in `MessageFields`. */
  at?: string
}

/** The channel of a message, its fallback, and what is wrong with them. */
export function ChannelFields({
  message: { channel, fallback },
  change,
  errorAt,
  troubles,
  hasUnsubscribe = true,
  at = '',
}: ChannelFieldsProps) {
  const t = useTranslations('client.automationEditor')
  const names = useTranslations('client.automations.channels')
  const options = (channels: readonly Channel[]) =>
    channels.map((value) => ({ value: value as string, label: names(value) }))
  const dry = CHANNELS.filter((one) => one === channel || one === fallback)
  return (
    <>
      <FormRow>
        <NativeSelect
          id={fieldId(`${at}channel`)}
          label={t('channel')}
          data={options(['email', 'sms', 'whatsapp'])}
          value={channel}
          onChange={(event) => {
            const next = event.currentTarget.value as Channel
            change({ channel: next, ...(next === fallback ? { fallback: '' } : {}) })
          }}
        />
        <NativeSelect
          id={fieldId(`${at}fallback_channel`)}
          label={t('fallback')}
          data={[
            { value: '', label: t('noFallback') },
            ...options(CHANNELS.filter((one) => one !== channel)),
          ]}
          value={fallback}
          onChange={(event) => change({ fallback: event.currentTarget.value as Channel | '' })}
          error={errorAt(`${at}fallback_channel`)}
        />
      </FormRow>
      {fallback ? <p className={classes.hint}>{t('fallbackHint')}</p> : null}
      {dry.map((one) => {
        const trouble = troubles[one]
        if (!trouble || (trouble === 'no_app_url' && !hasUnsubscribe)) return null
        return (
          <p key={one} className={classes.hint}>
            {t(`troubles.${trouble}`, { channel: names(one) })}
          </p>
        )
      })}
    </>
  )
}

/** A numbered part of the editor. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <div id={`step-${number}`} className={classes.step} data-number={number}>
      <Panel title={`${number}. ${title}`}>
        <FormFields>{children}</FormFields>
      </Panel>
    </div>
  )
}
