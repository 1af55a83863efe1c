import { useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import type { NoticeLine } from './lines'
import classes from './notice-list.module.css'

/** What needs attention, each leading to where it is dealt with. */
export function NoticeList({ lines, onLeave }: { lines: readonly NoticeLine[]; onLeave: () => void }) {
  const t = useTranslations('client.notices.lines')
  return (
    <ul className={classes.list}>
      {lines.map(({ text, count, href }) => (
        <li key={text}>
          {href ? (
            <Link href={href} className={classes.line} onClick={onLeave}>
              {t(text, { count })}
            </Link>
          ) : (
            <span className={classes.line}>{t(text, { count })}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
