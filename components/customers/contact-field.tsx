import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import classes from './contact-panel.module.css'

/** A name and a value; a dash when nothing is known. */
export function ContactField({ label, children }: { label: string; children: ReactNode }) {
  const t = useTranslations('customer')
  return (
    <div className={classes.field}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value}>
        {children || (
          <>
            <span aria-hidden>–</span>
            <VisuallyHidden>{t('unknown')}</VisuallyHidden>
          </>
        )}
      </dd>
    </div>
  )
}
