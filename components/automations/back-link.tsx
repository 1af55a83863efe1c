import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@/components/ui/link'
import classes from './back-link.module.css'

/** The way back to where one came from, above the title. */
export function BackLink({ href, text }: { href: string; text: string }) {
  return (
    <Link href={href} className={classes.back}>
      <IconArrowLeft size={15} aria-hidden />
      {text}
    </Link>
  )
}
