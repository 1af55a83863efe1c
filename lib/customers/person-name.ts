/** A person's full name as the interface shows it (see `shownName`), or null when none is known. */
export function personName(person: NamedPerson): string | null {
  const name = writtenName(person)
  return name && shownName(name)
}

interface NamedPerson {
  first_name: string | null
  last_name: string | null
}

/** A person's full name as it is stored, or null when none is known. */
export function writtenName(person: NamedPerson): string | null {
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || null
}

// Characters of a name besides letters. A text with any other is not a person's name, and is shown unchanged.
const IS_NAME = /^[\p{L}\p{M}\s.'’-]+$/u
const PARTICLES = new Set(
  'de del la las los y e i da do dos das di della du des von van der den zu ter ten bin ibn'.split(' '),
)

// Initials, as in "MJ Ruiz".
const INITIALS = /^[^AEIOUÁÉÍÓÚÜY\s.'’-]{2}$/u

/**
 * A name as the interface shows it: in title case when it is stored in capitals or all in lower case, as the PMS and
 * files send names; otherwise unchanged. The stored name does not change.
 */
export function shownName(name: string): string {
  const [capitals, lower] = [name.toUpperCase(), name.toLowerCase()]
  if (capitals === lower || (name !== capitals && name !== lower) || !IS_NAME.test(name)) return name
  const words = name.split(/(\s+)/)
  const [first, last] = [words.findIndex(isWord), words.findLastIndex(isWord)]
  return words
    .map((word, index) => {
      if (name === capitals && INITIALS.test(word)) return word
      const small = word.toLowerCase()
      return index !== first && index !== last && PARTICLES.has(small) ? small : titled(small)
    })
    .join('')
}

const isWord = (part: string) => part.trim() !== ''
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A word in title case: López, Pérez-Reverte, J.R., O'Brien, McDonald. */
const titled = (word: string): string =>
  word.replace(
    /(^mc|^\p{L}['’]|^|[-.])(\p{L})/gu,
    (_, before: string, letter: string) => capital(before) + letter.toUpperCase(),
  )
