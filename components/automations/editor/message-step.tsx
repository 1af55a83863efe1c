'use client'
import { TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { uses } from './draft'
import type { StepProps } from './editor'
import { SmsCount } from './sms-count'
import { Step } from './step'
import { TemplateField } from './template-field'
import { fieldId } from './use-problems'
import { VariableRows } from './variable-rows'

/** What it says; `sample` is the body as one customer would get it. */
export function MessageStep({ draft, change, errorAt, sample }: StepProps & { sample: string | null }) {
  const t = useTranslations('client.automationEditor')
  const ofReservation = draft.type === 'post_visit' || draft.type === 'reservation_confirmation'
  const email = uses(draft, 'email')
  const whatsapp = uses(draft, 'whatsapp')
  return (
    <Step number={4} title={t('steps.message')}>
      {whatsapp ? (
        <>
          <TextInput
            id={fieldId('content_sid')}
            label={t('contentSid')}
            description={t('contentSidHint')}
            value={draft.contentSid}
            onChange={(event) => change({ contentSid: event.currentTarget.value })}
            error={errorAt('content_sid')}
            maxLength={34}
            autoComplete="off"
            spellCheck={false}
          />
          <VariableRows
            variables={draft.variables}
            onChange={(variables) => change({ variables })}
            errorAt={errorAt}
          />
        </>
      ) : null}
      {email ? (
        <TemplateField
          field="subject"
          label={t('subject')}
          value={draft.subject}
          onChange={(subject) => change({ subject })}
          error={errorAt('subject')}
          ofReservation={ofReservation}
          maxLength={300}
        />
      ) : null}
      <TemplateField
        field="body"
        label={t('body')}
        description={t('bodyHint')}
        value={draft.body}
        onChange={(body) => change({ body })}
        error={errorAt('body')}
        ofReservation={ofReservation}
        maxLength={10_000}
        multiline
      />
      {uses(draft, 'sms') && draft.body !== '' ? <SmsCount text={sample ?? draft.body} /> : null}
    </Step>
  )
}
