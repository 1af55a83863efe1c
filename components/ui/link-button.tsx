import type { ComponentProps } from 'react'
import { Link } from '@/components/ui/link'
import classes from './link-button.module.css'

interface LinkButtonProps extends ComponentProps<typeof Link> {
  /** Only an icon: a square, with the text in `aria-label`. */
  square?: boolean
}

/** A link that looks like a button of the second rank. */
export function LinkButton({ square, ...props }: LinkButtonProps) {
  return <Link {...props} className={classes.button} data-square={square || undefined} />
}
