import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Banner } from '@/components/ui/banner'
import type { Closing } from '@/lib/closings/schema'
import { useClosingText } from './closing-text'
import classes from './closings.module.css'

interface ClosingsBannerProps<C extends Closing> {
  closings: readonly C[]
  /** Where or when a closing is, in front of it. */
  at?: (closing: C) => string
  /** What can be done with a closing. */
  action?: (closing: C) => ReactNode
  tight?: boolean
}

/** What is closed, and why. Renders nothing when all is open. */
export function ClosingsBanner<C extends Closing>({ closings, at, action, tight }: ClosingsBannerProps<C>) {
  const t = useTranslations('client.closings')
  const text = useClosingText()
  if (closings.length === 0) return null
  return (
    <Banner icon={IconBarrierBlock} label={t('label')} tight={tight}>
      {closings.map((closing) => (
        <li key={closing.id} className={classes.closing}>
          <span>
            {at?.(closing) ? `${at(closing)} · ` : null}
            <b>{text(closing)}</b>
            {closing.reason ? `: ${closing.reason}` : null}
          </span>
          {action?.(closing)}
        </li>
      ))}
    </Banner>
  )
}
