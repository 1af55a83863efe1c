'use client'
import { NativeSelect, TextInput } from '@mantine/core'
import { IconFilterPlus } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { fieldId } from '@/components/automations/editor/problems'
import { Choices, type Named, Step } from '@/components/automations/editor/steps'
import { NumberField } from '@/components/forms/number-field'
import { FormRow } from '@/components/ui/form-layout'
import type { PartProps } from './draft'
import classes from './editor.module.css'

interface WhomPartProps extends PartProps {
  segments: readonly Named[]
  locations: readonly Named[]
  /** How many guests the segment has at the locations; null while that is not known. */
  matched: number | null
  /** Saves the draft and opens a new segment, which leads back here. */
  onNewSegment: () => void
}

/** Whom the campaign writes to: its segment, the locations, and who is left out. */
export function WhomPart({ segments, locations, matched, onNewSegment, ...part }: WhomPartProps) {
  const t = useTranslations('client.campaignEditor')
  const { draft, change, errorAt } = part
  const isGone = draft.segment_id !== '' && !segments.some(({ id }) => id === draft.segment_id)
  return (
    <Step number={1} title={t('parts.whom')}>
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
      <div>
        <NativeSelect
          id={fieldId('segment_id')}
          label={t('segment')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            { value: '', label: t('chooseSegment') },
            ...(isGone ? [{ value: draft.segment_id, label: t('segmentGone') }] : []),
            ...segments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.segment_id}
          onChange={(event) => change({ segment_id: event.currentTarget.value })}
          error={errorAt('segment_id')}
        />
        <div className={classes.below}>
          <p role="status" className={classes.hint}>
            {draft.segment_id !== '' && matched !== null ? t('matched', { count: matched }) : null}
          </p>
          <button type="button" className={classes.textButton} onClick={onNewSegment}>
            <IconFilterPlus size={15} aria-hidden />
            {t('newSegment')}
          </button>
        </div>
      </div>
      <Choices
        label={t('locations')}
        options={locations}
        chosen={draft.location_ids}
        onChange={(location_ids) => change({ location_ids })}
        error={errorAt('location_ids')}
      />
      {locations.length > 0 ? <p className={classes.hint}>{t('locationsHint')}</p> : null}
      <FormRow>
        <NumberField
          id={fieldId('exclude_recent_days')}
          label={t('excludeDays')}
          description={t('excludeDaysHint')}
          value={draft.excludeDays}
          onChange={(excludeDays) => change({ excludeDays })}
          error={errorAt('exclude_recent_days')}
        />
        <NumberField
          id={fieldId('control_share')}
          label={t('controlShare')}
          description={t('controlShareHint')}
          value={draft.controlShare}
          onChange={(controlShare) => change({ controlShare })}
          error={errorAt('control_share')}
        />
      </FormRow>
    </Step>
  )
}
