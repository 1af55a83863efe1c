/** The content of a form: the texts of its named fields, and further state. */
export interface DraftValues {
  fields: Readonly<Record<string, readonly string[]>>
  state?: unknown
}

/** The unsaved input of a form. */
export interface StoredDraft {
  /** When it was typed, in milliseconds since 1970. */
  at: number
  /** The record that the form was loaded with. */
  loaded?: unknown
  /** The content of the form when it was loaded, and now. */
  base: DraftValues
  value: DraftValues
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'sobremesa-draft:'
const OPEN = 'sobremesa-open-draft'
const DAY_MS = 86_400_000
/** Days after which a draft is removed. */
export const DRAFT_DAYS = 3
/** The longest draft, in characters: storage is small, and a text has at most some thousand characters. */
const MAX_LENGTH = 200_000

/** The storage key of a person's draft; `name` is such as `customer:<id>` or `ticket:new`. */
export const draftKey = (person: string, name: string) => `${PREFIX}${person}:${name}`

/** Reads the draft under a key. Null when there is none, or it is too old or malformed. */
export function readDraft(store: Store, key: string, now = Date.now()): StoredDraft | null {
  const draft = parse(store.getItem(key))
  if (draft && now - draft.at < DRAFT_DAYS * DAY_MS) return draft
  store.removeItem(key)
  return null
}

/** Stores a draft, unless it is too large. */
export function writeDraft(store: Store, key: string, draft: StoredDraft): void {
  const text = JSON.stringify(draft)
  if (text.length <= MAX_LENGTH) store.setItem(key, text)
}

/** Removes the drafts of everyone who used this browser; with `olderThan` (a time in ms) only older ones. */
export function forgetDrafts(store: Store, olderThan = Number.POSITIVE_INFINITY): void {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '')
  for (const key of keys.filter((key) => key.startsWith(PREFIX)))
    if ((parse(store.getItem(key))?.at ?? 0) < olderThan) store.removeItem(key)
}

/** Removes the drafts that are older than DRAFT_DAYS. */
export const sweepDrafts = (store: Store, now = Date.now()) => forgetDrafts(store, now - DRAFT_DAYS * DAY_MS)

/** Whether this tab was left while the form of that draft was open, so that the form opens again. */
export const isLeftOpen = (store: Store, key: string) => store.getItem(OPEN) === key

export const markOpen = (store: Store, key: string) => store.setItem(OPEN, key)

export function markClosed(store: Store, key: string): void {
  if (isLeftOpen(store, key)) store.removeItem(OPEN)
}

/**
 * Applies the person's changes (`before` to `value`) to what the form holds now: others may have changed the rest
 * since.
 */
function merged(now: unknown, base: unknown, value: unknown): unknown {
  if (!isRecord(now) || !isRecord(base) || !isRecord(value)) return value
  const changed = Object.entries(value).filter(([name, one]) => !same(one, base[name]))
  return { ...now, ...Object.fromEntries(changed) }
}

/**
 * Returns what a form shows of a draft. With `now`, the form's present content, only the person's changes are
 * applied.
 */
export function toRestore({ base, value }: StoredDraft, now: DraftValues | null): DraftValues {
  if (now === null) return value
  const changed = Object.entries(value.fields).filter(([name, texts]) => !same(texts, base.fields[name]))
  const state = same(value.state, base.state) ? now.state : merged(now.state, base.state, value.state)
  return { fields: Object.fromEntries(changed), ...(state === undefined ? {} : { state }) }
}

/** Whether two values are the same as JSON. */
export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Anyone who uses this browser can change the storage.
function parse(text: string | null): StoredDraft | null {
  try {
    const draft: unknown = JSON.parse(text ?? 'null')
    if (!isRecord(draft) || typeof draft.at !== 'number') return null
    return isValues(draft.base) && isValues(draft.value) ? (draft as unknown as StoredDraft) : null
  } catch {
    return null
  }
}

function isValues(values: unknown): boolean {
  const fields = isRecord(values) ? values.fields : null
  return (
    isRecord(fields) &&
    Object.values(fields).every(
      (texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'),
    )
  )
}
