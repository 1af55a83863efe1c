'use client'
import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { MENU_ID } from './menu-id'

/** Unfolds the navigation on a phone; the frame's style sheet goes by its `aria-expanded`. */
export function MenuButton() {
  const t = useTranslations('client.frame')
  const [opened, { toggle, close }] = useDisclosure(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving at another page folds the menu away
  useEffect(close, [pathname])
  return (
    <Burger
      opened={opened}
      onClick={toggle}
      hiddenFrom="sm"
      size="sm"
      aria-label={opened ? t('closeMenu') : t('openMenu')}
      aria-expanded={opened}
      aria-controls={MENU_ID}
    />
  )
}
