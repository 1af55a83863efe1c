'use client'
import { useMantineColorScheme } from '@mantine/core'
import { IconMenu2, IconMoon, IconSun, IconX } from '@tabler/icons-react'
import { usePathname, useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState, useTransition } from 'react'
import { Link } from '@/components/ui/link'
import { choiceCookie } from '@/lib/http/host-cookie'
import { LOCALE_COOKIE, LOCALES } from '@/lib/i18n/locales'
import classes from './frame-controls.module.css'

/** Opens the navigation (`menu` is its id) on a phone; the frame's styles depend on its `aria-expanded`. */
export function MenuButton({ menu }: { menu: string }) {
  const t = useTranslations('client.frame')
  const [opened, setOpened] = useState(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the page closes the menu
  useEffect(() => setOpened(false), [pathname])
  const Icon = opened ? IconX : IconMenu2
  return (
    <button
      type="button"
      className={`${classes.tool} ${classes.phone}`}
      onClick={() => setOpened(!opened)}
      aria-label={opened ? t('closeMenu') : t('openMenu')}
      aria-expanded={opened}
      aria-controls={menu}
    >
      <Icon size={22} stroke={1.7} aria-hidden />
    </button>
  )
}

interface NavItemProps {
  href: string
  label: string
  icon: ReactNode
  /** What follows the label: a count. */
  children?: ReactNode
}

/** A link of the navigation, marked while its section is open. */
export function NavItem({ href, label, icon, children }: NavItemProps) {
  const pathname = usePathname()
  const here = href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`)
  return (
    <li>
      <Link href={href} className={classes.item} aria-current={here ? 'page' : undefined}>
        {icon}
        {label}
        {children}
      </Link>
    </li>
  )
}

/** Switches to the other language and stores the choice. */
export function LanguageSwitch() {
  const t = useTranslations('client.frame')
  const locale = useLocale()
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const other = LOCALES.find((candidate) => candidate !== locale) ?? LOCALES[0]
  function change() {
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = choiceCookie(LOCALE_COOKIE, other)
    startTransition(() => router.refresh())
  }
  return (
    <button
      type="button"
      className={classes.tool}
      onClick={change}
      aria-busy={pending}
      lang={other}
      aria-label={t(`language.${other}`)}
    >
      {other.toUpperCase()}
    </button>
  )
}

/** Switches between light and dark. CSS selects the icon, so that the server need not know the scheme. */
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
