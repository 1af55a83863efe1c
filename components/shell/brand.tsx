import { Link } from '@/components/ui/link'
import classes from './brand.module.css'
import { Mark } from './mark'

/** The product's mark beside the organization's name; leads home. */
export function Brand({ organization }: { organization: string }) {
  return (
    <Link href="/" className={classes.brand}>
      <Mark size={28} />
      <span className={classes.name}>{organization}</span>
    </Link>
  )
}
