import { TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import type { Confirmed } from '@/lib/reservations/questions'
import type { Place } from '@/lib/service/schema'
import classes from './board.module.css'
import type { BoardService } from './board-model'
import { Tables } from './table-picker'

interface WalkInProps {
  service: BoardService
  clock: string
  onSeat: (party: Place & { party_size: number; customer_name?: string; confirm?: Confirmed[] }) => void
  onClose: () => void
}

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12]

/** Adds a party without a reservation in two taps: the size, then the table. The name is optional. */
export function WalkIn({ service, clock, onSeat, onClose }: WalkInProps) {
  const t = useTranslations('client.service')
  const [size, setSize] = useState<number | null>(null)
  const [name, setName] = useState('')
  return (
    <Dialog title={size === null ? t('howMany') : t('whichTable', { count: size })} onClose={onClose}>
      {size === null ? (
        <ul className={classes.sizes}>
          {SIZES.map((each) => (
            <li key={each}>
              <button type="button" className={classes.choice} onClick={() => setSize(each)}>
                <b>{each}</b>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <TextInput
            label={t('walkInName')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            autoComplete="off"
          />
          <Tables
            service={service}
            clock={clock}
            partySize={size}
            onPick={(place, confirm) =>
              onSeat({ party_size: size, ...place, customer_name: name.trim() || undefined, confirm })
            }
          />
        </>
      )}
    </Dialog>
  )
}
