'use client'
import { useMemo } from 'react'
import { useTags } from './use-look-ups'
import { WordsField, type WordsFieldProps } from './words-field'

const MAX_LENGTH = 60

/** The tags of a customer; it suggests those in use. */
export function TagField(props: WordsFieldProps) {
  const { tags, load } = useTags()
  const known = useMemo(() => tags.map(({ tag }) => tag), [tags])
  return <WordsField {...props} most={MAX_LENGTH} known={known} load={load} />
}
