'use client'
import { ActionIcon, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { TagField } from '@/components/customers/tag-field'
import { NumberField, useNumberProblem } from '@/components/forms/number-field'
import { FACT_KINDS, FACTS } from '@/lib/customers/fact-codes'
import { CHANNELS } from '@/lib/messaging/channels'
import { RFM_CLASSES } from '@/lib/segments/limits'
import type { SegmentField } from '@/lib/segments/schema'
import { type ConditionDraft, conditionOf, FIELDS, newCondition, PERIODS, ruleOf, WAYS } from './draft'
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

interface ConditionRowProps {
  draft: ConditionDraft
  /** Its position, for screen readers. */
  number: string
  choices: Choices
  onChange: (draft: ConditionDraft) => void
  onRemove: () => void
}

const STATES = ['reachable', 'opted_out', 'opt_in', 'existing_customer', 'none'] as const

/** One condition: its field, whether it must hold or must not, and its values. */
export function ConditionRow({ draft, number, choices, onChange, onRemove }: ConditionRowProps) {
  const t = useTranslations('client.segments')
  const locale = useLocale()
  return (
    <fieldset className={classes.condition} data-segment-part={draft.key}>
      <legend className={classes.legend}>{t('condition', { number })}</legend>
      <div className={classes.head}>
        <NativeSelect
          label={t('field')}
          data={FIELDS.map((field) => ({ value: field, label: t(`fields.${field}`) }))}
          value={draft.field}
          onChange={(event) => {
            const field = event.currentTarget.value as SegmentField
            onChange({ ...newCondition(draft.key, field), negated: draft.negated })
          }}
        />
        <NativeSelect
          label={t('holds')}
          data={[
            { value: '', label: t('yes') },
            { value: 'not', label: t('no') },
          ]}
          value={draft.negated ? 'not' : ''}
          onChange={(event) => onChange({ ...draft, negated: event.currentTarget.value === 'not' })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('removeCondition', { number })}
          title={t('removeCondition', { number })}
          onClick={onRemove}
        >
          <IconTrash size={17} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.values}>
        <Values
          draft={draft}
          choices={choices}
          change={(changes) => onChange({ ...draft, ...changes, broken: false })}
        />
      </div>
      {conditionOf(draft, locale) === null ? (
        <p className={classes.missing}>{t(draft.broken ? 'brokenCondition' : 'incomplete')}</p>
      ) : null}
    </fieldset>
  )
}

interface ValuesProps {
  draft: ConditionDraft
  choices: Choices
  change: (changes: Partial<ConditionDraft>) => void
}

/** The controls for the values of a condition's field. */
function Values(props: ValuesProps) {
  const t = useTranslations('client.segments')
  const { draft, choices, change } = props
  switch (draft.field) {
    case 'search':
      return <Typed {...props} name="text" label={t('text')} most={200} />
    case 'tags':
      return (
        <>
          <Way {...props} />
          <TagField
            label={t('tags')}
            hint={t('tagsHint')}
            remove={(tag) => t('removeTag', { tag })}
            error={undefined}
            tags={draft.list}
            onChange={(list) => change({ list: [...list] })}
          />
        </>
      )
    case 'source':
      return <Typed {...props} name="text" label={t('sources')} hint={t('sourcesHint')} most={3000} />
    case 'tier':
      return (
        <Checks
          label={t('tiers')}
          options={choices.tiers}
          chosen={draft.list}
          onChange={(list) => change({ list })}
        />
      )
    case 'rhythm':
      return <Way {...props} />
    case 'rfm':
      return (
        <Checks
          label={t('classes')}
          options={RFM_CLASSES.map((id) => ({ id, name: t(`rfm.${id}`) }))}
          chosen={draft.list}
          onChange={(list) => change({ list })}
        />
      )
    case 'location':
      return <Places {...props} label={t('usualLocation')} />
    case 'facts':
      return (
        <>
          <Way {...props} />
          <Facts {...props} />
        </>
      )
    case 'consent':
      return <Consent {...props} />
    case 'visits':
    case 'spend':
      return (
        <>
          <Bounds {...props} />
          <Period {...props} />
          <Places {...props} label={t('locations')} />
        </>
      )
    case 'points':
    case 'no_shows':
    case 'no_show_rate':
    case 'party_size':
      return <Bounds {...props} />
    case 'survey_score':
      return (
        <>
          <Bounds {...props} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'received':
    case 'opened':
    case 'clicked':
      return (
        <>
          <One {...props} name="campaign" options={choices.campaigns} label={t('campaign')} />
          <One {...props} name="automation" options={choices.automations} label={t('automation')} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'not_written':
      return <Days {...props} />
    case 'visited_on':
      return (
        <>
          <Way {...props} />
          <Weekdays {...props} />
          <Days {...props} label={t('lastDays')} />
        </>
      )
    case 'first_visit':
      return <Period {...props} />
    case 'postal_code':
      return <Typed {...props} name="text" label={t('prefixes')} hint={t('prefixesHint')} most={700} />
    case 'last_visit':
    case 'created':
      return (
        <>
          <Way {...props} />
          {draft.is === 'between' ? <Between {...props} /> : null}
          {draft.is === 'within' || draft.is === 'before' ? <Days {...props} /> : null}
        </>
      )
    case 'birthday':
      return (
        <>
          <Way {...props} />
          {draft.is === 'next_days' ? <Days {...props} /> : null}
          {draft.is === 'month' ? <Month {...props} /> : null}
        </>
      )
    case 'booking':
      return (
        <>
          <Days {...props} />
          <Places {...props} label={t('locations')} />
        </>
      )
    default:
      return null
  }
}

interface TypedProps extends ValuesProps {
  name: 'text' | 'from' | 'to'
  label: string
  hint?: string
  most?: number
}

function Typed({ draft, change, name, label, hint, most }: TypedProps) {
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

function Days({ label, ...props }: ValuesProps & { label?: string }) {
  const t = useTranslations('client.segments')
  return <NumberValue {...props} name="days" label={label ?? t('days')} />
}

interface OneProps extends ValuesProps {
  name: 'campaign' | 'automation'
  options: readonly Choice[]
  label: string
}

/** One of few options, or any. */
function One({ draft, change, name, options, label }: OneProps) {
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

function Weekdays({ draft, change }: ValuesProps) {
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

function Between(props: ValuesProps) {
  const t = useTranslations('client.segments')
  return (
    <>
      <Typed {...props} name="from" label={t('from')} />
      <Typed {...props} name="to" label={t('to')} />
    </>
  )
}

function Bounds(props: ValuesProps) {
  const t = useTranslations('client.segments')
  return (
    <>
      <NumberValue {...props} name="min" label={t('min')} />
      <NumberValue {...props} name="max" label={t('max')} />
    </>
  )
}

/** How several values combine, such as any or all of them. */
function Way({ draft, change }: ValuesProps) {
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

function Month({ draft, change }: ValuesProps) {
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

function Period(props: ValuesProps) {
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

function Consent({ draft, change }: ValuesProps) {
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

function Places({ draft, choices, change, label }: ValuesProps & { label: string }) {
  return (
    <Checks
      label={label}
      options={choices.locations}
      chosen={draft.locations}
      onChange={(locations) => change({ locations })}
    />
  )
}

function Facts({ draft, change }: ValuesProps) {
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
function Checks({ label, options, chosen, onChange, all }: ChecksProps) {
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
