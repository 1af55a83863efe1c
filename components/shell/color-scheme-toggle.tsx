'use client'
import { useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import classes from './tool-button.module.css'

/** Switches between light and dark. Style sheets pick the icon, so the server need not know the scheme. */
export function ColorSchemeToggle() {
  const t = useTranslations('client.frame')
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  function toggle() {
    const dark = document.documentElement.dataset.mantineColorScheme === 'dark'
    setColorScheme(dark ? 'light' : 'dark')
  }
  return (
    <button type="button" className={classes.tool} onClick={toggle} aria-label={t('colorScheme')}>
      <IconMoon size={18} stroke={1.7} className="mantine-dark-hidden" aria-hidden />
      <IconSun size={18} stroke={1.7} className="mantine-light-hidden" aria-hidden />
    </button>
  )
}
