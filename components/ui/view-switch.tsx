import { Link } from '@/components/ui/link'
import classes from './view-switch.module.css'

interface ViewSwitchProps {
  label: string
  views: { href: string; text: string; current: boolean }[]
}

/** The ways to look at the same things, one of them current. */
export function ViewSwitch({ label, views }: ViewSwitchProps) {
  return (
    <nav className={classes.switch} aria-label={label}>
      {views.map(({ href, text, current }) => (
        <Link key={href} href={href} prefetch={false} aria-current={current ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
