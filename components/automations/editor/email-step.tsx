'use client'
import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import { designOfText } from '@/components/email-design/blocks'
import { DesignEditor } from '@/components/email-design/design-lazy'
import type { VariableChoice } from '@/components/email-design/variables'
import { NO_LOOK } from '@/lib/email-design/look'
import type { BrandLook } from '@/lib/email-design/records'
import type { MessageText, StepProps } from './draft'
import { fieldId } from './problems'
import classes from './steps.module.css'

interface EmailStepProps {
  message: Pick<MessageText, 'emailDesign' | 'body'>
  change: (changes: Pick<MessageText, 'emailDesign'>) => void
  errorAt: StepProps['errorAt']
  /** As in `MessageFields`. */
  at: string
  variables: readonly VariableChoice[]
  look: Partial<BrandLook>
  imageBase: string
}

/** Plain text or a design, and the editor of the design. */
export function EmailStep({ message, change, errorAt, at, variables, look, imageBase }: EmailStepProps) {
  const t = useTranslations('client.automationEditor')
  const { emailDesign, body } = message
  // Chosen again, a design is as it was.
  const before = useRef(emailDesign)
  const error = errorAt(`${at}email_design`)
  return (
    <>
      <NativeSelect
        id={fieldId(`${at}email_design`)}
        label={t('format')}
        data={(['plain', 'design'] as const).map((value) => ({ value, label: t(`formats.${value}`) }))}
        value={emailDesign ? 'design' : 'plain'}
        onChange={(event) => {
          if (emailDesign) before.current = emailDesign
          const next = event.currentTarget.value === 'design'
          change({ emailDesign: next ? (before.current ?? designOfText(body)) : null })
        }}
      />
      {emailDesign ? (
        <>
          <DesignEditor
            value={emailDesign}
            onChange={(design) => change({ emailDesign: design })}
            variables={variables}
            look={{ ...NO_LOOK, brand_id: null, logo_url: null, ...look }}
            imageBase={imageBase}
            errorAt={(path) => errorAt(`${at}email_design.${path}`)}
          />
          {error ? (
            <p role="alert" className={classes.error}>
              {error}
            </p>
          ) : null}
        </>
      ) : null}
    </>
  )
}
