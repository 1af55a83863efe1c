import { useTranslations } from 'next-intl'
import type { CSSProperties, KeyboardEvent } from 'react'
import { AllergyNote } from '@/components/customers/allergy-note'
import { allergiesIn, type BoardParty, isAtDoor, placeName } from './board-model'
import classes from './floor-plan.module.css'
import {
  claimsOf,
  type Direction,
  givesTable,
  type FloorPlan as Model,
  nearest,
  PLAN_STATES,
  type PlanTable,
  type PlanZone,
  partyAfter,
} from './plan-model'
import { PlanTableButton, useGuestWords } from './plan-table'
import { useDrag } from './use-drag'
import type { Choice } from './use-table-choice'

export interface FloorPlanProps {
  plan: Model
  choice: Choice | null
  onChoose: (party: BoardParty | null) => void
  /** Gives the chosen party a table. */
  onTable: (name: string) => void
  /** Gives a party a table to which it was dragged. */
  onDrop: (party: string, table: string) => void
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/**
 * The tables as they stand in the room, zone by zone, each with who is there now; and the parties without a table. A party is
 * chosen and then its table, or dragged there. Arrow keys go to the next table.
 */
export function FloorPlan({ plan, choice, onChoose, onTable, onDrop }: FloorPlanProps) {
  const t = useTranslations('client.tablesBoard.plan')
  const { area, ghost } = useDrag((party, table) => {
    area.current?.querySelector<HTMLElement>(`[data-table="${CSS.escape(table)}"]`)?.focus()
    onDrop(party, table)
  })

  /** A tap on a table: gives it to the chosen party, or chooses who is there; again, the next who claims it. */
  function tap(table: PlanTable) {
    if (givesTable(table, choice)) onTable(table.name)
    else onChoose(partyAfter(claimsOf(table), choice?.party.id ?? null))
  }

  function press(event: KeyboardEvent) {
    const direction = DIRECTIONS[event.key]
    const from = (event.target as Element).closest('[data-table], [data-party]')
    if (!direction || !from || event.altKey || event.ctrlKey || event.metaKey) return
    const all = [...(area.current?.querySelectorAll<HTMLElement>('[data-table], [data-party]') ?? [])]
    const others = all.filter((each) => each !== from)
    const at = nearest(
      others.map((each) => each.getBoundingClientRect()),
      from.getBoundingClientRect(),
      direction,
    )
    if (at === null) return
    event.preventDefault()
    others[at]?.focus()
  }

  return (
    <section ref={area} className={classes.area} aria-label={t('label')} onKeyDown={press}>
      <div ref={ghost} className={classes.ghost} hidden aria-hidden />
      <p className={classes.hint}>{t('hint')}</p>
      <Tray parties={plan.tray} chosen={choice?.party.id ?? null} onChoose={onChoose} />
      <Legend />
      {plan.zones.map((zone) => (
        <Zone key={zone.zone ?? ''} zone={zone} choice={choice} onTap={tap} />
      ))}
    </section>
  )
}

interface TrayProps extends Pick<FloorPlanProps, 'onChoose'> {
  parties: readonly BoardParty[]
  chosen: string | null
}

/** The parties without a table. */
function Tray({ parties, chosen, onChoose }: TrayProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const wordsOf = useGuestWords()
  return (
    <section className={classes.tray} aria-label={t('without')}>
      <h2>{t('without')}</h2>
      {parties.length === 0 ? <p className={classes.hint}>{t('plan.nobody')}</p> : null}
      <ul>
        {parties.map((party) => {
          const state = isAtDoor(party)
            ? t('plan.door')
            : party.status === 'seated'
              ? t('states.seated')
              : party.time
          // At a table that the location does not have.
          const place = placeName({ tables: party.tables })
          const at = place && texts('table', { name: place })
          return (
            <li key={party.id}>
              <button
                type="button"
                className={classes.entry}
                data-party={party.id}
                data-label={party.name ?? texts('noName')}
                data-door={isAtDoor(party) || undefined}
                aria-pressed={party.id === chosen}
                aria-label={[`${state} ${party.name ?? texts('noName')}`, wordsOf(party), at]
                  .filter(Boolean)
                  .join(' · ')}
                onClick={() => onChoose(party.id === chosen ? null : party)}
              >
                <small>{state}</small>{' '}
                <span>
                  <AllergyNote allergies={allergiesIn(party)} sign />
                  {party.name ?? texts('noName')} · {texts('guests', { count: party.party_size })}
                  {at ? ` · ${at}` : null}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** What the colours and borders of the tables mean. */
function Legend() {
  const t = useTranslations('client.tablesBoard.plan')
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {PLAN_STATES.map((state) => (
        <li key={state}>
          <span className={classes.swatch} data-state={state} aria-hidden />
          {t(`states.${state}`)}
        </li>
      ))}
    </ul>
  )
}

interface ZoneProps {
  zone: PlanZone
  choice: Choice | null
  onTap: (table: PlanTable) => void
}

/** The plan of a zone; tables that are not placed stand below it. */
function Zone({ zone, choice, onTap }: ZoneProps) {
  const t = useTranslations('client.tablesBoard')
  const name = zone.zone ?? t('noZone')
  const button = (table: PlanTable) => (
    <PlanTableButton key={table.name} table={table} choice={choice} onTap={() => onTap(table)} />
  )
  return (
    <section className={classes.zone} aria-label={name}>
      <h2>{name}</h2>
      {zone.placed.length > 0 ? (
        <div className={classes.scroll} data-sideways>
          <div
            className={classes.plan}
            style={{ '--columns': zone.columns, '--rows': zone.rows } as CSSProperties}
          >
            {zone.placed.map(button)}
          </div>
        </div>
      ) : null}
      {zone.loose.length > 0 ? (
        <>
          {zone.placed.length > 0 ? <p className={classes.hint}>{t('plan.loose')}</p> : null}
          <div className={classes.loose}>{zone.loose.map(button)}</div>
        </>
      ) : null}
    </section>
  )
}
