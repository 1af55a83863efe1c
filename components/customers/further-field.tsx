'use client'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useEffect, useId, useRef } from 'react'
import { GUEST_FIELDS, MAX_FURTHER } from '@/lib/customers/guest-fields'
import classes from './further-field.module.css'

export type FurtherKind = 'emails' | 'phones'

interface FurtherFieldProps {
  kind: FurtherKind
  label: string
  lines: readonly string[]
  /** The message at a line, or at the list and its lines, by the path in the API. */
  errorAt: (path: string) => string | undefined
  onChange: (lines: readonly string[]) => void
}

/** Further e-mails or phones of a guest: a line for each, which can be added and removed. */
export function FurtherField({ kind, label, lines, errorAt, onChange }: FurtherFieldProps) {
  const t = useTranslations('client.customerForm.further')
  const list = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const problem = useRef<HTMLParagraphElement>(null)
  const id = useId()
  const { limit } = GUEST_FIELDS[kind === 'emails' ? 'email' : 'phone']
  const isFull = lines.length >= MAX_FURTHER
  const isAtLine = lines.some((_, place) => errorAt(`${kind}.${place}`) !== undefined)
  const said = isAtLine ? undefined : errorAt(kind)
  // The form then moves the focus to the first field with a problem, if there is one.
  useEffect(() => {
    if (said) problem.current?.focus()
  }, [said])

  function add() {
    if (isFull) return
    onChange([...lines, ''])
    // The new line is there once React has rendered it.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-of-type input')?.focus())
  }

  return (
    <div ref={list}>
      {lines.length > 0 ? (
        <fieldset className={classes.group} aria-describedby={said && `${id}-problem`}>
          <legend className={classes.heading}>{label}</legend>
          <ul className={classes.lines}>
            {lines.map((line, place) => {
              const name = t(`${kind}.line`, { number: place + 1 })
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place, two may be the same
                <li key={place} className={classes.line}>
                  <TextInput
                    className={classes.input}
                    aria-label={name}
                    inputMode={kind === 'emails' ? 'email' : 'tel'}
                    autoComplete="off"
                    spellCheck={false}
                    maxLength={limit}
                    value={line}
                    error={errorAt(`${kind}.${place}`)}
                    onChange={({ currentTarget: { value } }) =>
                      onChange(lines.map((other, at) => (at === place ? value : other)))
                    }
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="lg"
                    aria-label={t('remove', { name: line.trim() || name })}
                    onClick={() => {
                      onChange(lines.filter((_, at) => at !== place))
                      addButton.current?.focus()
                    }}
                  >
                    <IconTrash size={17} stroke={1.7} aria-hidden />
                  </ActionIcon>
                </li>
              )
            })}
          </ul>
        </fieldset>
      ) : null}
      {said ? (
        <p ref={problem} id={`${id}-problem`} className={classes.problem} role="alert" tabIndex={-1}>
          {said}
        </p>
      ) : null}
      {/* It keeps the focus that a removed line gives it. */}
      <Button
        ref={addButton}
        data-disabled={isFull || undefined}
        aria-disabled={isFull || undefined}
        aria-describedby={isFull ? `${id}-full` : undefined}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={add}
      >
        {t(`${kind}.add`)}
      </Button>
      {isFull ? (
        <small id={`${id}-full`} className={classes.full}>
          {t('full', { count: MAX_FURTHER })}
        </small>
      ) : null}
    </div>
  )
}
