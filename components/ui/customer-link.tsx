import Link from 'next/link'
import { useTranslations } from 'next-intl'
import classes from './customer-link.module.css'

/** A guest's name, leading to the customer when there is one that may be seen. */
export function CustomerLink({ id, name }: { id: string | null; name: string | null }) {
  const t = useTranslations('reservation')
  const shown = name ?? t('noName')
  return id ? (
    <Link href={`/customers/${id}`} prefetch={false} className={classes.link}>
      {shown}
    </Link>
  ) : (
    <span className={name ? classes.name : classes.none}>{shown}</span>
  )
}
