import { IconArrowBarToUp, IconArrowRight } from '@tabler/icons-react'
import { LinkButton } from './link-button'
import classes from './pager.module.css'

interface PagerProps {
  label: string
  first: { href: string; text: string } | null
  next: { href: string; text: string } | null
}

/** The way through a list that is read page by page; nothing when one page holds it all. */
export function Pager({ label, first, next }: PagerProps) {
  if (!first && !next) return null
  return (
    <nav className={classes.pager} aria-label={label}>
      {first ? (
        <LinkButton href={first.href} prefetch={false}>
          <IconArrowBarToUp size={16} aria-hidden />
          {first.text}
        </LinkButton>
      ) : (
        <span />
      )}
      {next ? (
        <LinkButton href={next.href} prefetch={false} rel="next">
          {next.text}
          <IconArrowRight size={16} aria-hidden />
        </LinkButton>
      ) : null}
    </nav>
  )
}
