import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { Mark } from '@/components/ui/mark'
import classes from './app-frame.module.css'
import { MenuButton } from './frame-controls'

const MENU_ID = 'main-nav'

interface AppFrameProps {
  brand: ReactNode
  /** The control that chooses the location. */
  place: ReactNode
  tools: ReactNode
  nav: ReactNode
  children: ReactNode
}

/**
 * The frame of every page behind the sign-in: header, navigation (hidden on a phone), content. Not Mantine's AppShell,
 * which sets a variable after the first paint, so that the browser styles the whole page twice.
 */
export function AppFrame({ brand, place, tools, nav, children }: AppFrameProps) {
  const t = useTranslations('client.frame')
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <header className={classes.header}>
        <MenuButton menu={MENU_ID} />
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

/** The product's mark beside the organization's name; links to the home page. */
export function Brand({ organization }: { organization: string }) {
  return (
    <Link href="/" className={classes.brand}>
      <Mark size={28} />
      <span className={classes.name}>{organization}</span>
    </Link>
  )
}

/** Controls that a phone shows in the user menu instead of the header. */
export function WideOnly({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>
}
