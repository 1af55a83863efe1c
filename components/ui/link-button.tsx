import type { ComponentProps, ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import classes from './link-button.module.css'

interface LinkButtonProps extends ComponentProps<typeof Link> {
  /** Only an icon: a square, with the text in `aria-label`. */
  square?: boolean
  /** On a phone only its icon; the text, in a span, is still its name. */
  compact?: boolean
  /** The page's main button. */
  main?: boolean
}

/** A link that looks like a button, by default of the second rank. */
export function LinkButton({ square, compact, main, ...props }: LinkButtonProps) {
  return (
    <Link
      {...props}
      className={classes.button}
      data-square={square || undefined}
      data-compact={compact || undefined}
      data-main={main || undefined}
    />
  )
}

/** A link to a part of the same page, which the browser follows itself: the next Tab goes on from there. */
export function JumpLink({ href, children }: { href: `#${string}`; children: ReactNode }) {
  return (
    <a href={href} className={classes.button}>
      {children}
    </a>
  )
}
