import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import classes from './app-frame.module.css'
import { MenuButton } from './menu-button'
import { MENU_ID } from './menu-id'

interface AppFrameProps {
  brand: ReactNode
  /** Which location the pages are about. */
  place: ReactNode
  tools: ReactNode
  nav: ReactNode
  children: ReactNode
}

/**
 * The frame of every page behind the sign-in: header, navigation (folded away on a phone), content. A grid of its own:
 * Mantine's AppShell sets a variable after the first paint, for which the browser styles the whole page a second time.
 */
export function AppFrame({ brand, place, tools, nav, children }: AppFrameProps) {
  const t = useTranslations('client.frame')
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <header className={classes.header}>
        <MenuButton />
        {brand}
        {place}
        <div className={classes.tools}>{tools}</div>
      </header>
      <nav id={MENU_ID} aria-label={t('nav')} className={classes.nav}>
        {nav}
      </nav>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>{children}</div>
      </main>
    </div>
  )
}
