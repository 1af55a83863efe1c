import { useTranslations } from 'next-intl'
import classes from './page-skeleton.module.css'
import { VisuallyHidden } from './visually-hidden'

/** The placeholder of a page with a title, a filter bar and one large panel. */
export function PageSkeleton({ tiles = 0, panel = 480 }: { tiles?: number; panel?: number }) {
  const t = useTranslations('common')
  return (
    <div className={classes.page} role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      <Skeleton height={32} width={220} />
      {tiles > 0 ? (
        <div className={classes.tiles}>
          {Array.from({ length: tiles }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: identical blocks that never move
            <Skeleton key={index} height={96} />
          ))}
        </div>
      ) : (
        <Skeleton height={36} width={520} />
      )}
      <Skeleton height={panel} />
    </div>
  )
}

/** A grey placeholder of a given height (pixels). */
export function Skeleton({ height, width = '100%' }: { height: number; width?: number | string }) {
  return <div className={classes.skeleton} style={{ height, width }} aria-hidden />
}
