'use client'
import { IconMenu2, IconX } from '@tabler/icons-react'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { MENU_ID } from './menu-id'
import classes from './tool-button.module.css'

/** Unfolds the navigation on a phone; the frame's style sheet goes by its `aria-expanded`. */
export function MenuButton() {
  const t = useTranslations('client.frame')
  const [opened, setOpened] = useState(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page folds the menu away
  useEffect(() => setOpened(false), [pathname])
  const Icon = opened ? IconX : IconMenu2
  return (
    <button
      type="button"
      className={`${classes.tool} ${classes.phone}`}
      onClick={() => setOpened(!opened)}
      aria-label={opened ? t('closeMenu') : t('openMenu')}
      aria-expanded={opened}
      aria-controls={MENU_ID}
    >
      <Icon size={22} stroke={1.7} aria-hidden />
    </button>
  )
}
