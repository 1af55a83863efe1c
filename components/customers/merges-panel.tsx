import { useFormatter, useNow, useTranslations } from 'next-intl'
import { Link } from '@/components/ui/link'
import { Panel } from '@/components/ui/panel'
import type { CustomerMerge } from '@/lib/customers/merges-schema'
import classes from './points-panel.module.css'
import { UndoMerge } from './undo-merge'

/**
 * The recent merges into a customer: merged record, author, and a button that undoes the merge. Renders nothing
 * without any.
 */
export function MergesPanel({ merges }: { merges: readonly CustomerMerge[] }) {
  const t = useTranslations('customer.merges')
  const format = useFormatter()
  const now = useNow()
  if (merges.length === 0) return null
  const ago = (instant: string) => {
    const at = new Date(instant)
    return format.relativeTime(at, at > now ? at : now)
  }
  return (
    <Panel title={t('title')}>
      <ol aria-label={t('list')}>
        {merges.map((merge) => {
          const { id, customer, author_name: author, undone_at, undone_by, obstacle } = merge
          return (
            <li key={id} className={classes.entry}>
              <span>
                {t('with', { name: customer.name ?? t('noName') })}
                <small>{t('by', { when: ago(merge.merged_at), author })}</small>
                {undone_at ? (
                  <small>{t('undone', { when: ago(undone_at), author: undone_by ?? author })}</small>
                ) : null}
                {obstacle === 'merged_since' ? <small>{t('later')}</small> : null}
                {obstacle === 'too_old' ? <small>{t('tooOld')}</small> : null}
              </span>
              {undone_at ? (
                <Link href={`/customers/${customer.id}`} prefetch={false}>
                  {t('open')}
                </Link>
              ) : null}
              {obstacle === null ? <UndoMerge merge={merge} name={customer.name} /> : null}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
