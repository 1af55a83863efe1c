import type { Integration } from '@/lib/integrations/schema'
import { FIELDS, type Field } from './fields'

/** What the form holds: the text of each field. A secret that is kept is absent, one to be removed is null. */
export interface Draft {
  enabled: boolean
  values: Partial<Record<Field['name'], string | null>>
}

type Config = Record<string, string | number | boolean | null>

/** The stored fields as texts. */
export function draftOf({ integration_type: type, is_enabled: enabled, config }: Integration): Draft {
  const stored: Config = config
  const plain = FIELDS[type].filter(({ kind }) => kind !== 'secret')
  return {
    enabled,
    values: Object.fromEntries(plain.map(({ name }) => [name, String(stored[name] ?? '')])),
  }
}

/** Whether a secret is stored; it never comes back. */
export function isStored({ config }: Integration, name: Field['name']): boolean {
  return (config as Config)[`${name}_set`] === true
}

/** The secrets that saving has cleared unasked: they belonged to another address or account. */
export function lostSecrets(before: Integration, after: Integration, { values }: Draft): Field['name'][] {
  const names = FIELDS[before.integration_type].map(({ name }) => name)
  return names.filter((name) => isStored(before, name) && !isStored(after, name) && values[name] !== null)
}

/** The body of the PUT: a secret that was not typed is left out, so it is kept. */
export function bodyOf(type: Integration['integration_type'], { enabled, values }: Draft) {
  const entries = FIELDS[type].flatMap(({ name, kind }): [string, string | number | null][] => {
    const text = values[name]
    if (kind === 'secret') return text === undefined || text === '' ? [] : [[name, text]]
    if (kind === 'text' || !text?.trim()) return [[name, text?.trim() || null]]
    const number = Number(text.replace(',', '.'))
    // The API answers at the field what is wrong with a text that is no number.
    return [[name, Number.isNaN(number) ? text : number]]
  })
  return { is_enabled: enabled, config: Object.fromEntries(entries) }
}
