'use client'
import { IconUserCircle } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import classes from './user-menu.module.css'

/** Leads to one's own account, and folds the menu it stands in away: the frame stays from page to page. */
export function AccountLink() {
  const t = useTranslations('client.frame')
  return (
    <Link
      href="/account"
      className={classes.account}
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      <IconUserCircle size={16} stroke={1.7} aria-hidden />
      {t('account')}
    </Link>
  )
}
