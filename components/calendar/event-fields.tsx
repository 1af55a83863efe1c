import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { CustomerPicker, type PickedCustomer } from '@/components/customers/customer-picker'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { localTime } from '@/lib/dates'
import type { ShownEvent } from './load-events'
import { type RepeatChoice, RepeatFields } from './repeat-fields'

/** The options of the fields of an event. */
export interface EventChoices {
  locations: { value: string; label: string; timezone: string }[]
  colleagues: { value: string; label: string }[]
  /** Whether the person may search for customers. */
  mayPickCustomer: boolean
  /** The time zone of events without a location. */
  timezone: string
}

/** The state that decides which fields the form shows. */
export interface EventState {
  /** The times are in the time zone of the chosen location. */
  timezone: string
  customer: PickedCustomer | null
  allDay: boolean
  repeat: RepeatChoice
}

const REMINDERS = [0, 15, 30, 60, 120, 1440, 2880, 10080] as const
const HOUR_MS = 3_600_000

interface EventFieldsProps {
  event?: ShownEvent | undefined
  date?: string | null | undefined
  choices: EventChoices
  errorAt: (field: string) => string | undefined
  state: EventState
  onState: (change: Partial<EventState>) => void
}

/** The fields of an event. */
export function EventFields({ event, date, choices, errorAt, state, onState }: EventFieldsProps) {
  const t = useTranslations('client.calendar')
  const zoneOf = (id: string) =>
    choices.locations.find(({ value }) => value === id)?.timezone ?? choices.timezone
  const known =
    event && !REMINDERS.some((minutes) => minutes === event.reminder_minutes) ? [event.reminder_minutes] : []
  return (
    <FormFields>
      <TextInput
        name="title"
        label={t('fields.title')}
        defaultValue={event?.title}
        error={errorAt('title')}
        maxLength={200}
        autoComplete="off"
        autoFocus
      />
      <Checkbox
        name="all_day"
        label={t('fields.allDay')}
        defaultChecked={typeof event?.starts_on === 'string'}
        onChange={(change) => onState({ allDay: change.currentTarget.checked })}
      />
      {state.allDay ? (
        <FormRow>
          <TextInput
            name="starts_on"
            type="date"
            label={t('fields.firstDay')}
            defaultValue={event?.date ?? firstTime(date, state.timezone).slice(0, 10)}
            error={errorAt('starts_on')}
          />
          <TextInput
            name="ends_on"
            type="date"
            label={t('fields.lastDay')}
            defaultValue={event?.starts_on ? (event.ends_on ?? '') : ''}
            error={errorAt('ends_on')}
          />
        </FormRow>
      ) : (
        <TimeFields {...{ event, date, errorAt }} timezone={state.timezone} />
      )}
      <RepeatFields
        repeat={event?.repeat}
        choice={state.repeat}
        onChoice={(repeat) => onState({ repeat })}
        errorAt={errorAt}
      />
      <FormRow>
        <NativeSelect
          name="location_id"
          label={t('fields.location')}
          data={[
            { value: '', label: t('wholeGroup') },
            ...choices.locations.map(({ value, label }) => ({ value, label })),
          ]}
          defaultValue={event?.location_id ?? ''}
          error={errorAt('location_id')}
          onChange={(change) => onState({ timezone: zoneOf(change.currentTarget.value) })}
        />
        <NativeSelect
          name="assignee_id"
          label={t('fields.assignee')}
          data={[{ value: '', label: t('nobody') }, ...choices.colleagues]}
          defaultValue={event?.assignee_id ?? ''}
          error={errorAt('assignee_id')}
        />
      </FormRow>
      <NativeSelect
        name="reminder_minutes"
        label={t('fields.reminder')}
        data={[
          ...REMINDERS.map((minutes) => ({ value: String(minutes), label: t(`reminders.${minutes}`) })),
          ...known.map((minutes) => ({ value: String(minutes), label: t('reminders.other', { minutes }) })),
        ]}
        defaultValue={String(event?.reminder_minutes ?? 60)}
        error={errorAt('reminder_minutes')}
      />
      <Textarea
        name="description"
        label={t('fields.description')}
        defaultValue={event?.description ?? ''}
        error={errorAt('description')}
        maxLength={5000}
        rows={3}
      />
      {choices.mayPickCustomer ? (
        <CustomerPicker
          name="customer_id"
          chosen={state.customer}
          onPick={(customer) => onState({ customer })}
        />
      ) : null}
    </FormFields>
  )
}

interface TimeFieldsProps extends Pick<EventFieldsProps, 'event' | 'date' | 'errorAt'> {
  timezone: string
}

/** When an event begins and ends; an all-day one is proposed for noon. */
function TimeFields({ event, date, errorAt, timezone }: TimeFieldsProps) {
  const t = useTranslations('client.calendar')
  const timed = event?.starts_on === null ? event : undefined
  return (
    <FormRow>
      <TextInput
        name="start"
        type="datetime-local"
        label={t('fields.start')}
        description={t('zone', { zone: timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone })}
        defaultValue={
          timed ? localTime(timed.event_datetime, timezone) : firstTime(date ?? event?.date, timezone)
        }
        error={errorAt('event_datetime')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <TextInput
        name="end"
        type="datetime-local"
        label={t('fields.end')}
        defaultValue={timed?.ends_at ? localTime(timed.ends_at, timezone) : ''}
        error={errorAt('ends_at')}
      />
    </FormRow>
  )
}

/** Noon of the clicked day, or the next full hour without one. */
function firstTime(date: string | null | undefined, timezone: string): string {
  if (date) return `${date}T12:00`
  return `${localTime(new Date(Date.now() + HOUR_MS), timezone).slice(0, 13)}:00`
}
