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
  /** The options that match the text. */
  options: readonly T[]
  /** Renders an option. */
  render: (option: T) => ReactNode
  /** Returns an option's key. */
  keyOf: (option: T) => string
  onChoose: (option: T) => void
  /** The list's label for screen readers. */
  listLabel: string
  /** The number of matches, or that there are none. */
  status?: string | undefined
  /** Whether the options are loading. */
  busy?: boolean
}

/**
 * A text field that suggests options: arrow keys select, Enter or a click chooses, Escape closes the list but not the
 * dialog around it. Without a selected option, Enter submits the form, and any text is allowed.
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
    // With an option selected, Enter chooses it and does not submit.
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
