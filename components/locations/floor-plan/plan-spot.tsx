import { useTranslations } from 'next-intl'
import { type CSSProperties, memo } from 'react'
import type { TableShape } from '@/lib/locations/plan'
import classes from './floor-plan.module.css'
import type { TableHandlers } from './use-table-drag'

interface PlanSpotProps {
  id: number
  domId: string
  name: string
  seats: number | null
  shape: TableShape
  active: boolean
  selected: boolean
  /** Its cells on the plan; absent in the list of those that are not placed. */
  x?: number | undefined
  y?: number | undefined
  width?: number
  height?: number
  /** While it is dragged: whether it may stand there. Else whether it shares no cell. */
  clear: boolean
  dragged: boolean
  handlers: TableHandlers
}

/** A table on the plan, or of those that are not placed. Memoized: only the table that moves renders again. */
export const PlanSpot = memo(function PlanSpot({
  id,
  domId,
  name,
  seats,
  shape,
  active,
  selected,
  x,
  y,
  width,
  height,
  clear,
  dragged,
  handlers,
}: PlanSpotProps) {
  const t = useTranslations('client.tables')
  const table = name || t('new')
  const placed = x !== undefined && y !== undefined
  const label = placed
    ? t('plan.tableAt', { table, column: x + 1, row: y + 1, active: String(active) })
    : t('plan.tableOff', { table, active: String(active) })
  return (
    <button
      type="button"
      id={domId}
      className={placed ? classes.spot : classes.waiting}
      style={{ '--x': x, '--y': y, '--width': width, '--height': height } as CSSProperties}
      data-shape={shape}
      data-inactive={active ? undefined : true}
      data-overlaps={clear ? undefined : true}
      data-dragged={dragged || undefined}
      aria-label={label}
      aria-pressed={selected}
      onPointerDown={(event) => handlers.down(id, event)}
      onPointerMove={handlers.move}
      onPointerUp={handlers.up}
      onPointerCancel={handlers.cancel}
      onKeyDown={(event) => handlers.key(id, event)}
      onClick={() => handlers.select(id)}
    >
      <b lang="">{table}</b>
      {/* Drawn by the style: the button's name does not have it. */}
      {seats === null ? null : <small data-seats={seats} />}
    </button>
  )
})
