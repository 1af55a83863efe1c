import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import type { MouseEvent } from 'react'
import { AllergyBadges } from '@/components/customers/allergy-badges'
import { RISK_TONES, riskReasons } from '@/components/reservations/risk-reasons'
import { Badge, STATUS_TONES } from '@/components/ui/badge'
import { Link } from '@/components/ui/link'
import { MoreMenu } from '@/components/ui/more-menu'
import classes from './board.module.css'
import { allergiesIn, type BoardParty, isLost } from './board-model'

interface PartyRowProps {
  party: BoardParty
  /** The path of guests' cards. */
  cards: string
  late: boolean
  onAct: (action: 'arrive' | 'no_show' | 'finish', byKeyboard: boolean) => void
  /** Seats the party at its table; without one, asks for a table. */
  onSeat: () => void
  /** Chooses another table. */
  onTable: () => void
}

/** A party on the board: name, time, size, table, notes and the next step. */
export function PartyRow({ party, cards, late, onAct, onSeat, onTable }: PartyRowProps) {
  const t = useTranslations('client.service')
  const act = (action: 'arrive' | 'no_show' | 'finish') => (event: MouseEvent) =>
    onAct(action, event.detail === 0)
  const expected = party.status === 'pending' || party.status === 'confirmed'
  return (
    <li className={classes.party} data-arrived={(expected && party.arrived_at !== null) || undefined}>
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
          <span className={classes.size}>{t('pax', { count: party.party_size })}</span>
          <span className={classes.table}>
            {party.table_name ? t('table', { name: party.table_name }) : t('noTable')}
          </span>
        </p>
        {isLost(party) ? (
          <p className={classes.marks}>
            <Badge tone={STATUS_TONES[party.status]}>
              {t(party.status === 'cancelled' ? 'cancelled' : 'noShow')}
            </Badge>
          </p>
        ) : null}
        <ToKnow party={party} />
      </div>
      <div className={classes.actions}>
        {expected && !party.arrived_at ? (
          <Button variant="default" onClick={act('arrive')}>
            {t('arrived')}
          </Button>
        ) : null}
        {expected ? (
          <Button variant="light" onClick={onSeat}>
            {t('seat')}
          </Button>
        ) : null}
        {late && !party.arrived_at ? (
          <Button variant="default" onClick={act('no_show')}>
            {t('noShow')}
          </Button>
        ) : null}
        {party.status === 'seated' ? (
          <Button variant="default" onClick={act('finish')}>
            {t('finish')}
          </Button>
        ) : null}
        {expected || party.status === 'seated' ? (
          <MoreMenu label={t('more', { name: party.name ?? t('noName') })}>
            <button type="button" onClick={onTable}>
              {t('otherTable')}
            </button>
            {expected && (!late || party.arrived_at) ? (
              <button type="button" onClick={act('no_show')}>
                {t('noShow')}
              </button>
            ) : null}
          </MoreMenu>
        ) : null}
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
