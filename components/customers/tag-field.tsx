'use client'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { SuggestField } from '@/components/ui/suggest-field'
import { fold } from '@/lib/text/fold'
import classes from './tag-field.module.css'
import { useTags } from './use-look-ups'

interface TagFieldProps {
  label: string
  hint: string
  /** The label of the button that removes a tag. */
  remove: (tag: string) => string
  error: string | undefined
  tags: readonly string[]
  onChange: (tags: readonly string[]) => void
  /** The longest; a tag has 60 characters at most. */
  most?: number
  /** Whether the tags in use are suggested; false for other texts. */
  suggests?: boolean
}

const MAX_LENGTH = 60
const MAX_SHOWN = 20

/** The tags of a customer, or other short texts, and a field that adds more: on Enter, on a comma, or when it loses the focus. */
export function TagField({
  label,
  hint,
  remove,
  error,
  tags,
  onChange,
  most = MAX_LENGTH,
  suggests = true,
}: TagFieldProps) {
  const [text, setText] = useState('')
  const known = useTags()

  const options = useMemo(() => {
    const typed = fold(text)
    const matching = known.tags.filter(({ tag }) => !tags.includes(tag) && fold(tag).includes(typed))
    return typed === '' ? [] : matching.slice(0, MAX_SHOWN)
  }, [known.tags, tags, text])

  function add(given: string) {
    const tag = given.trim()
    if (tag !== '' && !tags.includes(tag)) onChange([...tags, tag])
    setText('')
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Backspace' && text === '') onChange(tags.slice(0, -1))
    if ((event.key !== 'Enter' && event.key !== ',') || text.trim() === '') return
    event.preventDefault()
    add(text)
  }

  return (
    <div>
      <SuggestField
        label={label}
        description={hint}
        error={error}
        value={text}
        maxLength={most}
        onFocus={suggests ? known.load : undefined}
        onText={setText}
        options={options}
        keyOf={({ tag }) => tag}
        render={({ tag }) => tag}
        onChoose={({ tag }) => add(tag)}
        listLabel={label}
        onKeyDown={press}
        onBlur={() => add(text)}
      />
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
