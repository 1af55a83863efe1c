'use client'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { AllergiesByCode } from '@/components/customers/allergy-badges'
import { SubmitButtons } from '@/components/forms/submit-buttons'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Dialog } from '@/components/ui/dialog'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Link } from '@/components/ui/link'
import { serviceMinute } from '@/components/ui/service-day'
import { useToast } from '@/components/ui/toast'
import type { Closed, Closing } from '@/lib/closings/schema'
import { shownName } from '@/lib/customers/person-name'
import { useClosingText } from './closing-text'
import classes from './closings.module.css'
import { usePlaceParts } from './use-place-parts'

export interface CloseFormProps {
  locations: { value: string; label: string }[]
  /** The initial location; '' for none. */
  locationId: string
  /** The initial service day. */
  day: string
  /** The local time there when that day is today: the shift under way, else the next one, is proposed. */
  clock?: string | undefined
  onClose: () => void
}

interface Values {
  location: string
  day: string
  /** Absent until it is chosen; '' for the whole day. */
  shift?: string
  zone: string
  reason: string
}

/** A dialog that closes a service day of a location, or a shift or zone of it; then it names who has booked into it. */
export function CloseForm({ locations, locationId, day, clock, onClose }: CloseFormProps) {
  const t = useTranslations('client.closings')
  const say = useToast()
  const router = useRouter()
  const text = useClosingText()
  const [values, setValues] = useState<Values>({ location: locationId, day, zone: '', reason: '' })
  const [concerned, setConcerned] = useState<Closed['reservations']>([])
  const draft = useDraft('closing:new', { state: values, onState: setValues })
  const parts = usePlaceParts(values.location)
  const weekday = new Date(values.day).getUTCDay() || 7
  const shifts = parts.shifts.filter(({ weekdays }) => weekdays.includes(weekday))
  const isToday = values.day === day && values.location === locationId
  const proposed =
    clock && isToday
      ? shifts.find(({ closes }) => serviceMinute(closes) > serviceMinute(clock))?.name
      : undefined
  const shift = values.shift ?? proposed ?? ''
  const { form, busy, submit, refuse, errorAt, failure } = useSubmit({
    fields: ['location', 'day', 'shift', 'zone', 'reason'],
    texts: {
      location: t('problems.location'),
      day: t('problems.day'),
      reason: t('problems.reason'),
      ALREADY_EXISTS: t('problems.repeated'),
    },
  })
  const field = (name: keyof typeof values) => ({
    name,
    label: t(`fields.${name}`),
    value: values[name] ?? '',
    error: errorAt(name),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setValues((before) => ({
        // What is proposed stays, also in the draft, once a field has been changed.
        ...(parts.loading ? before : { ...before, shift }),
        [name]: currentTarget.value,
      })),
  })

  async function close(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { location, day, zone, reason } = values
    const missing = (['location', 'day', 'reason'] as const).filter((name) => values[name].trim() === '')
    if (missing.length > 0) return refuse(...missing)
    const body = { day, shift: shift || null, zone: zone || null, reason }
    const path = `/api/locations/${location}/closings`
    const answer = await submit<Closing>('POST', path, body)
    if (!answer.ok) return
    draft.saved()
    say(text(answer.data))
    router.refresh()
    const { reservations } = answer.whole as Closed
    if (reservations.length === 0) onClose()
    else setConcerned(reservations)
  }

  if (concerned.length > 0)
    return (
      <Dialog title={t('concernedTitle', { count: concerned.length })} onClose={onClose}>
        <p>{t('concernedText')}</p>
        <ul className={classes.concerned}>
          {concerned.map((each) => (
            <li key={each.id}>
              <b>{each.reservation_time}</b>
              <span>
                {each.customer_name ? shownName(each.customer_name) : t('noName')} ·{' '}
                {t('people', { count: each.party_size })}
                <AllergiesByCode codes={each.allergies} />
              </span>
              <Link
                href={`/reservations?${new URLSearchParams({
                  date: values.day,
                  location_id: values.location,
                  reservation: each.id,
                })}`}
                onClick={onClose}
              >
                {t('open')}
              </Link>
            </li>
          ))}
        </ul>
        <FormActions>
          <Button onClick={onClose} data-autofocus>
            {t('understood')}
          </Button>
        </FormActions>
      </Dialog>
    )
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <form ref={form} onSubmit={close} noValidate>
        {draft.node}
        <FormFields>
          <p>{t('intro')}</p>
          {locations.length > 1 ? (
            <NativeSelect
              {...field('location')}
              data={locationId ? locations : [{ value: '', label: t('choose') }, ...locations]}
            />
          ) : null}
          <TextInput {...field('day')} type="date" />
          <FormRow>
            <NativeSelect
              {...field('shift')}
              value={shift}
              data={options(
                t('allShifts'),
                shifts.map(({ name }) => name),
                shift,
              )}
            />
            <NativeSelect {...field('zone')} data={options(t('allZones'), parts.zones, values.zone)} />
          </FormRow>
          <TextInput
            {...field('reason')}
            maxLength={200}
            description={t('reasonHint')}
            autoComplete="off"
            data-autofocus
          />
        </FormFields>
        <Failure text={failure ?? (parts.failed ? t('problems.parts') : null)} />
        <SubmitButtons busy={busy || parts.loading} onCancel={draft.cancel(onClose)} label={t('submit')} />
      </form>
    </Dialog>
  )
}

/** All or one of the names; the chosen one also while they load, so that it is never lost. */
const options = (all: string, names: readonly string[], chosen: string) => [
  { value: '', label: all },
  ...[...new Set([...names, chosen])].filter(Boolean).map((name) => ({ value: name, label: name })),
]
