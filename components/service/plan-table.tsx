import { useTranslations } from 'next-intl'
import { type CSSProperties, Fragment } from 'react'
import { AllergyNote, useAllergyText } from '@/components/customers/allergy-note'
import { allergiesIn, type BoardParty, isAtDoor } from './board-model'
import classes from './floor-plan.module.css'
import { claimsOf, draggedFrom, givesTable, isOwn, type PlanTable } from './plan-model'
import { hoursAndMinutes } from './table-model'
import { suitsOf } from './tables-by-time'
import type { Choice } from './use-table-choice'

/** Returns a function that says the size and the allergies of a party. */
export function useGuestWords(): (party: BoardParty) => string {
  const t = useTranslations('client.service')
  const allergies = useAllergyText()
  return (party) =>
    [t('guests', { count: party.party_size }), allergies(allergiesIn(party))].filter(Boolean).join(', ')
}

interface PlanTableButtonProps {
  table: PlanTable
  choice: Choice | null
  onTap: () => void
}

/** So many parties of a table are named on it; of more the first, and how many others there are. */
const NAMED = 2

/** A table of the plan: who is there, since when, and who comes next; while a party is chosen also how well it suits. */
export function PlanTableButton({ table, choice, onTap }: PlanTableButtonProps) {
  const t = useTranslations('client.tablesBoard.plan')
  const texts = useTranslations('client.service')
  const actions = useTranslations('client.tablesBoard')
  const guest = useGuestWords()
  const { name, capacity, box, state, parties, minutes, over, next, closing } = table
  const nameOf = (party: BoardParty) => party.name ?? texts('noName')
  const [first] = parties
  const found = choice?.states.find((each) => each.name === name)
  const isChosen = isOwn(table, choice)
  const dragged = draggedFrom(table, choice)
  const named = parties.length > NAMED ? parties.slice(0, 1) : parties
  const suits = found && !isChosen ? suitsOf(found) : undefined
  // Who has a table later that is free now, but not for the stay of the chosen party.
  const later = next ?? (suits === 'taken' && !first ? found?.clashes[0] : undefined)
  const laterText = later && t(parties.length > 0 ? 'nextShort' : 'nextFree', { time: later.time })
  const time =
    minutes === null
      ? first && (isAtDoor(first) ? t('door') : first.time)
      : t('minutes', hoursAndMinutes(minutes))
  const tooLong = over > 0 && state !== 'twice' ? t('over', hoursAndMinutes(over)) : null
  const others = parties.length - named.length
  // What is read aloud begins with what is seen.
  const seen = [
    ...named.map(nameOf),
    others > 0 && `+${others}`,
    time,
    tooLong,
    first ? null : t(`states.${state}`),
    closing && first && t('states.closed'),
    // Two names leave no room for it; it is read aloud.
    parties.length < 2 && laterText,
  ]
  const words = [
    choice && givesTable(table, choice)
      ? actions(`${choice.purpose}.free`, { name })
      : texts('table', { name }),
    ...seen,
    suits && suits !== 'free' && t(`suits.${suits}`),
    first && t(`states.${state}`),
    ...parties.map((party) => (parties.length > 1 ? `${nameOf(party)}: ${guest(party)}` : guest(party))),
    capacity && texts('seats', { count: capacity }),
    next && t('next', { name: nameOf(next), time: next.time }),
  ]
  return (
    <button
      type="button"
      className={classes.table}
      data-table={name}
      data-state={state}
      data-shape={table.shape}
      data-suits={suits}
      data-party={dragged?.id}
      data-label={dragged && nameOf(dragged)}
      data-crowded={parties.length > 1 || undefined}
      aria-pressed={claimsOf(table).length > 0 ? isChosen : undefined}
      aria-label={words.filter(Boolean).join(', ')}
      style={
        box
          ? ({
              gridColumn: `${box.x + 1} / span ${box.width}`,
              gridRow: `${box.y + 1} / span ${box.height}`,
            } as CSSProperties)
          : undefined
      }
      onClick={onTap}
    >
      {/* Blanks between them: what is seen is part of what is read aloud. */}
      <b>{name}</b>{' '}
      {named.map((party) => (
        <Fragment key={party.id}>
          <span>
            <AllergyNote allergies={allergiesIn(party)} sign />
            {nameOf(party)}
          </span>{' '}
        </Fragment>
      ))}
      {[...seen.slice(named.length), suits === 'small' && t('small')].map((text) =>
        text ? (
          <Fragment key={text}>
            <small data-wraps={text === laterText || undefined}>{text}</small>{' '}
          </Fragment>
        ) : null,
      )}
    </button>
  )
}
