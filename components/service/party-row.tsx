import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import type { MouseEvent } from 'react'
import { Allergies, AllergyBadges } from '@/components/customers/allergy-badges'
import { RISK_TONES, riskReasons } from '@/components/reservations/risk-reasons'
import { Badge, STATUS_TONES } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { MoreMenu } from '@/components/ui/more-menu'
import type { BackTo } from '@/lib/service/schema'
import classes from './board.module.css'
import {
  allergiesIn,
  type BoardParty,
  formerState,
  type Group,
  groupOf,
  isExpected,
  isLate,
  isLost,
} from './board-model'

/** A tap on a row. */
export type RowTap =
  | { action: 'arrive' | 'no_show' | 'cancel' | 'finish' }
  | { action: 'set_back'; to: BackTo }

interface PartyRowProps {
  party: BoardParty
  /** The path of guests' cards. */
  cards: string
  /** Who sits together with the party. */
  together: readonly BoardParty[]
  /** The group in which the row stands: a row that changes its state stays where it is for a while. */
  group: Group
  clock: string
  /** How long the party has been at its table; null when it does not sit. */
  minutes: number | null
  /** Whether it is proposed as finished. */
  forgotten: boolean
  onTap: (tap: RowTap, byKeyboard: boolean) => void
  /** Seats the party at its table; without one, asks for a table. */
  onSeat: (byKeyboard: boolean) => void
  /** Chooses another table. */
  onTable: () => void
  /** Opens the party's sheet. */
  onOpen: () => void
}

/** A party on the board: name, time, size, table, notes and the next step. */
export function PartyRow(props: PartyRowProps) {
  const { party, cards, together, group, clock, minutes, forgotten, onTap, onSeat, onTable, onOpen } = props
  const t = useTranslations('client.service')
  const tap = (what: RowTap) => (event: MouseEvent) => onTap(what, event.detail === 0)
  const expected = isExpected(party)
  // In another group the buttons stay as they are when the party becomes late: then the menu has it.
  const late = group === 'late' && isLate(party, clock)
  const state = groupOf(party, clock)
  const former = formerState(party)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard the button with size and table opens the sheet
    <li
      className={classes.party}
      data-keep
      data-arrived={(expected && party.arrived_at !== null) || undefined}
      data-over={party.status === 'completed' || isLost(party) || undefined}
      onClick={({ target }) => {
        if (target instanceof Element && !target.closest('a, button, [popover], dialog')) onOpen()
      }}
    >
      <time className={classes.time}>{party.time}</time>
      <div className={classes.what}>
        <p className={classes.who}>
          {party.customer_id ? (
            <Link href={`${cards}/${party.customer_id}`} className={classes.name}>
              {party.name ?? t('noName')}
            </Link>
          ) : (
            <b className={classes.name}>{party.name ?? t('noName')}</b>
          )}
          <button type="button" className={classes.open} onClick={onOpen} aria-haspopup="dialog">
            <span className={classes.size}>{t('guests', { count: party.party_size })}</span>{' '}
            <span className={classes.table}>
              {party.table_name ? t('table', { name: party.table_name }) : t('noTable')}
            </span>
          </button>
          {party.late_minutes && expected ? (
            <span className={classes.late}>{t('sheet.comesLate', { count: party.late_minutes })}</span>
          ) : null}
          {together.length > 0 ? (
            <Badge tone="blue">
              {t('together.with', { names: together.map(({ name }) => name ?? t('noName')).join(', ') })}
            </Badge>
          ) : null}
        </p>
        {group === 'earlier' ? <Allergies allergies={allergiesIn(party)} /> : <ToKnow party={party} />}
      </div>
      <div className={classes.actions}>
        {expected && !party.arrived_at ? (
          <Button variant="default" onClick={tap({ action: 'arrive' })}>
            {t('arrived')}
          </Button>
        ) : null}
        {expected && party.arrived_at ? <span className={classes.now}>{t('states.arrived')}</span> : null}
        {expected ? (
          <Button variant="light" onClick={(event) => onSeat(event.detail === 0)}>
            {t('seat')}
          </Button>
        ) : null}
        {late ? (
          <Button variant="default" onClick={tap({ action: 'no_show' })}>
            {t('noShow')}
          </Button>
        ) : null}
        {party.status === 'seated' ? (
          <Button variant="default" onClick={tap({ action: 'finish' })}>
            {t('finish')}
          </Button>
        ) : null}
        {/* Where the button was that was tapped last: a second tap there does nothing. */}
        {minutes !== null ? (
          <span className={classes.now} data-since data-forgotten={forgotten || undefined}>
            {t('states.seated', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })}
          </span>
        ) : null}
        {isLost(party) ? (
          <span className={classes.now}>
            <Badge tone={STATUS_TONES[party.status]}>
              {t(party.status === 'cancelled' ? 'cancelled' : 'noShow')}
            </Badge>
          </span>
        ) : null}
        {state === 'over' ? (
          <span className={classes.now}>{group === state ? null : t('finish')}</span>
        ) : null}
        <MoreMenu label={t('more', { name: party.name ?? t('noName') })}>
          {expected || party.status === 'seated' ? (
            <button type="button" onClick={onTable}>
              {t(party.table_name ? 'otherTable' : 'someTable')}
            </button>
          ) : null}
          {former ? (
            <button type="button" onClick={tap({ action: 'set_back', to: former })}>
              {t(isLost(party) ? 'back.lost' : `back.${former}`)}
            </button>
          ) : null}
          {expected && !late ? (
            <button type="button" onClick={tap({ action: 'no_show' })}>
              {t('noShow')}
            </button>
          ) : null}
          {expected ? (
            <button type="button" onClick={tap({ action: 'cancel' })}>
              {t('cancel')}
            </button>
          ) : null}
        </MoreMenu>
      </div>
    </li>
  )
}

/** What staff should know before the party sits: allergies first, then tier and tags, then notes. */
function ToKnow({ party }: { party: BoardParty }) {
  const t = useTranslations('client.service')
  const facts = useTranslations('client.facts')
  const risk = useTranslations('client.risk')
  const allergies = allergiesIn(party)
  const others = party.facts.filter(({ kind }) => kind !== 'allergy')
  const nameOf = (code: string) => facts(code as 'nuts')
  return (
    <>
      <p className={classes.marks}>
        <AllergyBadges allergies={allergies} />
        {party.suggested.map((code) => (
          <Badge key={code} tone="amber">
            {t('suggested', { name: nameOf(code) })}
          </Badge>
        ))}
        {others.map(({ code }) => (
          <Badge key={code} tone="neutral">
            {nameOf(code)}
          </Badge>
        ))}
        {party.vip ? <Badge tone="accent">{party.tier ?? t('vip')}</Badge> : null}
        {party.birthday_in === null ? null : (
          <Badge tone="blue">{t('birthday', { days: party.birthday_in })}</Badge>
        )}
        {party.first_visit ? <Badge tone="green">{t('firstVisit')}</Badge> : null}
        {party.risk && party.risk.level !== 'low' ? (
          <Badge tone={RISK_TONES[party.risk.level]}>
            {risk(`level.${party.risk.level}`)}: {riskReasons(risk, party.risk)}
          </Badge>
        ) : null}
        {party.no_shows > 0 ? <Badge tone="orange">{t('noShows', { count: party.no_shows })}</Badge> : null}
      </p>
      {party.notes || party.customer_notes ? (
        <p className={classes.notes}>{[party.notes, party.customer_notes].filter(Boolean).join(' · ')}</p>
      ) : null}
    </>
  )
}
