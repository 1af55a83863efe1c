'use client'
import { useCities } from './use-look-ups'
import { WordsField, type WordsFieldProps } from './words-field'

const MAX_LENGTH = 120

/** Cities; it suggests those in which customers live. */
export function CityField(props: WordsFieldProps) {
  const { cities, load } = useCities()
  return <WordsField {...props} most={MAX_LENGTH} known={cities} load={load} />
}
