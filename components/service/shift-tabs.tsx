import { useTranslations } from 'next-intl'
import type { Service } from '@/lib/service/schema'
import classes from './board.module.css'

export const ALL_SHIFTS = 'all'

interface ShiftTabsProps {
  shifts: Service['shifts']
  /** The shift shown, or `all`. */
  shown: string
  onChoose: (shift: string) => void
}

/** Chooses a shift of the day, or all of them; nothing where there are not two. */
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
