import { useTranslations } from 'next-intl'
import type { Service } from '@/lib/service/schema'
import classes from './board.module.css'

export const ALL_SHIFTS = 'all'

interface ShiftTabsProps {
  shifts: Service['shifts']
  /** The id of the shift shown, or `all`. */
  shown: string
  onChoose: (shift: string) => void
}

/** Chooses one shift of the day or all. Renders nothing with fewer than two shifts. */
export function ShiftTabs({ shifts, shown, onChoose }: ShiftTabsProps) {
  const t = useTranslations('client.service')
  if (shifts.length < 2) return null
  return (
    <fieldset className={classes.shifts} aria-label={t('shift')}>
      <div>
        {[...shifts, { id: ALL_SHIFTS, name: t('allShifts') }].map(({ id, name }) => (
          <button key={id} type="button" aria-pressed={id === shown} onClick={() => onChoose(id)}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
