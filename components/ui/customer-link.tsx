import { useTranslations } from 'next-intl'
import classes from './customer-link.module.css'
import { RowLink } from './row-link'

/** A guest's name, leading to the customer when there is one that may be seen. */
export function CustomerLink({ id, name }: { id: string | null; name: string | null }) {
  const t = useTranslations('reservation')
  const shown = name ?? t('noName')
  return id ? (
    <RowLink href={`/customers/${id}`} className={classes.link}>
      {shown}
    </RowLink>
  ) : (
    <span className={name ? classes.name : classes.none}>{shown}</span>
  )
}
