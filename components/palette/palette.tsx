'use client'
import {
  IconArrowRight,
  IconBolt,
  IconCalendarEvent,
  IconSearch,
  IconTicket,
  IconUser,
} from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { send } from '@/components/forms/send'
import { useFoundDay } from '@/components/reservations/found-reservation'
import { Badge } from '@/components/ui/badge'
import { useTabRouter } from '@/components/ui/tab-address'
import type { FactCode } from '@/lib/customers/fact-codes'
import type { FoundReservation } from '@/lib/service/schema'
import { matchingNames, type PaletteItem, type PaletteScope, useLookUp } from './look-up'
import classes from './palette.module.css'

const MAX_LENGTH = 100

/**
 * A dialog that finds pages, customers, reservations and tickets, and starts actions. It works by keyboard.
 */
export default function Palette({ scope, onClose }: { scope: PaletteScope; onClose: () => void }) {
  const t = useTranslations('client.palette')
  const router = useTabRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const text = typed.trim()
  const { state, found } = useLookUp(text, scope)
  const items = useMemo(() => [...matchingNames(text, scope), ...found], [text, scope, found])
  const current = Math.min(active, items.length - 1)
  /** The progress of a sync that was started here. */
  const [sync, setSync] = useState<string | null>(null)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  function open({ href }: PaletteItem) {
    if (href === null) return void startSync()
    onClose()
    router.push(href)
  }

  async function startSync() {
    setSync(t('sync.busy'))
    const answer = await send<SyncResult>('POST', '/api/sync', { source: 'pms' })
    if (!answer.ok) return setSync(t(answer.code === 'SYNC_RUNNING' ? 'sync.running' : 'sync.failed'))
    const { synced_reservations: count, errors } = answer.data
    setSync(t(errors.length > 0 ? 'sync.problems' : 'sync.done', { count }))
    router.refresh()
  }

  function move(event: KeyboardEvent) {
    const last = items.length - 1
    const next = { ArrowDown: current === last ? 0 : current + 1, ArrowUp: current <= 0 ? last : current - 1 }
    const chosen = items[current]
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) open(chosen)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setActive(next[event.key])
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label={t('title')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A click on the backdrop hits the dialog element itself.
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={move}
    >
      <div className={classes.head}>
        <IconSearch size={18} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={items[current] ? `${id}-${current}` : undefined}
          aria-label={t('label')}
          placeholder={t(
            scope.customers
              ? 'placeholder'
              : scope.reservations
                ? 'placeholderReservations'
                : 'placeholderPages',
          )}
          className={classes.input}
          value={typed}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setSync(null)
            setActive(0)
          }}
        />
        <button type="button" className={classes.close} onClick={onClose}>
          {t('close')}
        </button>
      </div>
      <PaletteList
        id={id}
        places={scope.locations}
        items={items}
        active={current}
        onPoint={setActive}
        onOpen={open}
      />
      <p role="status" className={classes.status}>
        {sync ??
          (state === 'failed'
            ? t('failed')
            : state === 'busy'
              ? t('busy')
              : items.length > 0
                ? t('found', { count: items.length })
                : t('nothing', { text }))}
      </p>
    </dialog>
  )
}

const KINDS = ['pages', 'actions', 'customers', 'reservations', 'tickets'] as const
const ICONS = {
  pages: IconArrowRight,
  actions: IconBolt,
  customers: IconUser,
  reservations: IconCalendarEvent,
  tickets: IconTicket,
}

interface SyncResult {
  synced_reservations: number
  errors: string[]
}

interface PaletteListProps {
  id: string
  /** The results in the order of KINDS. */
  items: PaletteItem[]
  active: number
  /** In how many locations the person works. */
  places: number
  onPoint: (index: number) => void
  onOpen: (item: PaletteItem) => void
}

/** The results by kind. The focus stays in the input, which names the active option. */
function PaletteList({ id, items, active, places, onPoint, onOpen }: PaletteListProps) {
  const t = useTranslations('client.palette')
  const facts = useTranslations('client.facts')
  const dayOf = useFoundDay()
  const detailOf = (found: FoundReservation) =>
    [
      dayOf(found),
      t('guests', { count: found.party_size }),
      found.table_name && t('table', { name: found.table_name }),
      places > 1 && found.location_name,
      t(`statuses.${found.status}`),
    ]
      .filter(Boolean)
      .join(' · ')
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const numbered = items.map((item, index) => ({ item, index }))
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t('results')} className={classes.list}>
      {KINDS.map((kind) => {
        const group = numbered.filter(({ item }) => item.kind === kind)
        const Icon = ICONS[kind]
        return group.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
          <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
            <div id={`${id}-${kind}`} className={classes.kind} role="presentation">
              {t(`kinds.${kind}`)}
            </div>
            {group.map(({ item, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
              <div
                key={`${item.href} ${item.label} ${item.detail}`}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === active}
                className={classes.option}
                onMouseMove={() => index !== active && onPoint(index)}
                onClick={() => onOpen(item)}
              >
                <Icon size={16} aria-hidden />
                <span className={classes.label}>{item.label || t('noName')}</span>
                {item.allergies && item.allergies.length > 0 ? (
                  <Badge tone="red" alarm="plain">
                    {t('allergies', {
                      count: item.allergies.length,
                      list: item.allergies.map((code) => facts(code as FactCode)).join(', '),
                    })}
                  </Badge>
                ) : null}
                {item.reservation || item.detail ? (
                  <span className={classes.detail}>
                    {item.reservation ? detailOf(item.reservation) : item.detail}
                  </span>
                ) : null}
              </div>
            ))}
          </div>
        )
      })}
    </div>
  )
}
