'use client'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/VisuallyHidden.layer.css'
import { Combobox, Loader, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import classes from './suggest-field.module.css'

interface SuggestFieldProps<T> extends Omit<TextInputProps, 'value' | 'onChange' | 'list' | 'rightSection'> {
  value: string
  onText: (text: string) => void
  /** What matches the text so far. */
  options: readonly T[]
  /** What an option shows. */
  render: (option: T) => ReactNode
  /** Identifies an option. */
  keyOf: (option: T) => string
  onChoose: (option: T) => void
  /** Names the list for screen readers. */
  listLabel: string
  /** How many match, or that none does. */
  status?: string | undefined
  /** The options are on their way. */
  busy?: boolean
}

/**
 * A text field that suggests options while one types: arrows point, Enter or a click chooses, Escape closes the list and
 * not the dialog around it. Enter without an option is the form's own, as is any text.
 */
export function SuggestField<T>({
  value,
  onText,
  options,
  render,
  keyOf,
  onChoose,
  listLabel,
  status,
  busy = false,
  onKeyDown,
  onBlur,
  ...input
}: SuggestFieldProps<T>) {
  const [open, setOpen] = useState(false)
  const opened = open && options.length > 0
  const combobox = useCombobox({ opened, onOpenedChange: setOpen })
  const unpoint = useEffectEvent(() => combobox.resetSelectedOption())
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options, or a list that opens anew
  useEffect(() => unpoint(), [options, opened])

  function choose(key: string) {
    const option = options.find((one) => keyOf(one) === key)
    setOpen(false)
    if (option) onChoose(option)
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape' && opened) event.preventDefault()
    // With an option pointed at, Enter is the list's.
    const chooses = event.key === 'Enter' && opened && combobox.getSelectedOptionIndex() >= 0
    if (!chooses) onKeyDown?.(event)
  }

  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal={false}>
        <Combobox.Target withExpandedAttribute autoComplete="off">
          <TextInput
            {...input}
            value={value}
            aria-autocomplete="list"
            rightSection={busy ? <Loader size={14} /> : null}
            onChange={(event) => {
              setOpen(true)
              onText(event.currentTarget.value)
            }}
            onKeyDown={press}
            onBlur={(event) => {
              setOpen(false)
              onBlur?.(event)
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={listLabel} className={classes.list}>
            {options.map((option) => (
              <Combobox.Option key={keyOf(option)} value={keyOf(option)} className={classes.option}>
                {render(option)}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <div role="status" className={classes.status}>
        {status}
      </div>
    </div>
  )
}
