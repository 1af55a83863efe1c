import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { ColorSchemeToggle } from '@/components/shell/color-scheme-toggle'
import { LanguageSwitch } from '@/components/shell/language-switch'
import { BrandPanel } from '@/components/sign-in/brand-panel'
import { safeNextPath } from '@/components/sign-in/next-path'
import { SignInForm } from '@/components/sign-in/sign-in-form'
import { currentSession } from '@/lib/auth/page-session'
import classes from './page.module.css'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signIn')
  return { title: t('title') }
}

/** Sign-in; someone who already is goes where they wanted to. */
export default async function SignInPage({ searchParams }: PageProps<'/sign-in'>) {
  const next = safeNextPath((await searchParams).next)
  if (await currentSession()) redirect(next)
  const t = await getTranslations('signIn')
  return (
    <div className={classes.page}>
      <BrandPanel />
      <main className={classes.main}>
        <div className={classes.tools}>
          <LanguageSwitch />
          <ColorSchemeToggle />
        </div>
        <div className={classes.box}>
          <h1 className={classes.title}>{t('title')}</h1>
          <p className={classes.text}>{t('hint')}</p>
          <SignInForm next={next} />
        </div>
      </main>
    </div>
  )
}
