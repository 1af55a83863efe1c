import { TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { Dialog } from '@/components/ui/dialog'
import { FormRow } from '@/components/ui/form-layout'
import type { BoardService } from './board-model'
import { isFree, tableStates } from './table-states'
import classes from './tables.module.css'

interface FindTableProps {
  service: BoardService
  /** The current local time; null for another day than today. */
  clock: string | null
  /** The initial time. */
  at: string
  onClose: () => void
}

const MOST = 100
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/** Finds the free tables for a time and a party size, smallest first. */
export function FindTable({ service, clock, at, onClose }: FindTableProps) {
  const t = useTranslations('client.tablesBoard')
  const texts = useTranslations('client.service')
  const [time, setTime] = useState(at)
  const [size, setSize] = useState('2')
  const guests = readNumber(size, useLocale()) ?? 0
  const asked = TIME.test(time) && guests >= 1 && guests <= MOST
  const free = asked ? tableStates(service, clock, guests, { at: time }).filter(isFree) : []
  return (
    <Dialog title={t('find')} onClose={onClose}>
      <FormRow>
        <TextInput
          label={t('time')}
          type="time"
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <NumberField
          label={t('guests')}
          value={size}
          error={size.trim() !== '' && !(guests >= 1 && guests <= MOST)}
          min={1}
          max={MOST}
          onChange={setSize}
        />
      </FormRow>
      <div role="status" className={classes.found}>
        <p>{asked ? t('free', { count: free.length }) : t('ask')}</p>
        <ul>
          {free.map(({ name, zone, capacity, next }) => (
            <li key={name}>
              <b>{texts('table', { name })}</b>{' '}
              {[
                zone,
                capacity && texts('seats', { count: capacity }),
                next && texts('reservedAt', { time: next.time }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
