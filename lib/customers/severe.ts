import { fold } from '@/lib/text/fold'

// Words of a note that say that an allergy may kill, in the languages of guests and staff; without accents.
const SEVERE =
  /grav|sever|anafila|anaphyla|adrenalina|adrenaline|epinefrin|epinephrin|epipen|mortal|deadly|shock|choque|lebensgefahr|schwer|тяжел|анафила|严重|嚴重|重度|過敏性休克|شديد|חמור/u

/** Whether the note of an allergy says that it is severe. */
export const isSevere = ({ note }: { note: string | null }): boolean =>
  note !== null && SEVERE.test(fold(note))

/** The severe ones first. */
export const severeFirst = <A extends { note: string | null }>(allergies: readonly A[]): A[] =>
  allergies.toSorted((one, other) => Number(isSevere(other)) - Number(isSevere(one)))
