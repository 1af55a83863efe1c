'use client'
import { Button, CopyButton, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import classes from './setup-list.module.css'

/** A text to copy, such as an address or commands; `label` says what it is. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const t = useTranslations('client.setupSteps')
  const lines = text.split('\n').length
  const shown = { label, value: text, readOnly: true, className: classes.text }
  return (
    <div className={classes.copy}>
      {lines > 1 ? <Textarea {...shown} rows={lines} /> : <TextInput {...shown} />}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`${t('copy')}: ${label}`}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
