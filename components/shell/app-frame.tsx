'use client'
import { AppShell, AppShellHeader, AppShellMain, AppShellNavbar, Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect } from 'react'
import classes from './app-frame.module.css'

interface AppFrameProps {
  brand: ReactNode
  /** Which location the pages are about. */
  place: ReactNode
  tools: ReactNode
  nav: ReactNode
  children: ReactNode
}

/** The frame of every page behind the sign-in: header, navigation (folded away on a phone), content. */
export function AppFrame({ brand, place, tools, nav, children }: AppFrameProps) {
  const t = useTranslations('client.frame')
  const [opened, { toggle, close }] = useDisclosure(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page folds the menu away
  useEffect(close, [pathname])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={0}
    >
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShellHeader className={classes.header}>
        <Burger
          opened={opened}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={opened ? t('closeMenu') : t('openMenu')}
          aria-expanded={opened}
          aria-controls="main-nav"
        />
        {brand}
        {place}
        <div className={classes.tools}>{tools}</div>
      </AppShellHeader>
      <AppShellNavbar
        id="main-nav"
        aria-label={t('nav')}
        className={classes.navbar}
        data-opened={opened || undefined}
      >
        {nav}
      </AppShellNavbar>
      <AppShellMain id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>{children}</div>
      </AppShellMain>
    </AppShell>
  )
}
