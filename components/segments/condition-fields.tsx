'use client'
import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useFormatter, useTranslations } from 'next-intl'
import { NumberField, useNumberProblem } from '@/components/forms/number-field'
import { FACT_KINDS, FACTS } from '@/lib/customers/fact-codes'
import { CHANNELS } from '@/lib/messaging/channels'
import { type ConditionDraft, PERIODS, ruleOf, WAYS } from './draft'
import classes from './segments.module.css'

interface Choice {
  id: string
  name: string
}
/** The options that conditions choose from. */
export interface Choices {
  tiers: readonly Choice[]
  locations: readonly Choice[]
  /** For who may see them. */
  campaigns: readonly Choice[]
  automations: readonly Choice[]
}

export interface ValuesProps {
  draft: ConditionDraft
  choices: Choices
  change: (changes: Partial<ConditionDraft>) => void
}

const STATES = ['reachable', 'opted_out', 'opt_in', 'existing_customer', 'none'] as const

interface TypedProps extends ValuesProps {
  name: 'text' | 'from' | 'to'
  label: string
  hint?: string
  most?: number
}

export function Typed({ draft, change, name, label, hint, most }: TypedProps) {
  return (
    <TextInput
      label={label}
      description={hint}
      type={name === 'text' ? 'text' : 'date'}
      maxLength={most}
      autoComplete="off"
      value={draft[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
}

interface NumberValueProps extends ValuesProps {
  name: 'min' | 'max' | 'days'
  label: string
}

/** The preview follows each key, so a text that is no number is marked at once. */
function NumberValue({ draft, change, name, label }: NumberValueProps) {
  const problemIn = useNumberProblem()
  const rule = ruleOf(draft.field, name)
  return (
    <NumberField
      {...rule}
      label={label}
      value={draft[name]}
      error={problemIn(draft[name], rule)}
      onChange={(text) => change({ [name]: text })}
    />
  )
}

export function Days({ label, ...props }: ValuesProps & { label?: string }) {
  const t = useTranslations('client.segments')
  return <NumberValue {...props} name="days" label={label ?? t('days')} />
}

interface OneProps extends ValuesProps {
  name: 'campaign' | 'automation'
  options: readonly Choice[]
  label: string
}

/** One of few options, or any. */
export function One({ draft, change, name, options, label }: OneProps) {
  const t = useTranslations('client.segments')
  const chosen = draft[name]
  const isKnown = chosen === '' || options.some(({ id }) => id === chosen)
  return (
    <NativeSelect
      label={label}
      data={[
        { value: '', label: t('anyOfThem') },
        ...(isKnown ? [] : [{ value: chosen, label: t('gone') }]),
        ...options.map((option) => ({ value: option.id, label: option.name })),
      ]}
      value={chosen}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
}

export function Weekdays({ draft, change }: ValuesProps) {
  const t = useTranslations('client.segments')
  const format = useFormatter()
  // 1 June 2026 is a Monday.
  const weekdays = Array.from({ length: 7 }, (_, n) => ({
    id: String(n + 1),
    name: format.dateTime(new Date(Date.UTC(2026, 5, n + 1, 12)), { weekday: 'long', timeZone: 'UTC' }),
  }))
  return (
    <Checks
      label={t('weekdays')}
      options={weekdays}
      chosen={draft.list}
      onChange={(list) => change({ list })}
    />
  )
}

export function Between(props: ValuesProps) {
  const t = useTranslations('client.segments')
  return (
    <>
      <Typed {...props} name="from" label={t('from')} />
      <Typed {...props} name="to" label={t('to')} />
    </>
  )
}

export function Bounds(props: ValuesProps) {
  const t = useTranslations('client.segments')
  return (
    <>
      <NumberValue {...props} name="min" label={t('min')} />
      <NumberValue {...props} name="max" label={t('max')} />
    </>
  )
}

/** How several values combine, such as any or all of them. */
export function Way({ draft, change }: ValuesProps) {
  const t = useTranslations('client.segments')
  const field = draft.field as keyof typeof WAYS
  return (
    <NativeSelect
      label={t('way')}
      data={WAYS[field].map((way) => ({ value: way, label: t(`ways.${way}`) }))}
      value={draft.is}
      onChange={(event) => change({ is: event.currentTarget.value })}
    />
  )
}

export function Month({ draft, change }: ValuesProps) {
  const t = useTranslations('client.segments')
  const format = useFormatter()
  const months = Array.from({ length: 12 }, (_, n) => ({
    value: String(n + 1),
    label: format.dateTime(new Date(Date.UTC(2026, n, 15)), { month: 'long', timeZone: 'UTC' }),
  }))
  return (
    <NativeSelect
      label={t('month')}
      data={months}
      value={draft.month}
      onChange={(event) => change({ month: event.currentTarget.value })}
    />
  )
}

export function Period(props: ValuesProps) {
  const t = useTranslations('client.segments')
  const { draft, change } = props
  return (
    <>
      <NativeSelect
        label={t('period')}
        data={PERIODS.filter((period) => period !== 'ever' || draft.field !== 'first_visit').map(
          (period) => ({ value: period, label: t(`periods.${period}`) }),
        )}
        value={draft.period}
        onChange={(event) => change({ period: event.currentTarget.value as ConditionDraft['period'] })}
      />
      {draft.period === 'days' ? <Days {...props} /> : null}
      {draft.period === 'between' ? <Between {...props} /> : null}
    </>
  )
}

export function Consent({ draft, change }: ValuesProps) {
  const t = useTranslations('client.segments')
  return (
    <>
      <NativeSelect
        label={t('channel')}
        data={CHANNELS.map((channel) => ({ value: channel, label: t(`channels.${channel}`) }))}
        value={draft.channel}
        onChange={(event) => change({ channel: event.currentTarget.value as ConditionDraft['channel'] })}
      />
      <NativeSelect
        label={t('state')}
        data={STATES.map((state) => ({ value: state, label: t(`states.${state}`) }))}
        value={draft.state}
        onChange={(event) => change({ state: event.currentTarget.value as ConditionDraft['state'] })}
      />
    </>
  )
}

export function Places({ draft, choices, change, label }: ValuesProps & { label: string }) {
  return (
    <Checks
      label={label}
      options={choices.locations}
      chosen={draft.locations}
      onChange={(locations) => change({ locations })}
    />
  )
}

export function Facts({ draft, change }: ValuesProps) {
  const t = useTranslations('client.segments')
  const names = useTranslations('client.facts')
  return FACT_KINDS.map((kind) => (
    <Checks
      key={kind}
      label={t(`kinds.${kind}`)}
      options={FACTS[kind].map((code) => ({ id: code, name: names(code) }))}
      chosen={draft.list}
      onChange={(list) => change({ list })}
      all={t('everyKind')}
    />
  ))
}

interface ChecksProps {
  label: string
  options: readonly Choice[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
  /** The placeholder of a field whose empty value means all. */
  all?: string
}

/** A choice of some among few options. Chosen values that are no longer offered stay, and can be removed. */
export function Checks({ label, options, chosen, onChange, all }: ChecksProps) {
  const t = useTranslations('client.segments')
  const ids = options.map(({ id }) => id)
  const others = all ? [] : chosen.filter((id) => !ids.includes(id))
  const toggle = (changed: readonly string[], isChosen: boolean) =>
    onChange([...chosen.filter((id) => !changed.includes(id)), ...(isChosen ? changed : [])])
  return (
    <fieldset className={classes.checks}>
      <legend>{label}</legend>
      {all ? (
        <Checkbox
          label={all}
          checked={ids.every((id) => chosen.includes(id))}
          onChange={(event) => toggle(ids, event.currentTarget.checked)}
        />
      ) : null}
      {[...options, ...others.map((id) => ({ id, name: t('gone') }))].map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(event) => toggle([id], event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}
