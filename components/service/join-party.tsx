import { TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { serviceMinute } from '@/components/ui/service-day'
import { findParties } from '@/lib/reservations/party-search'
import classes from './board.module.css'
import { areTogether, type BoardParty, isThere, sitsWith } from './board-model'

interface JoinPartyProps {
  party: BoardParty
  parties: readonly BoardParty[]
  onJoin: (other: BoardParty, byKeyboard: boolean) => void
  onClose: () => void
}

/** The others are searched when they are more than fit on a screen. */
const MANY = 8

/** Chooses who sits together with a party: those of about the same time come first. */
export function JoinParty({ party, parties, onJoin, onClose }: JoinPartyProps) {
  const t = useTranslations('client.service')
  const [search, setSearch] = useState('')
  const apart = ({ time }: BoardParty) => Math.abs(serviceMinute(time) - serviceMinute(party.time))
  const others = parties
    .filter((each) => each.id !== party.id && !areTogether(party, each))
    .filter(isThere)
    .toSorted((a, b) => apart(a) - apart(b))
  const nameOf = ({ name }: BoardParty) => name ?? t('noName')
  function withWhom(other: BoardParty): string | null {
    const names = sitsWith(other, parties).map(nameOf)
    return names.length > 0 ? t('together.with', { names: names.join(', ') }) : null
  }
  const shown = search.trim() ? findParties(others, search) : others
  return (
    <Dialog title={t('together.title', { name: party.name ?? t('noName') })} onClose={onClose}>
      {others.length > MANY ? (
        <TextInput
          aria-label={t('search')}
          placeholder={t('searchHint')}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          autoComplete="off"
        />
      ) : null}
      <p role="status">{shown.length > 0 ? null : t(`together.${others.length > 0 ? 'noMatch' : 'none'}`)}</p>
      <ul className={classes.others}>
        {shown.map((other) => (
          <li key={other.id}>
            <button
              type="button"
              className={classes.choice}
              onClick={(event) => onJoin(other, event.detail === 0)}
            >
              <b>{nameOf(other)}</b>
              <small>
                {[
                  other.time,
                  t('guests', { count: other.party_size }),
                  other.table_name && t('table', { name: other.table_name }),
                  withWhom(other),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
