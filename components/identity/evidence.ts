import type { Messages } from 'next-intl'

type Evidence = Messages['duplicates']['evidence']

/** The text of how a field compares, below `duplicates`. */
export type EvidenceKey = {
  [Field in keyof Evidence]: `evidence.${Field}.${keyof Evidence[Field] & string}`
}[keyof Evidence]

/** The key of a field's level; levels that are newer than the texts have none. */
export const evidenceKey = (field: string, level: string) => `evidence.${field}.${level}` as EvidenceKey
