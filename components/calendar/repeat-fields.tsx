import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { NumberField } from '@/components/forms/number-field'
import { FormRow } from '@/components/ui/form-layout'
import type { Repeat } from '@/lib/calendar/schema'
import classes from './event-form.module.css'

const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const ENDS = ['never', 'until', 'count'] as const

/** The state that decides which fields of the rule are shown. */
export interface RepeatChoice {
  /** Empty when the event does not repeat. */
  frequency: Repeat['frequency'] | ''
  ends: (typeof ENDS)[number]
}

/** Returns the initial state for a rule. */
export const choiceOf = (repeat?: Repeat | null): RepeatChoice => ({
  frequency: repeat?.frequency ?? '',
  ends: repeat?.until ? 'until' : repeat?.count ? 'count' : 'never',
})

interface RepeatFieldsProps {
  repeat?: Repeat | null | undefined
  choice: RepeatChoice
  onChoice: (choice: RepeatChoice) => void
  errorAt: (field: string) => string | undefined
}

/** The fields for how an event repeats, and until when. */
export function RepeatFields({ repeat, choice, onChoice, errorAt }: RepeatFieldsProps) {
  const t = useTranslations('client.calendar')
  const { frequency, ends } = choice
  return (
    <>
      <FormRow>
        <NativeSelect
          name="frequency"
          label={t('fields.repeat')}
          data={[
            { value: '', label: t('repeats.none') },
            ...FREQUENCIES.map((value) => ({ value, label: t(`repeats.${value}`) })),
          ]}
          defaultValue={choiceOf(repeat).frequency}
          onChange={(change) =>
            onChoice({ ...choice, frequency: change.currentTarget.value as RepeatChoice['frequency'] })
          }
        />
        {frequency ? (
          <NumberField
            name="every"
            min={1}
            max={99}
            label={t(`every.${frequency}`)}
            defaultValue={repeat?.every ?? 1}
            error={errorAt('repeat.every')}
          />
        ) : null}
      </FormRow>
      {frequency === 'weekly' ? (
        <fieldset className={classes.group}>
          <legend>{t('weekdaysOf')}</legend>
          <div className={classes.days}>
            {WEEKDAYS.map((day) => (
              <Checkbox
                key={day}
                name="weekdays"
                value={String(day)}
                label={t(`weekdays.${day}`)}
                defaultChecked={repeat?.weekdays?.includes(day) ?? false}
              />
            ))}
          </div>
          <p className={classes.hint}>{t('weekdaysHint')}</p>
        </fieldset>
      ) : null}
      {frequency ? (
        <FormRow>
          <NativeSelect
            name="ends"
            label={t('fields.ends')}
            data={ENDS.map((value) => ({ value, label: t(`ends.${value}`) }))}
            defaultValue={choiceOf(repeat).ends}
            onChange={(change) =>
              onChoice({ ...choice, ends: change.currentTarget.value as RepeatChoice['ends'] })
            }
          />
          {ends === 'until' ? (
            <TextInput
              name="until"
              type="date"
              label={t('fields.until')}
              defaultValue={repeat?.until ?? ''}
              error={errorAt('repeat.until')}
            />
          ) : null}
          {ends === 'count' ? (
            <NumberField
              name="count"
              min={1}
              max={500}
              label={t('fields.count')}
              defaultValue={repeat?.count}
              error={errorAt('repeat.count')}
            />
          ) : null}
        </FormRow>
      ) : null}
    </>
  )
}
