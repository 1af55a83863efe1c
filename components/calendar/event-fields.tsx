'use client'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { CustomerPicker } from '@/components/customers/customer-picker'
import { FormFields, FormRow } from '@/components/ui/form-layout'
import { localTime } from '@/lib/calendar/local-time'
import type { eventProblem } from './event-body'
import type { EventChoices } from './event-choices'
import type { ShownEvent } from './load-events'

const REMINDERS = [0, 15, 30, 60, 120, 1440, 2880, 10080] as const
const HOUR_MS = 3_600_000

interface EventFieldsProps {
  event?: ShownEvent
  date?: string | null
  choices: EventChoices
  timezone: string
  /** The field that is wrong. */
  problem: ReturnType<typeof eventProblem>
  /** Another location was chosen: the times are those of its clock. */
  onTimezone: (timezone: string) => void
}

/** The fields of an event. */
export function EventFields({ event, date, choices, timezone, problem, onTimezone }: EventFieldsProps) {
  const t = useTranslations('client.calendar')
  const errorAt = (field: typeof problem) => (field && field === problem ? t(`problems.${field}`) : undefined)
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
      <FormRow>
        <TextInput
          name="start"
          type="datetime-local"
          label={t('fields.start')}
          description={t('zone', { zone: timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone })}
          defaultValue={event ? localTime(event.event_datetime, timezone) : firstTime(date, timezone)}
          error={errorAt('event_datetime')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          name="end"
          type="datetime-local"
          label={t('fields.end')}
          defaultValue={event?.ends_at ? localTime(event.ends_at, timezone) : ''}
          error={errorAt('ends_at')}
        />
      </FormRow>
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
          onChange={(change) => onTimezone(zoneOf(change.currentTarget.value))}
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
        <CustomerPicker name="customer_id" initial={event?.customer ?? null} />
      ) : null}
    </FormFields>
  )
}

/** Noon of the day that was clicked, else the next full hour. */
function firstTime(date: string | null | undefined, timezone: string): string {
  if (date) return `${date}T12:00`
  return `${localTime(new Date(Date.now() + HOUR_MS), timezone).slice(0, 13)}:00`
}
