'use client'
import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { SuggestField } from '@/components/ui/suggest-field'
import { fold } from '@/lib/text/fold'
import classes from './words-field.module.css'

export interface WordsFieldProps {
  label: string
  hint: string
  /** The label of the button that removes a word. */
  remove: (word: string) => string
  error: string | undefined
  words: readonly string[]
  onChange: (words: readonly string[]) => void
}

interface KnownWords {
  /** The longest word. */
  most: number
  known: readonly string[]
  /** Loads the known ones: with each text, and with none when the field gets the focus. */
  load: (text: string) => void
}

const MAX_SHOWN = 20

/**
 * Short texts, and a field that adds more: on Enter, on a comma, or when it loses the focus. It suggests known ones, and
 * takes any.
 */
export function WordsField({
  label,
  hint,
  remove,
  error,
  words,
  onChange,
  most,
  known,
  load,
}: WordsFieldProps & KnownWords) {
  const [text, setText] = useState('')

  const options = useMemo(() => {
    const typed = fold(text)
    const matching = known.filter((word) => !words.includes(word) && fold(word).includes(typed))
    return typed === '' ? [] : matching.slice(0, MAX_SHOWN)
  }, [known, words, text])

  function add(given: string) {
    const word = given.trim()
    if (word !== '' && !words.includes(word)) onChange([...words, word])
    setText('')
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Backspace' && text === '') onChange(words.slice(0, -1))
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
        onFocus={() => load('')}
        onText={(typed) => {
          setText(typed)
          load(typed)
        }}
        options={options}
        keyOf={(word) => word}
        render={(word) => word}
        onChoose={add}
        listLabel={label}
        onKeyDown={press}
        onBlur={() => add(text)}
      />
      {words.length > 0 ? (
        <ul className={classes.words} aria-label={label}>
          {words.map((word) => (
            <li key={word} className={classes.word}>
              {word}
              <button
                type="button"
                aria-label={remove(word)}
                title={remove(word)}
                onClick={() => onChange(words.filter((other) => other !== word))}
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
