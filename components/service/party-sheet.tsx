import { Button, Textarea, TextInput } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { readNumber } from '@/components/forms/numbers'
import { useDraft } from '@/components/forms/use-draft'
import { Dialog } from '@/components/ui/dialog'
import { FormActions, FormFields } from '@/components/ui/form-layout'
import { Link } from '@/components/ui/link'
import type { Tap } from '@/lib/service/schema'
import { type BoardParty, isExpected, isLost } from './board-model'
import { PartyLines } from './party-lines'
import classes from './party-sheet.module.css'

/** What the sheet changes of a party: the fields that differ, and the notes that the person saw. */
export type PartyChange = Pick<
  Extract<Tap, { action: 'change' }>,
  'party_size' | 'time' | 'late_minutes' | 'notes' | 'was'
>

interface PartySheetProps {
  party: BoardParty
  /** The path of guests' cards. */
  cards: string
  /** When the board was last read. */
  readAt: string
  /** Receives what is saved together: what may ask something first stands apart, so that a no loses nothing else. */
  onChange: (changes: readonly PartyChange[]) => void
  /** Who sits together with the party. */
  together: readonly BoardParty[]
  onTable: () => void
  onJoin: () => void
  onSeparate: (byKeyboard: boolean) => void
  onSeat: () => void
  onCancel: () => void
  onClose: () => void
}

/** Minutes after its time by which a party usually says that it comes later. */
const DELAYS = [10, 15, 20, 30, 45, 60]
const MOST = 500

const agreedWith = ({ party_size, time, late_minutes, notes }: BoardParty) => ({
  ...{ size: String(party_size), time, late: late_minutes, notes: notes ?? '' },
})

/** All that a host agrees with a party: its size, time, delay, table and note; and the ways to call it. */
export function PartySheet(props: PartySheetProps) {
  const { party, cards, readAt, together, onChange, onTable, onJoin, onSeparate, onSeat, onCancel, onClose } =
    props
  const t = useTranslations('client.service')
  const form = useTranslations('client.form')
  const locale = useLocale()
  const [value, setValue] = useState(() => agreedWith(party))
  const draft = useDraft(`party:${party.id}`, {
    loaded: agreedWith(party),
    state: value,
    // A draft of an older version of the app has a number.
    onState: (kept) => setValue({ ...kept, size: String(kept.size) }),
  })
  const was = draft.loaded ?? agreedWith(party)
  const set = (fields: Partial<typeof value>) => setValue({ ...value, ...fields })
  const comes = isExpected(party) && !party.arrived_at
  const size = readNumber(value.size, locale)
  const isSize = size !== null && size >= 1 && size <= MOST
  const isRight = isSize && value.time !== ''

  function save(event: FormEvent) {
    event.preventDefault()
    if (!isSize || !isRight) return
    const notes = value.notes.trim()
    const asking: PartyChange = {
      ...(size === readNumber(was.size, locale) ? {} : { party_size: size }),
      ...(value.time === was.time ? {} : { time: value.time }),
    }
    const other: PartyChange = {
      ...(value.late === was.late ? {} : { late_minutes: value.late }),
      ...(notes === was.notes.trim() ? {} : { notes: notes || null, was: was.notes || null }),
    }
    draft.saved()
    const changes = [asking, other].filter((each) => Object.keys(each).length > 0)
    if (changes.length > 0) onChange(changes)
    onClose()
  }

  return (
    <Dialog title={party.name ?? t('noName')} side onClose={onClose}>
      {draft.node}
      <PartyLines party={party} cards={cards} readAt={readAt} />
      <p className={classes.ways}>
        {party.phone ? (
          <>
            <a href={`tel:${party.phone}`}>
              {t('sheet.call', { phone: party.readable_phone ?? party.phone })}
            </a>
            <a
              href={`https://wa.me/${party.phone.replace(/\D/g, '')}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              {t('sheet.whatsapp')}
            </a>
          </>
        ) : null}
        {party.customer_id ? <Link href={`${cards}/${party.customer_id}`}>{t('sheet.card')}</Link> : null}
      </p>
      <form onSubmit={save} noValidate>
        <FormFields>
          <fieldset className={classes.size}>
            <legend>{t('wait.fields.party_size')}</legend>
            <Button
              variant="default"
              aria-label={t('sheet.less')}
              disabled={size !== null && size <= 1}
              onClick={() => set({ size: String(Math.max(1, (size ?? 1) - 1)) })}
            >
              −
            </Button>
            <NumberField
              aria-label={t('wait.fields.party_size')}
              value={value.size}
              onChange={(text) => set({ size: text })}
              error={isSize ? undefined : t('sheet.sizeProblem')}
            />
            <Button
              variant="default"
              aria-label={t('sheet.more')}
              disabled={size !== null && size >= MOST}
              onClick={() => set({ size: String((size ?? 0) + 1) })}
            >
              +
            </Button>
          </fieldset>
          <TextInput
            type="time"
            label={t('sheet.time')}
            value={value.time}
            onChange={({ currentTarget }) => set({ time: currentTarget.value, late: null })}
            error={value.time === '' ? t('sheet.timeProblem') : undefined}
          />
          {comes ? (
            <fieldset className={classes.late}>
              <legend>{t('sheet.late')}</legend>
              {[null, ...DELAYS].map((minutes) => (
                <label key={minutes}>
                  <input
                    type="radio"
                    name="late"
                    checked={value.late === minutes}
                    onChange={() => set({ late: minutes })}
                  />
                  <span>{minutes === null ? t('sheet.onTime') : t('wait.minutes', { count: minutes })}</span>
                </label>
              ))}
            </fieldset>
          ) : null}
          <Textarea
            label={t('wait.fields.notes')}
            rows={2}
            maxLength={5000}
            value={value.notes}
            onChange={({ currentTarget }) => set({ notes: currentTarget.value })}
          />
          {party.from_pms ? <p className={classes.hint}>{t('sheet.fromPms')}</p> : null}
        </FormFields>
        <FormActions>
          <Button variant="default" onClick={draft.cancel(onClose)}>
            {t('leaveIt')}
          </Button>
          <Button type="submit" disabled={!isRight}>
            {form('save')}
          </Button>
        </FormActions>
      </form>
      {isLost(party) || party.status === 'completed' ? null : (
        <div className={classes.steps}>
          <Button variant="default" onClick={onTable}>
            {party.table_name ? t('sheet.table', { name: party.table_name }) : t('someTable')}
          </Button>
          <Button variant="default" onClick={onJoin}>
            {t('together.open')}
          </Button>
          {together.length > 0 ? (
            <Button variant="default" onClick={(event) => onSeparate(event.detail === 0)}>
              {t('together.separate', { names: together.map(({ name }) => name ?? t('noName')).join(', ') })}
            </Button>
          ) : null}
          {isExpected(party) ? (
            <>
              <Button variant="light" onClick={onSeat}>
                {t('seat')}
              </Button>
              <Button variant="default" onClick={onCancel}>
                {t('cancel')}
              </Button>
            </>
          ) : null}
        </div>
      )}
    </Dialog>
  )
}
