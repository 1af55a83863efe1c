import { type Icon, IconLock } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { LinkButton } from './link-button'
import classes from './state-page.module.css'

interface StatePageProps {
  icon: Icon
  title: string
  text: string
  children: ReactNode
}

/** A page with a single message: not found, no access, an error. */
export function StatePage({ icon: Picture, title, text, children }: StatePageProps) {
  return (
    <div className={classes.page}>
      <Picture size={40} stroke={1.4} aria-hidden />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>{children}</div>
    </div>
  )
}

/** The page for people whose role may not see it. */
export function NoAccess() {
  const t = useTranslations('noAccess')
  return (
    <StatePage icon={IconLock} title={t('title')} text={t('text')}>
      <LinkButton href="/">{t('home')}</LinkButton>
    </StatePage>
  )
}
