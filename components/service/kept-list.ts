import { HOUR_MS } from '@/lib/dates'
import { choiceCookie, cookieOf } from '@/lib/http/host-cookie'
import {
  forgetLists,
  forgotten,
  LIST_DATABASE,
  LIST_KEY_COOKIE,
  LIST_MARK,
  type ListMark,
} from '@/lib/service/list-key'
import type { Service } from '@/lib/service/schema'

const KEPT_HOURS = 12
/** Raised when the board would not understand a list of before. */
const FORMAT = 1
/** A device's clock may be set back a little. */
const BEHIND_MS = HOUR_MS
const BASE = 'base'

/** The person who read the list: no other person is shown it on this device. */
export interface ListOwner {
  person: string
  /** The path of guests' cards. */
  cards: '/customers' | '/service/guests'
}

/** A list as it was read, and whose it is. */
export interface KeptList extends ListOwner {
  service: Service
  /** How far the server's clock was ahead of this device's, in milliseconds. */
  ahead: number
}

interface SealedRow {
  location: string
  person: string
  /** When the list was kept, in milliseconds since 1970, by the clock of this device, which also says when it is over. */
  at: number
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

/**
 * Keeps the list of a location on this device for twelve hours, sealed. Half of its key is in this database and cannot be
 * read out, half is a cookie that ends with the session.
 */
export async function keepList({ person, cards }: ListOwner, service: Service): Promise<void> {
  const before = forgotten.times
  const mark = localStorage.getItem(LIST_MARK)
  const known = cookieOf(LIST_KEY_COOKIE)
  const half = known ?? hex(crypto.getRandomValues(new Uint8Array(32)))
  const base = await baseKey()
  if (!base) return
  const row = { location: service.location.id, person, at: Date.now() }
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const list: KeptList = { service, cards, person, ahead: Date.parse(service.at) - row.at }
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: boundTo(row) },
    await sealingKey(base, half),
    new TextEncoder().encode(JSON.stringify(list)),
  )
  const all = (await inStore('lists', 'readonly', (lists) => lists.getAll())) as SealedRow[]
  const others = all.filter((each) => known && each.person === person && !isOver(each))
  // The person signed out while the list was sealed, in this tab or another one.
  const isForgotten = () =>
    before !== forgotten.times || (mark !== null && localStorage.getItem(LIST_MARK) === null)
  if (isForgotten()) return
  await inStore('lists', 'readwrite', (lists) => {
    for (const each of all) if (!others.includes(each)) lists.delete(each.location)
    return lists.put({ ...row, iv, sealed } satisfies SealedRow)
  })
  if (isForgotten()) return forgetLists()
  const locations = [...new Set([...others.map(({ location }) => location), row.location])]
  const until = row.at + KEPT_HOURS * HOUR_MS
  localStorage.setItem(LIST_MARK, JSON.stringify({ person, locations, until } satisfies ListMark))
  // The browser itself forgets this half after twelve hours.
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
  document.cookie = choiceCookie(LIST_KEY_COOKIE, half, KEPT_HOURS * 3600)
}

/**
 * The list of a location that this device keeps, else the latest of any; null when it keeps none. Lists that are over are
 * deleted, and all when the key opens none.
 */
export async function keptList(location: string | null): Promise<KeptList | null> {
  const half = cookieOf(LIST_KEY_COOKIE)
  const base = await baseKey()
  if (!base) return null
  const all = (await inStore('lists', 'readonly', (lists) => lists.getAll())) as SealedRow[]
  const over = all.filter(isOver)
  if (over.length > 0)
    await inStore('lists', 'readwrite', (lists) => {
      for (const { location: gone } of over) lists.delete(gone)
      return lists.count()
    })
  const rows = all
    .filter((each) => !isOver(each))
    .sort(
      (one, other) =>
        Number(other.location === location) - Number(one.location === location) || other.at - one.at,
    )
  for (const row of half ? rows : []) {
    const text = await crypto.subtle
      .decrypt(
        { name: 'AES-GCM', iv: row.iv, additionalData: boundTo(row) },
        await sealingKey(base, half ?? ''),
        row.sealed,
      )
      .catch(() => null)
    if (text) return JSON.parse(new TextDecoder().decode(text))
  }
  forgetLists()
  return null
}

const isOver = ({ at }: SealedRow): boolean => {
  const age = Date.now() - at
  return age > KEPT_HOURS * HOUR_MS || age < -BEHIND_MS
}

/** What a sealed list cannot be moved from: its person, its location, its time and its format. */
const boundTo = ({ location, person, at }: Pick<SealedRow, 'location' | 'person' | 'at'>) =>
  new TextEncoder().encode(JSON.stringify([FORMAT, location, person, at]))

/** The key that both halves make. */
const sealingKey = (base: CryptoKey, half: string): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new TextEncoder().encode(half), info: new Uint8Array() },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )

/** The half in the database; null on a page without https, where browsers encrypt nothing. */
async function baseKey(): Promise<CryptoKey | null> {
  if (!crypto.subtle) return null
  const stored = () => inStore('keys', 'readonly', (keys) => keys.get(BASE)) as Promise<CryptoKey | undefined>
  const found = await stored()
  if (found) return found
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const made = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  // Another tab may have made one meanwhile: the first counts.
  await inStore('keys', 'readwrite', (keys) => keys.add(made, BASE)).catch(() => {})
  return (await stored()) ?? null
}

async function inStore(
  name: 'keys' | 'lists',
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await opened()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode)
      const request = work(transaction.objectStore(name))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

const opened = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(LIST_DATABASE, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('keys')
      request.result.createObjectStore('lists', { keyPath: 'location' })
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('')
