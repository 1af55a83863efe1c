import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import classes from './board.module.css'
import { type BoardParty, type Group, groupOf } from './board-model'

interface PartyGroupProps {
  group: Group
  /** The parties in their rows; one may have another state by now. */
  parties: readonly BoardParty[]
  /** The names of the shifts since which `earlier` parties sit. */
  shifts: string
  clock: string
  /** Those that are proposed as finished, and how to finish them all. */
  forgotten: readonly BoardParty[]
  onFinish: (parties: readonly BoardParty[], byKeyboard: boolean) => void
  children: ReactNode
}

/** A group of the board: its title, how many are in that state, and its rows. */
export function PartyGroup(props: PartyGroupProps) {
  const { group, parties, shifts, clock, forgotten, onFinish, children } = props
  const t = useTranslations('client.service')
  const state = group === 'earlier' ? 'seated' : group
  const there = parties.filter((party) => groupOf(party, clock) === state)
  const cancelled = there.filter(({ status }) => status === 'cancelled').length
  const noShow = there.length - cancelled
  const title = group === 'earlier' ? t('earlier', { shifts }) : t(`groups.${group}`)
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
            : t('count', { parties: there.length, covers: coversOf(there) })}
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
      <ul>{children}</ul>
    </section>
  )
}

/** The people of some parties. */
export const coversOf = (parties: readonly { party_size: number }[]): number =>
  parties.reduce((sum, { party_size }) => sum + party_size, 0)
