'use client'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import classes from './filter-fold.module.css'

interface FilterFoldProps {
  /** How many of the filters within are set. */
  active: number
  children: ReactNode
}

/** Filters of a FilterBar that a phone folds behind a button. Wider windows show them. */
export function FilterFold({ active, children }: FilterFoldProps) {
  const t = useTranslations('client.search')
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <IconAdjustmentsHorizontal size={16} stroke={1.7} aria-hidden />
        {t('filters', { active })}
      </button>
      <div id={id} className={classes.folded} data-open={open || undefined}>
        {children}
      </div>
    </>
  )
}
