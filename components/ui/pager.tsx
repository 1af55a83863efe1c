import { IconArrowBarToUp, IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { stepBack, stepOn } from '@/lib/http/cursor-path'
import { LinkButton } from './link-button'
import classes from './pager.module.css'

interface PagerProps {
  label: string
  /** The trail of cursors to this page, from the address; absent on the first one. */
  path: string | undefined
  /** The cursor of the next page; null on the last one. */
  next: string | null
  /** Returns the address of the page for a trail of cursors; the first page without one. */
  hrefAt: (path?: string) => string
  texts: { first: string; next: string }
}

/** The links to the next and previous page of a list. Renders nothing when one page holds it all. */
export function Pager({ label, path, next, hrefAt, texts }: PagerProps) {
  const t = useTranslations('common')
  if (!path && !next) return null
  const before = path ? stepBack(path) : null
  return (
    <nav className={classes.pager} aria-label={label}>
      <span className={classes.back}>
        {path ? (
          <LinkButton href={hrefAt()} prefetch={false}>
            <IconArrowBarToUp size={16} aria-hidden />
            {texts.first}
          </LinkButton>
        ) : null}
        {before === null ? null : (
          <LinkButton href={hrefAt(before)} prefetch={false} rel="prev">
            <IconArrowLeft size={16} aria-hidden />
            {t('previousPage')}
          </LinkButton>
        )}
      </span>
      {next ? (
        <LinkButton href={hrefAt(stepOn(path, next))} prefetch={false} rel="next">
          {texts.next}
          <IconArrowRight size={16} aria-hidden />
        </LinkButton>
      ) : null}
    </nav>
  )
}
