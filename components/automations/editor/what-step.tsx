'use client'
import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { FormRow } from '@/components/ui/form-layout'
import { AUTOMATION_TYPES, type AutomationType } from '@/lib/automations/types'
import type { StepProps } from './editor'
import { Step } from './step'
import { fieldId } from './use-problems'

interface WhatStepProps extends StepProps {
  onType: (type: AutomationType) => void
}

/** Its name and what it is for. */
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
