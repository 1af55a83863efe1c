'use client'
import { useTranslations } from 'next-intl'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useToast } from '@/components/ui/toast'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { CustomerFilters } from '@/lib/customers/filters'
import classes from './selection.module.css'
import { SelectionBar } from './selection-bar'

/** The selected customers: single ones, or all that the list's filters match. */
export interface Selected {
  ids: ReadonlySet<string>
  /** The number of matches, when all of them are selected. */
  everyone: number | null
}

interface Selection extends Selected {
  onPage: readonly string[]
  choose: (ids: readonly string[], chosen: boolean) => void
}

const NONE_SELECTED: Selected = { ids: new Set(), everyone: null }
const SelectionContext = createContext<Selection | null>(null)
const PAGE_BOX = 'select-page'

interface SelectionAreaProps {
  filters: CustomerFilters
  /** The address of the file with all matches. */
  exportHref: string
  /** Whether a download asks for a code of the second factor. */
  confirm: boolean
  /** The customers on the page. */
  onPage: readonly string[]
  /** Whether the list has more pages. */
  hasMore: boolean
  /** The most customers that can be selected one by one. */
  most: number
  children: ReactNode
}

/**
 * A list of customers whose rows can be selected. The selection stays while the person pages through the list; a list
 * with other filters starts empty (give it a `key`). Escape clears the selection.
 */
export function SelectionArea({ children, most, onPage, ...bar }: SelectionAreaProps) {
  const t = useTranslations('client.customers.selection')
  const say = useToast()
  const [selected, setSelected] = useState(NONE_SELECTED)
  const { ids, everyone } = selected
  const count = everyone ?? ids.size

  function choose(some: readonly string[], chosen: boolean) {
    // When all are selected, only the customers of this page are known by id.
    const next = new Set(everyone === null ? ids : onPage)
    for (const id of some) chosen ? next.add(id) : next.delete(id)
    if (next.size > most) return say({ text: t('tooMany', { most }), tone: 'warning' })
    setSelected({ ids: next, everyone: null })
  }

  // The focus moves only after the bar's dialog is closed: an open dialog keeps it inside.
  const wantsFocus = useRef(false)
  useEffect(() => {
    if (selected !== NONE_SELECTED || !wantsFocus.current) return
    wantsFocus.current = false
    document.getElementById(PAGE_BOX)?.focus()
  }, [selected])

  function clear() {
    wantsFocus.current = true
    setSelected(NONE_SELECTED)
  }

  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    const types =
      event.target instanceof Element && event.target.closest('input:not([type=checkbox]), select')
    const isTaken = event.defaultPrevented || document.querySelector('dialog[open], :popover-open') !== null
    if (event.key === 'Escape' && !types && !isTaken) setSelected(NONE_SELECTED)
  })
  const isEmpty = count === 0
  useEffect(() => {
    if (isEmpty) return
    const press = (event: KeyboardEvent) => onEscape(event)
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isEmpty])

  const isWholePage = onPage.length > 0 && onPage.every((id) => ids.has(id))
  return (
    <SelectionContext value={{ ids, everyone, onPage, choose }}>
      {children}
      <VisuallyHidden>
        <span role="status">{isEmpty ? null : t('count', { count })}</span>
      </VisuallyHidden>
      {isEmpty ? null : (
        <SelectionBar
          {...bar}
          selected={selected}
          offersAll={isWholePage && everyone === null && (bar.hasMore || ids.size > onPage.length)}
          onEveryone={(matching) => setSelected({ ids: new Set(), everyone: matching })}
          onClear={clear}
        />
      )}
    </SelectionContext>
  )
}

/** The checkbox that selects every customer of the page. */
export function SelectPage() {
  const t = useTranslations('client.customers.selection')
  const { ids, everyone, onPage, choose } = useSelection()
  const chosen = everyone === null ? onPage.filter((id) => ids.has(id)).length : onPage.length
  const all = chosen === onPage.length
  return (
    <label className={classes.box}>
      <input
        id={PAGE_BOX}
        type="checkbox"
        aria-label={t('page')}
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && !all
        }}
        onChange={() => choose(onPage, !all)}
      />
    </label>
  )
}

/** The checkbox that selects a customer. */
export function SelectCustomer({ id, name }: { id: string; name: string | null }) {
  const t = useTranslations('client.customers.selection')
  const { ids, everyone, choose } = useSelection()
  const checked = everyone !== null || ids.has(id)
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        aria-label={t('one', { name: name ?? t('noName') })}
        checked={checked}
        onChange={() => choose([id], !checked)}
      />
    </label>
  )
}

function useSelection(): Selection {
  const selection = useContext(SelectionContext)
  if (!selection) throw new Error('A box outside of SelectionArea')
  return selection
}
