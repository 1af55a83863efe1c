import type { ReactNode } from 'react'
import { ColorSchemeToggle } from '@/components/shell/color-scheme-toggle'
import { LanguageSwitch } from '@/components/shell/language-switch'
import classes from './auth-frame.module.css'
import { BrandPanel } from './brand-panel'

interface AuthFrameProps {
  title: string
  hint: string
  children: ReactNode
}

/** A page before the sign-in: what the product is, and one form. */
export function AuthFrame({ title, hint, children }: AuthFrameProps) {
  return (
    <div className={classes.page}>
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

/** The way to the other form. */
export function AuthSwitch({ children }: { children: ReactNode }) {
  return <p className={classes.switch}>{children}</p>
}
