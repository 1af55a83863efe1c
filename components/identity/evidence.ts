import type { Messages } from 'next-intl'

type Evidence = Messages['duplicates']['evidence']

/** Returns the text of how a field compares, from `duplicates`. */
export type EvidenceKey = {
  [Field in keyof Evidence]: `evidence.${Field}.${keyof Evidence[Field] & string}`
}[keyof Evidence]

/** The text key of a field's level. Levels that are newer than the texts have none. */
export const evidenceKey = (field: string, level: string) => `evidence.${field}.${level}` as EvidenceKey
