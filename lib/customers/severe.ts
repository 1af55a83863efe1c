import { fold } from '@/lib/text/fold'

// What says that an allergy may kill, in the languages of guests and staff; without accents. A word begins there.
const WORDS =
  '(?<!\\p{L})(?:grav(?:e|es|isim[ao]s?|issim[ao]s?)(?!\\p{L})|greus?(?!\\p{L})|larri|sever[aeo]?s?(?!\\p{L})|schwer|fatal|mort[ae]l|' +
  'deadly|life.?threat|lebensgef|lebensbedroh|riesgo vital|risc vital|risco de vida|anafil|anaphyl|adrenalin|epinefrin|epinephrin|epi.?pen|' +
  'autoinye|auto.?inje|asfixi|shock|choque|puede morir|can die|тяжел|анафила|смертел)|' +
  '严重|嚴重|重度|重症|过敏性休克|過敏性休克|アナフィラキシー|エピペン|심각|중증|아나필락시스|شديد|خطير|مفرطة|חמור'
const SEVERE = new RegExp(WORDS, 'u')
// The same words, denied or made little: they say nothing.
const MILD =
  /(?<!\p{L})(?:no|nada|poco|sin|not|non|nicht|pas|nao)(?: (?:es|son|muy|very|sehr|tres|e))* (?:grav|greu|sever|schwer|fatal|mort)\p{L}*/gu

/** Whether the note of an allergy says that it is severe. */
export const isSevere = ({ note }: { note: string | null }): boolean =>
  note !== null && SEVERE.test(fold(note).replace(MILD, ''))

/** The severe ones first. */
export const severeFirst = <A extends { note: string | null }>(allergies: readonly A[]): A[] =>
  allergies.toSorted((one, other) => Number(isSevere(other)) - Number(isSevere(one)))
