import { useTranslations } from 'next-intl'
import { shownName } from '@/lib/customers/person-name'
import classes from './customer-link.module.css'
import { Link } from './link'

/** A customer's name as the interface shows names, linked to their page when the viewer may open it. */
export function CustomerLink({ id, name }: { id: string | null; name: string | null }) {
  const t = useTranslations('reservation')
  const shown = name ? shownName(name) : t('noName')
  return id ? (
    <Link href={`/customers/${id}`} prefetch={false} className={classes.link}>
      {shown}
    </Link>
  ) : (
    <span className={name ? classes.name : classes.none}>{shown}</span>
  )
}
