'use client'
import { IconBookmark, IconPlus, IconX } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { Link } from '@/components/ui/link'
import { useToast } from '@/components/ui/toast'
import classes from './segment-bar.module.css'

const SaveView = dynamic(() => import('./save-view'))

/** The person's own sets of filters, and the button that keeps the present one; `here` is its address. */
export function SavedViews({ userId, here }: { userId: string; here: string }) {
  const t = useTranslations('client.customers.views')
  const say = useToast()
  const { views, save, remove } = useSavedViews(userId)
  const [open, setOpen] = useState(false)
  const known = views.some(({ href }) => href === here)

  function forget(name: string) {
    remove(name)
    say(t('removed', { name }))
  }

  return (
    <>
      {views.map(({ name, href }) => (
        <li key={name} className={classes.saved}>
          <Link
            href={href}
            scroll={false}
            prefetch={false}
            className={classes.chip}
            aria-current={href === here ? 'true' : undefined}
          >
            <IconBookmark size={14} aria-hidden />
            <span>{name}</span>
          </Link>
          <button
            type="button"
            className={classes.remove}
            aria-label={t('remove', { name })}
            title={t('remove', { name })}
            onClick={() => forget(name)}
          >
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
      {here !== '/customers' && !known ? (
        <li>
          <button type="button" className={`${classes.chip} ${classes.add}`} onClick={() => setOpen(true)}>
            <IconPlus size={14} aria-hidden />
            {t('save')}
          </button>
          {open ? (
            <SaveView
              taken={views.map(({ name }) => name)}
              onSave={(name) => {
                save({ name, href: here })
                say(t('saved', { name }))
              }}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </li>
      ) : null}
    </>
  )
}

/** A named set of filters: the address of the list with them. */
export interface SavedView {
  name: string
  href: string
}

const NONE: readonly SavedView[] = []
const MAX_VIEWS = 20
const listeners = new Set<() => void>()
// The last read by key: useSyncExternalStore needs the same list for the same text.
const parsed = new Map<string, { text: string; views: readonly SavedView[] }>()

/** The sets of filters a person keeps in this browser; none while the server renders. */
export function useSavedViews(userId: string) {
  const key = `customer-views:${userId}`
  const views = useSyncExternalStore(
    subscribe,
    useCallback(() => read(key), [key]),
    () => NONE,
  )
  const others = (name: string) => read(key).filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) => write(key, [...others(view.name), view].slice(-MAX_VIEWS)),
    remove: (name: string) => write(key, others(name)),
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function read(key: string): readonly SavedView[] {
  const text = stored(key)
  const known = parsed.get(key)
  if (known?.text === text) return known.views
  const views = parseViews(text)
  parsed.set(key, { text, views })
  return views
}

/** Parses the stored text; entries that are malformed are left out. */
export function parseViews(text: string): readonly SavedView[] {
  if (text === '') return NONE
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows.filter(isView) : NONE
  } catch {
    return NONE
  }
}

// A link must stay within the list: anyone who uses this browser can change the storage.
function isView(row: unknown): row is SavedView {
  const { name, href } = (row ?? {}) as Partial<SavedView>
  return typeof name === 'string' && typeof href === 'string' && /^\/customers\?[^#]*$/.test(href)
}

function write(key: string, views: readonly SavedView[]): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(views))
  } catch {
    // Without storage they last as long as the page.
    parsed.set(key, { text: stored(key), views })
  }
  for (const listener of listeners) listener()
}

function stored(key: string): string {
  try {
    return window.localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}
