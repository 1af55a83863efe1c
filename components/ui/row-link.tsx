import type { ComponentProps } from 'react'

interface RowLinkProps extends ComponentProps<'a'> {
  href: string
  /** Opens beside what is shown: the page stays where it is scrolled to. */
  beside?: boolean
}

/**
 * A link of a list: an anchor and nothing else, so that a hundred rows cost the browser nothing when the page loads.
 * RowLinks, once a page, follows it without loading the whole document.
 */
export function RowLink({ beside, ...props }: RowLinkProps) {
  return <a {...props} data-row-link={beside ? 'beside' : ''} />
}
