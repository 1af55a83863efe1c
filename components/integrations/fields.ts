import type { Messages, useTranslations } from 'next-intl'
import type { OwnTexts } from '@/components/forms/error-text'
import { type NumberKind, numberOrText, showNumber } from '@/components/forms/numbers'
import type { Integration } from '@/lib/integrations/schema'
import { fieldsOf, type IntegrationType } from '@/lib/integrations/types'

type Texts = Messages['client']['integrations']

/** A field of an integration's form. */
export interface Field {
  name: keyof Texts['fields']
  kind: 'text' | 'secret' | 'number'
  /** Which numbers it takes, when it takes numbers. */
  number: NumberKind
  hint?: keyof Texts['hints']
  /** The text key of its message for a refused value. */
  problem?: keyof Texts['problems']
  /** Whether the field is under "Advanced": the integration works without it. */
  advanced?: true
}

/** The fields of an integration, in the order of its form. */
export const formFields = (type: IntegrationType): Field[] =>
  fieldsOf(type).map(([name, { kind, hint, advanced, problem, ...more }]) => ({
    name: name as Field['name'],
    number: 'whole' in more ? {} : { decimals: 6 },
    kind: kind === 'secret' || kind === 'number' ? kind : 'text',
    hint,
    advanced,
    problem: problem ?? (kind === 'url' || kind === 'email' ? kind : undefined),
  }))

/** The texts of the form's fields. A secret that is kept is absent; one to be removed is null. */
export interface Draft {
  enabled: boolean
  values: Partial<Record<Field['name'], string | null>>
}

type Config = Record<string, string | number | boolean | null>

/** The stored fields as texts in that language. */
export function draftOf(
  { integration_type: type, is_enabled: enabled, config }: Integration,
  locale: string,
): Draft {
  const stored: Config = config
  const plain = formFields(type).filter(({ kind }) => kind !== 'secret')
  return {
    enabled,
    values: Object.fromEntries(
      plain.map(({ name }) => {
        const value = stored[name] ?? ''
        return [name, typeof value === 'number' ? showNumber(value, locale) : String(value)]
      }),
    ),
  }
}

/** The draft with one field changed. The first value in an empty form turns the switch on; emptied again, it is as saved. */
export function withValue(
  saved: Integration,
  { enabled, values }: Draft,
  name: Field['name'],
  value: string | null | undefined,
): Draft {
  const needed = formFields(saved.integration_type).filter(({ advanced }) => !advanced)
  const isEmpty = (now: Draft['values']) =>
    needed.every((field) => !now[field.name] && !isStored(saved, field.name))
  const next = { ...values, [name]: value }
  if (isEmpty(values) && !isEmpty(next)) return { enabled: true, values: next }
  return { enabled: isEmpty(next) && !isEmpty(values) ? saved.is_enabled : enabled, values: next }
}

/** The part of a form that the browser may store: no secrets, not even in part. */
export function withoutSecrets(type: IntegrationType, { enabled, values }: Draft): Draft {
  const plain = formFields(type).filter(({ kind }) => kind !== 'secret')
  return { enabled, values: Object.fromEntries(plain.map(({ name }) => [name, values[name] ?? ''])) }
}

/** Whether a secret is stored. The API never returns it. */
export function isStored({ config }: Integration, name: Field['name']): boolean {
  return (config as Config)[`${name}_set`] === true
}

/** The secrets that saving has removed, because they belonged to another address or account. */
export function lostSecrets(before: Integration, after: Integration, { values }: Draft): Field['name'][] {
  const names = formFields(before.integration_type).map(({ name }) => name)
  return names.filter((name) => isStored(before, name) && !isStored(after, name) && values[name] !== null)
}

/** The body of the PUT, of a form written in that language. A secret that was not typed is left out, so that it is kept. */
export function bodyOf(type: Integration['integration_type'], { enabled, values }: Draft, locale: string) {
  const entries = formFields(type).flatMap(({ name, kind, number }): [string, string | number | null][] => {
    const text = values[name]
    if (kind === 'secret') return text === undefined || text === '' ? [] : [[name, text]]
    if (kind === 'text' || !text?.trim()) return [[name, text?.trim() || null]]
    // The API refuses what is no number and reports the problem at its field.
    return [[name, numberOrText(text, locale, number)]]
  })
  return { is_enabled: enabled, config: Object.fromEntries(entries) }
}

/** The messages for refused fields of an integration, by field or `field:issue code`. */
export function problemTexts(
  type: IntegrationType,
  t: ReturnType<typeof useTranslations<'client.integrations.problems'>>,
): OwnTexts {
  const ofFields = formFields(type).flatMap(({ name, problem = 'invalid' }) => [
    [name, t(problem)],
    [`${name}:required`, t('required')],
    [`${name}:one_required`, t('sender')],
  ])
  return {
    ...Object.fromEntries(ofFields),
    'base_url:internal_name': t('urlInternal'),
    'base_url:loopback': t('urlLoopback'),
    'base_url:private': t('urlPrivate'),
    'base_url:link_local': t('urlLinkLocal'),
    'base_url:reserved': t('urlReserved'),
  }
}
