import { ActionIcon, Button, Switch } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconCircle,
  IconRectangle,
  IconSquare,
} from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type OnPlan, TABLE_SHAPES } from '@/lib/locations/plan'
import classes from './floor-plan.module.css'
import type { PlanTable } from './plan-tables'

const MOVES = [
  ['left', IconArrowLeft, -1, 0],
  ['up', IconArrowUp, 0, -1],
  ['down', IconArrowDown, 0, 1],
  ['right', IconArrowRight, 1, 0],
] as const
const SHAPES = { round: IconCircle, square: IconSquare, rectangle: IconRectangle }

interface PlanToolsProps {
  table: PlanTable
  onMove: (dx: number, dy: number) => void
  onChange: (changes: Partial<Pick<OnPlan, 'shape' | 'turned' | 'joinable'>>) => void
  onPlace: () => void
  onTakeOff: () => void
}

/** What can be done with the chosen table: moving it without dragging, its shape, and whether it is joined. */
export function PlanTools({ table, onMove, onChange, onPlace, onTakeOff }: PlanToolsProps) {
  const t = useTranslations('client.tables')
  const name = table.name || t('new')
  return (
    <fieldset className={classes.tools}>
      <legend>{t('plan.tools', { table: name })}</legend>
      {table.box ? (
        <div className={classes.buttons}>
          {MOVES.map(([direction, Icon, dx, dy]) => (
            <ActionIcon
              key={direction}
              variant="default"
              size="lg"
              aria-label={t(`plan.move.${direction}`, { table: name })}
              onClick={() => onMove(dx, dy)}
            >
              <Icon size={18} aria-hidden />
            </ActionIcon>
          ))}
        </div>
      ) : (
        <Button size="xs" onClick={onPlace}>
          {t('plan.place')}
        </Button>
      )}
      <div className={classes.buttons}>
        {TABLE_SHAPES.map((shape) => {
          const Icon = SHAPES[shape]
          return (
            <ActionIcon
              key={shape}
              variant={table.shape === shape ? 'filled' : 'default'}
              size="lg"
              aria-label={t(`plan.shapes.${shape}`)}
              aria-pressed={table.shape === shape}
              onClick={() => onChange({ shape })}
            >
              <Icon size={18} aria-hidden />
            </ActionIcon>
          )
        })}
      </div>
      {table.shape === 'rectangle' ? (
        <Switch
          label={t('plan.turned')}
          checked={table.turned}
          onChange={(event) => onChange({ turned: event.currentTarget.checked })}
        />
      ) : null}
      <Switch
        label={t('plan.joinable')}
        checked={table.joinable}
        onChange={(event) => onChange({ joinable: event.currentTarget.checked })}
      />
      {table.box ? (
        <Button variant="subtle" size="xs" onClick={onTakeOff}>
          {t('plan.takeOff')}
        </Button>
      ) : null}
    </fieldset>
  )
}
