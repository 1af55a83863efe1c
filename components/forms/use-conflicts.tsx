'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { type Choices, changeBody } from './changes'
import classes from './draft.module.css'
import { QUESTION } from './form-fields'
import type { Refusal } from './send'
import type { Draft } from './use-draft'

type Values = Readonly<Record<string, unknown>>

interface ConflictOptions {
  /** The label of a field. */
  label: (field: string) => string
  /** Turns a value into words, such as the name behind an id. Without it, the value is shown as it is. */
  show?: ((field: string, value: unknown) => string | undefined) | undefined
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Handles two people editing one record: a change sends the values its fields had when they were loaded (`loaded`);
 * for each field that the other person has changed since, this person chooses which value stays.
 */
export function useConflicts<R extends object>(
  { loaded, now }: Pick<Draft<R>, 'loaded' | 'now'>,
  { label, show }: ConflictOptions,
) {
  const t = useTranslations('client.form.conflict')
  const [current, setCurrent] = useState<Values>({})
  const [mine, setMine] = useState<Values>({})
  const [choices, setChoices] = useState<Choices>({})

  /**
   * Returns the body of a change of the loaded record (see `changeBody`), or all fields of a new record.
   * @param inForm the record as the form would send it, where the form writes equal values in another way
   */
  function body<V extends object>(
    values: V,
    inForm: (record: R) => object = (record) => record,
  ): Partial<V> & { loaded?: Values } {
    setMine(values as Values)
    if (!loaded) return values
    const asNow = now && inForm(now)
    return changeBody(values, { loaded, asLoaded: inForm(loaded), asNow, current, choices })
  }

  /** Takes over the current values from the refusal of a change. */
  function take({ code, current: left }: Refusal): void {
    if (!left || code !== 'EDITED_MEANWHILE') return
    setCurrent((known) => ({ ...known, ...left }))
    // A value that has changed again needs a new choice; a choice made while the form was being sent stays.
    const seen = (field: string) => !(field in left) || isSame(left[field], current[field])
    setChoices((chosen) => Object.fromEntries(Object.entries(chosen).filter(([field]) => seen(field))))
  }

  function inWords(field: string, value: unknown): ReactNode {
    if (value === null || value === undefined || value === '') return <em>{t('empty')}</em>
    const text = show?.(field, value)
    if (text !== undefined) return text
    if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : <em>{t('empty')}</em>
    return typeof value === 'object' ? t('settings') : String(value)
  }

  const fields = Object.keys(current)
  const node = fields.map((field) => (
    <fieldset key={field} className={classes.conflict}>
      <legend>{t('title', { field: label(field) })}</legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side}>
          <input
            type="radio"
            name={QUESTION + field}
            checked={choices[field] === side}
            onChange={() => setChoices((chosen) => ({ ...chosen, [field]: side }))}
          />
          <span>
            <strong>{t(side)}:</strong> {inWords(field, (side === 'mine' ? mine : current)[field])}
          </span>
        </label>
      ))}
    </fieldset>
  ))
  return { body, take, node }
}
