import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ForgetLists } from '@/components/forms/draft-owner'
import { ColorSchemeToggle, LanguageSwitch } from '@/components/shell/frame-controls'
import { Mark } from '@/components/ui/mark'
import classes from './auth-frame.module.css'

interface AuthFrameProps {
  title: string
  hint: string
  children: ReactNode
}

/** A page before the sign-in: a summary of the product, and one form. */
export function AuthFrame({ title, hint, children }: AuthFrameProps) {
  return (
    <div className={classes.page}>
      <ForgetLists />
      <BrandPanel />
      <main className={classes.main}>
        <div className={classes.tools}>
          <LanguageSwitch />
          <ColorSchemeToggle />
        </div>
        <div className={classes.box}>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.text}>{hint}</p>
          {children}
        </div>
      </main>
    </div>
  )
}

/** A link to the other form. */
export function AuthSwitch({ children }: { children: ReactNode }) {
  return <p className={classes.switch}>{children}</p>
}

/** A summary of the product, beside the form. */
function BrandPanel() {
  const t = useTranslations('signIn')
  const app = useTranslations('app')
  return (
    <header className={classes.panel}>
      <div className={classes.brand}>
        <Mark size={36} />
        <span>{app('name')}</span>
      </div>
      <div className={classes.words}>
        <p className={classes.claim}>{t('claim')}</p>
        <p className={classes.summary}>{t('text')}</p>
      </div>
      <svg className={classes.picture} viewBox="0 0 400 400" aria-hidden="true">
        <circle cx="200" cy="200" r="190" />
        <circle cx="200" cy="200" r="146" />
        <circle cx="200" cy="200" r="102" />
        <circle cx="200" cy="200" r="58" />
      </svg>
    </header>
  )
}
