'use client'
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { IconClock, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { EmptyState } from '@/components/ui/empty-state'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import type { Hours } from '@/lib/locations/service-setup-schema'
import classes from './hours-form.module.css'
import { repeats, useRows, wholeNumber } from './setup-rows'

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const EVERY_DAY = [...WEEKDAYS]
/** Times before this one belong to the night after the service day. */
const DAY_BEGINS = '06:00'

/** A shift as typed in the form. */
type ShiftDraft = Omit<Hours['shifts'][number], 'capacity'> & { capacity: string }
type ClosedDraft = { day: string; name: string }

const DINNER: ShiftDraft = {
  name: '',
  weekdays: EVERY_DAY,
  opens: '20:00',
  closes: '23:30',
  capacity: '',
}
const LUNCH: ShiftDraft = { ...DINNER, opens: '13:00', closes: '16:00' }

/** The shifts and closed days of a location. */
export function HoursForm({ locationId, hours }: { locationId: string; hours: Hours }) {
  const t = useTranslations('client.hours')
  const locale = useLocale()
  const words = useTranslations('client.form')
  const say = useToast()
  const router = useRouter()
  const shifts = useRows(hours.shifts.map(shiftDraft))
  const closed = useRows(hours.closed_days.map(closedDraft))
  // Days that others close meanwhile stay.
  const [loaded, setLoaded] = useState(() => hours.closed_days.map(({ day }) => day))
  const [addShift, addClosed] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  const capacityPaths = shifts.rows.map((_, index) => `shifts.${index}.capacity`)
  const dayPaths = closed.rows.map((_, index) => `closed_days.${index}.day`)
  const { form, busy, submit, clear, refusal, errorAt, failure } = useSubmit({
    fields: ['shifts', 'closed_days'],
    texts: {
      ALREADY_EXISTS: t('problems.repeated'),
      ...Object.fromEntries(capacityPaths.map((path) => [path, t('problems.capacity')])),
      ...Object.fromEntries(dayPaths.map((path) => [path, t('problems.day')])),
    },
  })
  const refusedTwice = refusal?.code === 'ALREADY_EXISTS'
  const nameTwice = repeats(shifts.rows.map(({ value }) => value.name))
  const dayTwice = repeats(closed.rows.map(({ value }) => value.day))
  const atFields = refusal?.issues.some(({ path }) => path.includes('.')) ?? false
  const whole = refusal?.issues.find(({ path }) => path === 'shifts' || path === 'closed_days')

  const draft = useDraft(`hours:${locationId}`, {
    state: {
      shifts: shifts.rows.map(({ value }) => value),
      // Together: a restored draft knows what its rows were read from.
      days: { closed: closed.rows.map(({ value }) => value), loaded },
    },
    onState: (kept) => {
      shifts.reset(kept.shifts)
      closed.reset(kept.days.closed)
      setLoaded(kept.days.loaded)
    },
  })

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = await submit<Hours>('PUT', `/api/locations/${locationId}/hours`, {
      shifts: shifts.rows.map(({ value }) => ({ ...value, capacity: wholeNumber(value.capacity, locale) })),
      closed_days: closed.rows.map(({ value }) => value),
      loaded_days: loaded,
    })
    if (!answer.ok) return
    shifts.reset(answer.data.shifts.map(shiftDraft))
    closed.reset(answer.data.closed_days.map(closedDraft))
    setLoaded(answer.data.closed_days.map(({ day }) => day))
    draft.saved()
    say(t('saved'))
    router.refresh()
  }

  return (
    <form ref={form} onSubmit={save} noValidate>
      {draft.node}
      <p className={classes.intro}>{t('intro')}</p>
      {shifts.rows.length === 0 ? (
        <EmptyState icon={IconClock} title={t('none')} text={t('noneText')}>
          <Button
            mt="xs"
            variant="light"
            onClick={() => {
              clear()
              shifts.add({ ...LUNCH, name: t('lunch') }, { ...DINNER, name: t('dinner') })
            }}
          >
            {t('propose')}
          </Button>
        </EmptyState>
      ) : null}
      <FormFields>
        {shifts.rows.map(({ key, value }, index) => {
          const at = (field: string) => errorAt(`shifts.${index}.${field}`)
          const title = value.name.trim() || t('shift', { number: index + 1 })
          return (
            <fieldset key={key} className={classes.shift}>
              <legend>{title}</legend>
              <TextInput
                id={shifts.fieldId(key)}
                label={t('name')}
                value={value.name}
                maxLength={60}
                error={refusedTwice && nameTwice[index] ? t('problems.name') : at('name')}
                onChange={(event) => shifts.change(key, { name: event.currentTarget.value })}
              />
              <div className={classes.times}>
                <TextInput
                  type="time"
                  label={t('opens')}
                  value={value.opens}
                  error={at('opens')}
                  onChange={(event) => shifts.change(key, { opens: event.currentTarget.value })}
                />
                <TextInput
                  type="time"
                  label={t('closes')}
                  description={value.closes !== '' && value.closes < DAY_BEGINS ? t('nextDay') : undefined}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  value={value.closes}
                  error={at('closes')}
                  onChange={(event) => shifts.change(key, { closes: event.currentTarget.value })}
                />
                <NumberField
                  label={t('capacity')}
                  placeholder={t('unknown')}
                  value={value.capacity}
                  error={at('capacity')}
                  onChange={(capacity) => shifts.change(key, { capacity })}
                />
              </div>
              <Checkbox.Group
                label={t('days')}
                value={value.weekdays.map(String)}
                error={at('weekdays') && t('problems.days')}
                onChange={(days) => shifts.change(key, { weekdays: days.map(Number).sort() })}
              >
                <div className={classes.days}>
                  {WEEKDAYS.map((day) => (
                    <Checkbox key={day} value={String(day)} label={t(`weekdays.${day}`)} />
                  ))}
                </div>
              </Checkbox.Group>
              <ActionIcon
                className={classes.remove}
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('remove', { name: title })}
                onClick={() => {
                  clear()
                  shifts.remove(key)
                  addShift.current?.focus()
                }}
              >
                <IconTrash size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
            </fieldset>
          )
        })}
        <Button
          ref={addShift}
          className={classes.add}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => shifts.add(DINNER)}
        >
          {t('addShift')}
        </Button>
        <h3 className={classes.heading}>{t('closed')}</h3>
        {closed.rows.map(({ key, value }, index) => {
          const at = (field: string) => errorAt(`closed_days.${index}.${field}`)
          return (
            <div key={key} className={classes.closed}>
              <FormRow>
                <TextInput
                  id={closed.fieldId(key)}
                  type="date"
                  label={t('day')}
                  value={value.day}
                  error={refusedTwice && dayTwice[index] ? t('problems.dayTwice') : at('day')}
                  onChange={(event) => closed.change(key, { day: event.currentTarget.value })}
                />
                <TextInput
                  label={t('reason')}
                  value={value.name}
                  maxLength={200}
                  error={at('name')}
                  onChange={(event) => closed.change(key, { name: event.currentTarget.value })}
                />
              </FormRow>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('remove', { name: value.name.trim() || value.day || t('day') })}
                onClick={() => {
                  clear()
                  closed.remove(key)
                  addClosed.current?.focus()
                }}
              >
                <IconTrash size={17} stroke={1.7} aria-hidden />
              </ActionIcon>
            </div>
          )
        })}
        <Button
          ref={addClosed}
          className={classes.add}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => closed.add({ day: '', name: '' })}
        >
          {t('addClosed')}
        </Button>
      </FormFields>
      <Failure text={atFields ? t('check') : ((whole && errorAt(whole.path)) ?? failure)} />
      <FormActions>
        <Button type="submit" loading={busy}>
          {words('save')}
        </Button>
      </FormActions>
    </form>
  )
}

const shiftDraft = ({ capacity, ...shift }: Hours['shifts'][number]): ShiftDraft => ({
  ...shift,
  capacity: String(capacity ?? ''),
})

const closedDraft = ({ day, name }: Hours['closed_days'][number]): ClosedDraft => ({ day, name: name ?? '' })
