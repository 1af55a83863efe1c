import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type ReactNode, useRef, useState } from 'react'
import classes from './board.module.css'
import type { BoardParty, Group } from './board-model'

interface PartyGroupProps {
  group: Group
  /** The parties in that state: while the list keeps still, a row may stand in another group. */
  parties: readonly BoardParty[]
  /** The names of the shifts since which `earlier` parties sit. */
  shifts: string
  /** Those that are proposed as finished, and how to finish them all. */
  forgotten: readonly BoardParty[]
  onFinish: (parties: readonly BoardParty[], byKeyboard: boolean) => void
  children: readonly ReactNode[]
}

/** Who sits since an earlier shift must not push those who come off the screen. */
const FEW = 3

/** A group of the board: its title, how many are in that state, and its rows. */
export function PartyGroup(props: PartyGroupProps) {
  const { group, parties, shifts, forgotten, onFinish, children } = props
  const t = useTranslations('client.service')
  const [all, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const rows = all || group !== 'earlier' || children.length <= FEW + 1 ? children : children.slice(0, FEW)
  const cancelled = parties.filter(({ status }) => status === 'cancelled').length
  const noShow = parties.length - cancelled
  const title = group === 'earlier' ? t('earlier', { shifts }) : t(`groups.${group}`)

  function showAll() {
    setAll(true)
    // The button disappears, so the focus moves to the first row that it revealed.
    requestAnimationFrame(() => list.current?.children[FEW]?.querySelector('button')?.focus())
  }

  return (
    <section className={classes.group} data-group={group} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        <small className={classes.count}>
          {group === 'lost'
            ? [
                cancelled > 0 && t('lostCount.cancelled', { count: cancelled }),
                noShow > 0 && t('lostCount.noShow', { count: noShow }),
              ]
                .filter(Boolean)
                .join(' · ')
            : t('count', { parties: parties.length, covers: coversOf(parties) })}
        </small>
        {forgotten.length > 0 ? (
          <Button
            variant="light"
            size="compact-sm"
            title={t('forgotten')}
            onClick={(event) => onFinish(forgotten, event.detail === 0)}
          >
            {t('finishAll', { count: forgotten.length })}
          </Button>
        ) : null}
      </div>
      <ul ref={list}>{rows}</ul>
      {rows.length < children.length ? (
        <Button variant="subtle" size="compact-sm" onClick={showAll}>
          {t('showAll', { count: children.length - rows.length })}
        </Button>
      ) : null}
    </section>
  )
}

/** The people of some parties. */
const coversOf = (parties: readonly { party_size: number }[]): number =>
  parties.reduce((sum, { party_size }) => sum + party_size, 0)
