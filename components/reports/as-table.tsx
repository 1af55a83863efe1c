import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ScrollingTable } from '@/components/ui/scrolling-table'
import classes from './week-pictures.module.css'

interface AsTableProps {
  /** The label of the table's scrolling region. */
  label: string
  caption: string
  children: ReactNode
}

/** The figures of a picture, for the keyboard, for screen readers and on paper. */
export function AsTable({ label, caption, children }: AsTableProps) {
  const t = useTranslations('reports')
  return (
    <details className={classes.figures}>
      <summary>{t('asTable', { caption })}</summary>
      <ScrollingTable label={label} caption={caption}>
        {children}
      </ScrollingTable>
    </details>
  )
}
