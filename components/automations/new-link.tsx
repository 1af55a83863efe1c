import { IconPlus } from '@tabler/icons-react'
import { Link } from '@/components/ui/link'
import classes from './new-link.module.css'

/** The way to a new automation, as the page's main button. */
export function NewLink({ text }: { text: string }) {
  return (
    <Link href="/automations/new" className={classes.link}>
      <IconPlus size={16} aria-hidden />
      {text}
    </Link>
  )
}
