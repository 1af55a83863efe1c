'use client'
import { Button, TextInput } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { type Messages, useLocale, useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useState } from 'react'
import { NumberField } from '@/components/forms/number-field'
import { type NumberKind, numberOrText, readNumber, showNumber } from '@/components/forms/numbers'
import { useDraft } from '@/components/forms/use-draft'
import { useSubmit } from '@/components/forms/use-submit'
import { Failure } from '@/components/ui/failure'
import { FormActions, FormFields, FormRow } from '@/components/ui/form-layout'
import { Panel } from '@/components/ui/panel'
import { useToast } from '@/components/ui/toast'
import {
  AI_CEILINGS,
  APPROVE_ABOVE,
  CONTROL_SHARE,
  DAYS,
  OFFER_MINUTES,
  SMS_PRICE,
} from '@/lib/organization/limits'
import type { Organization } from '@/lib/organization/schema'
import classes from './settings-card.module.css'

/** The whole-number fields and their bounds. */
const NUMBERS = {
  ...DAYS,
  ...AI_CEILINGS,
  approve_above: APPROVE_ABOVE,
  campaign_approve_above: APPROVE_ABOVE,
  control_share: CONTROL_SHARE,
  offer_tables_minutes: OFFER_MINUTES,
  sms_price: SMS_PRICE,
} as const
type NumberName = keyof typeof NUMBERS
type TimeName = 'quiet_from' | 'quiet_until'
type FieldName = NumberName | TimeName
type CardName = keyof Messages['client']['general']['cards']

/** The fields of each card, in the order of the form. Fields of one row are side by side. */
const CARDS = {
  sends: [['quiet_from', 'quiet_until'], ['frequency_cap_days', 'control_share'], ['sms_price']],
  approval: [['approve_above', 'campaign_approve_above']],
  tables: [['offer_tables_minutes']],
  horizon: [['horizon_days']],
  keep: [
    ['keep_automation_runs_days', 'keep_job_runs_days'],
    ['keep_webhook_receipts_days', 'keep_failed_rows_days'],
  ],
  assistant: [
    ['ai_daily_calls', 'ai_daily_calls_per_person'],
    ['ai_daily_tokens', 'ai_daily_tokens_per_person'],
  ],
} as const satisfies Partial<Record<CardName, readonly (readonly FieldName[])[]>>

/** The price has the decimals of its column. */
const kindOf = (name: FieldName): NumberKind => (name === 'sms_price' ? { decimals: 4, money: true } : {})

const isNumber = (name: FieldName): name is NumberName => name in NUMBERS

const MAY_BE_EMPTY: readonly FieldName[] = [
  'horizon_days',
  'approve_above',
  'campaign_approve_above',
  'offer_tables_minutes',
  'sms_price',
]

/** The text key of each field. */
type Draft = Partial<Record<FieldName, string>>

interface SettingsCardProps {
  card: keyof typeof CARDS
  organization: Organization
  /** The placeholder that explains an empty horizon. */
  usualHorizon: number
  /** The present state, below the card's own text. */
  note?: string
  /** Below the form. */
  children?: ReactNode
}

/** A card of related settings of the organization, with its own save button. */
export function SettingsCard({ card, organization, usualHorizon, note, children }: SettingsCardProps) {
  const t = useTranslations('client.general')
  const common = useTranslations('client.form')
  const locale = useLocale()
  const say = useToast()
  const router = useRouter()
  const [saved, setSaved] = useState(() => draftOf(card, organization, locale))
  const [draft, setDraft] = useState(saved)
  const [invalid, setInvalid] = useState<readonly FieldName[]>([])
  const names: readonly FieldName[] = CARDS[card].flat()
  const problemAt = (name: FieldName) =>
    name === 'sms_price'
      ? t('problems.price', SMS_PRICE)
      : isNumber(name)
        ? t('problems.days', NUMBERS[name])
        : t('problems.time')
  const { form, busy, submit, clear, errorAt, failure } = useSubmit({
    fields: names,
    texts: Object.fromEntries(names.map((name) => [name, problemAt(name)])),
  })
  const changes = changesOf(draft, saved, locale)
  const dirty = Object.keys(changes).length > 0

  const typed = useDraft(`settings:${card}`, { state: draft, onState: setDraft })

  function change(name: FieldName, value: string) {
    setDraft((now): Draft => ({ ...now, [name]: value }))
    setInvalid((now) => now.filter((other) => other !== name))
    clear()
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const found = invalidFields(draft, locale)
    setInvalid(found)
    if (found.length > 0) return
    const answer = await submit<Organization>('PATCH', '/api/organization', changes)
    if (!answer.ok) return
    const stored = draftOf(card, answer.data, locale)
    setSaved(stored)
    setDraft(stored)
    typed.saved()
    // A raised limit of approval waits for another person.
    if (Object.entries(changes).every(([name, value]) => answer.data[name as FieldName] === value))
      return say(t('saved', { name: t(`cards.${card}.title`) }))
    say({ text: t('pending.sent'), tone: 'info' })
    router.refresh()
  }

  function discard() {
    setDraft(saved)
    setInvalid([])
    clear()
  }

  const shownAt = (name: FieldName) => (invalid.includes(name) ? problemAt(name) : errorAt(name))
  const atFields = names.some((name) => shownAt(name) !== undefined)
  return (
    <Panel title={t(`cards.${card}.title`)}>
      <form ref={form} onSubmit={save} noValidate>
        {typed.node}
        <p className={classes.text}>{t(`cards.${card}.text`)}</p>
        {note ? <p className={classes.text}>{note}</p> : null}
        <FormFields>
          {CARDS[card].map((names) => (
            <FormRow key={names[0]}>
              {names.map((name) => {
                const field = {
                  name,
                  label: t(`fields.${name}`),
                  description: t(`hints.${name}`, { days: usualHorizon }),
                  error: shownAt(name),
                  value: draft[name] ?? '',
                }
                return isNumber(name) ? (
                  <NumberField
                    key={name}
                    {...field}
                    {...kindOf(name)}
                    placeholder={name === 'horizon_days' ? String(usualHorizon) : undefined}
                    onChange={(text) => change(name, text)}
                  />
                ) : (
                  <TextInput
                    key={name}
                    {...field}
                    type="time"
                    onChange={(event) => change(name, event.currentTarget.value)}
                    autoComplete="off"
                  />
                )
              })}
            </FormRow>
          ))}
        </FormFields>
        <Failure text={atFields ? t('check') : failure} />
        <FormActions>
          {dirty ? (
            <Button variant="default" onClick={discard}>
              {common('discard')}
            </Button>
          ) : null}
          <Button type="submit" loading={busy} disabled={!dirty}>
            {common('save')}
          </Button>
        </FormActions>
      </form>
      {children}
    </Panel>
  )
}

/** The stored values of a card's fields as texts. */
function draftOf(card: keyof typeof CARDS, organization: Organization, locale: string): Draft {
  const shown = (value: string | number | null) =>
    typeof value === 'number' ? showNumber(value, locale) : (value ?? '')
  return Object.fromEntries(CARDS[card].flat().map((name) => [name, shown(organization[name])]))
}

/** The fields whose text is not a valid value. */
function invalidFields(draft: Draft, locale: string): FieldName[] {
  return Object.entries(draft).flatMap(([field, text]) => {
    const name = field as FieldName
    if (!isNumber(name)) return /^\d\d:\d\d$/.test(text) ? [] : [name]
    if (MAY_BE_EMPTY.includes(name) && text.trim() === '') return []
    const { min, max } = NUMBERS[name]
    const number = readNumber(text, locale, kindOf(name))
    return number !== null && number >= min && number <= max ? [] : [name]
  })
}

/** The changed values, as the API takes them; what is no number, which is never sent, as it was typed. */
function changesOf(draft: Draft, saved: Draft, locale: string): Record<string, string | number | null> {
  const changed = Object.entries(draft).filter(([name, text]) => text !== saved[name as FieldName])
  return Object.fromEntries(
    changed.map(([name, text]) => {
      if (!isNumber(name as FieldName)) return [name, text]
      return [name, text.trim() === '' ? null : numberOrText(text, locale, kindOf(name as FieldName))]
    }),
  )
}
