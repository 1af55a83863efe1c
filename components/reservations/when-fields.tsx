import { TextInput } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { FormRow } from '@/components/ui/form-layout'
import { dateInService, isAfterMidnight } from '@/components/ui/service-day'
import { calendarDate } from '@/lib/i18n/formats'

interface WhenFieldsProps {
  /** The day of the service. */
  date: string
  time: string
  dateError?: string
  timeError?: string
}

/** The day of a booking's service and its time. Of a time after midnight they say whose night it is. */
export function WhenFields({ date, time, dateError, timeError }: WhenFieldsProps) {
  const t = useTranslations('client.booking')
  const format = useFormatter()
  const [when, setWhen] = useState({ date, time })
  const change = (part: 'date' | 'time') => (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget
    setWhen((before) => ({ ...before, [part]: value }))
  }
  const dayOf = (date: string) =>
    (['weekday', 'dayNumber'] as const).map((part) => format.dateTime(calendarDate(date), part)).join(' ')
  const isNight = /^\d{4}-/.test(when.date) && when.time !== '' && isAfterMidnight(when.time)
  return (
    <>
      <FormRow>
        <TextInput
          name="reservation_date"
          type="date"
          label={t('date')}
          defaultValue={date}
          onInput={change('date')}
          error={dateError}
        />
        <TextInput
          name="reservation_time"
          type="time"
          label={t('time')}
          defaultValue={time}
          onInput={change('time')}
          error={timeError}
        />
      </FormRow>
      <p role="status" hidden={!isNight}>
        {isNight
          ? t('night', { night: dayOf(dateInService(when.date, when.time)), service: dayOf(when.date) })
          : null}
      </p>
    </>
  )
}
