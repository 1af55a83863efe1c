import { Button } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react'
import { type Box, inPlan, sizeOf } from '@/components/tables/plan-geometry'
import { type OnPlan, PLAN } from '@/lib/locations/plan'
import type { Row } from '../setup-rows'
import type { TableDraft } from '../table-draft'
import classes from './floor-plan.module.css'
import { isFree, nearestFree, nextFree, overlapping, placeInRows, resized } from './placing'
import { PlanSpot } from './plan-spot'
import { othersOf, type PlanTable, tablesOf, zonesOf } from './plan-tables'
import { PlanTools } from './plan-tools'
import { useTableDrag } from './use-table-drag'

/** The tables of a zone that share cells. */
function overlapsIn(tables: readonly PlanTable[]): PlanTable[] {
  const placed = tables.filter(({ box }) => box)
  const overlaps = overlapping(placed.flatMap(({ box }) => box ?? []))
  return placed.filter((_, n) => overlaps[n])
}

interface FloorPlanProps {
  rows: readonly Row<TableDraft>[]
  /** The key of the chosen table's row. */
  chosen: number | null
  onChoose: (id: number) => void
  onChange: (id: number, changes: Partial<OnPlan>) => void
}

const SIZE = { '--columns': PLAN.columns, '--rows': PLAN.rows } as CSSProperties

/**
 * The plan of each zone, on which tables are placed by dragging, by keys or with buttons; what is not placed stands above
 * it. Tables that the editor moves never overlap. It changes the rows of the form, which saves them.
 */
export function FloorPlan({ rows, chosen, onChoose, onChange }: FloorPlanProps) {
  const t = useTranslations('client.tables')
  const locale = useLocale()
  const id = useId()
  const [zone, setZone] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [toFocus, setToFocus] = useState<number | null>(null)
  const frame = useRef<HTMLElement>(null)
  const board = useRef<HTMLDivElement>(null)
  const tray = useRef<HTMLDivElement>(null)

  const zones = zonesOf(rows)
  const shown = zone !== null && zones.includes(zone) ? zone : (zones[0] ?? '')
  const tables = tablesOf(rows, shown, locale)
  const find = (key: number) => tables.find((table) => table.id === key)
  const placed = tables.flatMap(({ box, ...table }) => (box ? [{ ...table, box }] : []))
  const unplaced = tables.filter(({ box }) => !box)
  const toPlace = unplaced.filter(({ active }) => active)
  const overlaps = overlapping(placed.map(({ box }) => box))
  const selected = chosen === null ? undefined : find(chosen)
  const nameOf = (table: PlanTable) => table.name || t('new')
  const domId = (key: number) => `${id}-${key}`

  useEffect(() => {
    if (toFocus === null) return
    document.getElementById(`${id}-${toFocus}`)?.focus()
    setToFocus(null)
  }, [toFocus, id])

  /** Puts a table there and says so, with what else there is to say. */
  function put(table: PlanTable, box: Box | null, note?: 'moved' | 'full') {
    onChange(table.id, { plan_x: box?.x ?? null, plan_y: box?.y ?? null })
    const at = box
      ? t('plan.at', { table: nameOf(table), column: box.x + 1, row: box.y + 1 })
      : t('plan.off', { table: nameOf(table) })
    setSaid(note ? `${at} ${t(`plan.${note}`)}` : at)
    if (Boolean(box) !== Boolean(table.box)) setToFocus(table.id)
  }

  function putNear(table: PlanTable, wanted: Box) {
    const others = othersOf(tables, table.id)
    if (isFree(wanted, others)) return put(table, wanted)
    const near = nearestFree(wanted, others)
    put(table, near ?? table.box, near ? 'moved' : 'full')
  }

  function step(table: PlanTable | undefined, dx: number, dy: number) {
    if (!table?.box) return
    const next = nextFree(table.box, dx, dy, othersOf(tables, table.id))
    if (next) put(table, next)
    else setSaid(t('plan.edge', { table: nameOf(table) }))
  }

  function reshape(table: PlanTable, changes: Partial<OnPlan>) {
    onChange(table.id, changes)
    if (!table.box || changes.joinable !== undefined) return
    const size = sizeOf({ ...table, capacity: table.seats, ...changes })
    const box = resized(table.box, size, othersOf(tables, table.id))
    const wanted = inPlan({ ...table.box, ...size })
    put(table, box, box ? (box.x === wanted.x && box.y === wanted.y ? undefined : 'moved') : 'full')
  }

  function placeAll() {
    const places = placeInRows(
      toPlace.map(({ size }) => size),
      placed.map(({ box }) => box),
    )
    toPlace.forEach(({ id: key }, n) => {
      const box = places[n]
      if (box) onChange(key, { plan_x: box.x, plan_y: box.y })
    })
    const count = places.filter(Boolean).length
    setSaid(t('plan.placed', { count, left: places.length - count }))
    frame.current?.focus()
  }

  const takeOff = (table: PlanTable | undefined) => table?.box && put(table, null)
  const { drag, handlers } = useTableDrag({
    ...{ tables, frame, board, tray, onSelect: onChoose },
    onDrop: (key, box) => {
      const table = find(key)
      if (table && (table.box?.x !== box.x || table.box.y !== box.y)) putNear(table, box)
    },
    onTakeOff: (key) => takeOff(find(key)),
    onArrow: (key, dx, dy) => step(find(key), dx, dy),
  })
  const incoming = drag && unplaced.find((table) => table.id === drag.id)
  const inTheWay = zones.flatMap((each) => overlapsIn(tablesOf(rows, each, locale)))
  const label = t('plan.label', { zone: shown || t('plan.noZone') })

  return (
    <div className={classes.plan}>
      <p className={classes.hint}>{t('plan.intro')}</p>
      {zones.length > 1 ? (
        <fieldset className={classes.zones}>
          <legend>{t('plan.zones')}</legend>
          {zones.map((each) => (
            <Button
              key={each}
              size="xs"
              variant={each === shown ? 'filled' : 'default'}
              aria-pressed={each === shown}
              onClick={() => {
                setZone(each)
                setSaid('')
              }}
            >
              {each ? <span lang="">{each}</span> : t('plan.noZone')}
            </Button>
          ))}
        </fieldset>
      ) : null}
      <div ref={tray} className={classes.tray}>
        <h3>{t('plan.unplaced', { count: unplaced.length })}</h3>
        {toPlace.length > 0 ? (
          <Button variant="light" size="xs" onClick={placeAll}>
            {t('plan.placeAll')}
          </Button>
        ) : null}
        {unplaced.length > 0 ? (
          <ul>
            {unplaced.map(({ size: _, box: __, turned: ___, joinable: ____, ...table }) => (
              <li key={table.id}>
                <PlanSpot
                  {...table}
                  domId={domId(table.id)}
                  selected={table.id === chosen}
                  clear
                  dragged={table.id === drag?.id}
                  handlers={handlers}
                />
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section ref={frame} className={classes.frame} aria-label={label} tabIndex={0}>
        <div ref={board} className={classes.board} style={SIZE}>
          {placed.length === 0 && !drag ? <p className={classes.empty}>{t('plan.empty')}</p> : null}
          {placed.map(({ box, size: _, turned: __, joinable: ___, ...table }, n) => (
            <PlanSpot
              key={table.id}
              {...table}
              {...(table.id === drag?.id ? drag.box : box)}
              domId={domId(table.id)}
              selected={table.id === chosen}
              clear={table.id === drag?.id ? drag.free : !overlaps[n]}
              dragged={table.id === drag?.id}
              handlers={handlers}
            />
          ))}
          {incoming && drag ? (
            <div
              className={classes.shadow}
              data-shape={incoming.shape}
              data-overlaps={drag.free ? undefined : true}
              style={
                {
                  ...{ '--x': drag.box.x, '--y': drag.box.y },
                  ...{ '--width': drag.box.width, '--height': drag.box.height },
                } as CSSProperties
              }
            />
          ) : null}
        </div>
      </section>
      <p role="status" className={classes.said}>
        {said}
      </p>
      {inTheWay.length > 0 ? (
        <p className={classes.overlap}>
          {t('plan.overlap', { tables: inTheWay.map((table) => table.name || t('new')).join(', ') })}
        </p>
      ) : null}
      {selected ? (
        <PlanTools
          table={selected}
          onMove={(dx, dy) => step(selected, dx, dy)}
          onChange={(changes) => reshape(selected, changes)}
          onPlace={() => putNear(selected, { x: 0, y: 0, ...selected.size })}
          onTakeOff={() => takeOff(selected)}
        />
      ) : null}
    </div>
  )
}
