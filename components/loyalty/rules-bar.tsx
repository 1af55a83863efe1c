'use client'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import classes from './rules-grid.module.css'

interface RulesBarProps {
  /** Changes that are not saved. */
  count: number
  /** Cells that cannot be read. */
  problems: number
  busy: 'preview' | 'save' | null
  onPreview: () => void
  onSave: () => void
  onDiscard: () => void
}

/** What can be done with the changes, and how many there are. */
export function RulesBar({ count, problems, busy, onPreview, onSave, onDiscard }: RulesBarProps) {
  const t = useTranslations('client.loyalty.rules')
  const form = useTranslations('client.form')
  const dirty = count > 0 || problems > 0
  return (
    <div className={classes.bar} data-dirty={dirty || undefined}>
      <p role="status">{problems > 0 ? t('wrong', { count: problems }) : t('unsaved', { count })}</p>
      {dirty ? (
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          {form('discard')}
        </Button>
      ) : null}
      <Button
        variant="default"
        leftSection={<IconEye size={16} aria-hidden />}
        loading={busy === 'preview'}
        onClick={onPreview}
      >
        {t('preview')}
      </Button>
      <Button disabled={!dirty} loading={busy === 'save'} onClick={onSave}>
        {form('save')}
      </Button>
    </div>
  )
}
