'use client'
import { TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import classes from './tag-field.module.css'
import { useTags } from './use-tags'

interface TagFieldProps {
  label: string
  hint: string
  /** Names the button that takes a tag away. */
  remove: (tag: string) => string
  error: string | undefined
  tags: readonly string[]
  onChange: (tags: readonly string[]) => void
}

const MAX_LENGTH = 60

/** Tags as they are, and a field that adds more: at Enter, a comma, or on leaving it. */
export function TagField({ label, hint, remove, error, tags, onChange }: TagFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  const known = useTags()

  function add() {
    const tag = text.trim()
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag])
    setText('')
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Backspace' && text === '') onChange(tags.slice(0, -1))
    if ((event.key !== 'Enter' && event.key !== ',') || text.trim() === '') return
    event.preventDefault()
    add()
  }

  return (
    <div>
      <TextInput
        label={label}
        description={hint}
        error={error}
        value={text}
        maxLength={MAX_LENGTH}
        list={id}
        autoComplete="off"
        onFocus={known.load}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={add}
      />
      <datalist id={id}>
        {known.tags
          .filter(({ tag }) => !tags.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      {tags.length > 0 ? (
        <ul className={classes.tags} aria-label={label}>
          {tags.map((tag) => (
            <li key={tag} className={classes.tag}>
              {tag}
              <button
                type="button"
                aria-label={remove(tag)}
                title={remove(tag)}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                <IconX size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
