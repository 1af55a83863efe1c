'use client'
import '@mantine/dates/styles.layer.css'
import 'dayjs/locale/es'
import { DatePicker, DatesProvider } from '@mantine/dates'
import { useFocusTrap } from '@mantine/hooks'
import { useLocale, useTranslations } from 'next-intl'

/** A month view to choose a day. It has six weeks, so that the days of the next one are there at the end of a month. */
export default function Calendar({ date, onChoose }: { date: string; onChoose: (date: string) => void }) {
  const t = useTranslations('client.datePick')
  const locale = useLocale()
  const trap = useFocusTrap()
  return (
    <div ref={trap}>
      <DatesProvider settings={{ locale, firstDayOfWeek: 1, weekendDays: [], consistentWeeks: true }}>
        <DatePicker
          value={date}
          defaultDate={date}
          onChange={(next) => next && onChoose(next)}
          ariaLabels={{
            nextMonth: t('nextMonth'),
            previousMonth: t('previousMonth'),
            nextYear: t('nextYear'),
            previousYear: t('previousYear'),
            nextDecade: t('nextDecade'),
            previousDecade: t('previousDecade'),
            monthLevelControl: t('chooseMonth'),
            yearLevelControl: t('chooseYear'),
          }}
        />
      </DatesProvider>
    </div>
  )
}
