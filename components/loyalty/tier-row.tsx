'use client'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import classes from './tiers-form.module.css'

/** A tier while it is edited; `spend` and `points` are what stands in the fields. */
export interface TierDraft {
  key: string
  isNew: boolean
  name: string
  spend: string
  points: string
}
export type TierProblem = 'name' | 'taken' | 'spend' | 'points'

interface TierRowProps {
  draft: TierDraft
  place: number
  of: number
  problem: TierProblem | undefined
  onChange: (changes: Partial<TierDraft>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

/** One tier of the form. */
export function TierRow({ draft, place, of, problem, onChange, onMove, onRemove }: TierRowProps) {
  const t = useTranslations('client.loyalty.tiers')
  const name = draft.name || t('unnamed')
  const button = (label: string, Picture: typeof IconArrowUp, onClick: () => void, disabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Picture size={17} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
  return (
    <li className={classes.tier}>
      <TextInput
        label={t('name', { place })}
        value={draft.name}
        readOnly={!draft.isNew}
        maxLength={60}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        error={problem === 'name' || problem === 'taken' ? t(`problems.${problem}`) : undefined}
      />
      <TextInput
        label={t('spend')}
        value={draft.spend}
        inputMode="decimal"
        onChange={(event) => onChange({ spend: event.currentTarget.value })}
        error={problem === 'spend' ? t('problems.spend') : undefined}
      />
      <TextInput
        label={t('points')}
        value={draft.points}
        inputMode="decimal"
        onChange={(event) => onChange({ points: event.currentTarget.value })}
        error={problem === 'points' ? t('problems.points') : undefined}
      />
      <span className={classes.buttons}>
        {button(t('up', { name }), IconArrowUp, () => onMove(-1), place === 1)}
        {button(t('down', { name }), IconArrowDown, () => onMove(1), place === of)}
        {draft.isNew ? button(t('remove', { name }), IconTrash, onRemove) : null}
      </span>
    </li>
  )
}
