'use client'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PaletteItem, PaletteScope } from './item'
import { matchingPages } from './look-up'
import classes from './palette.module.css'
import { PaletteList } from './palette-list'
import { useLookUp } from './use-look-up'

const MAX_LENGTH = 100

/** A window that finds pages, customers and coming reservations; all of it works by keyboard. */
export default function Palette({ scope, onClose }: { scope: PaletteScope; onClose: () => void }) {
  const t = useTranslations('client.palette')
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const text = typed.trim()
  const { state, found } = useLookUp(text, scope)
  const items = useMemo(() => [...matchingPages(text, scope.pages), ...found], [text, scope, found])
  const current = Math.min(active, items.length - 1)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  function open({ href }: PaletteItem) {
    onClose()
    router.push(href)
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
      // A click on the backdrop is one on the dialog itself.
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
          placeholder={t(scope.customers ? 'placeholder' : 'placeholderPages')}
          className={classes.input}
          value={typed}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setActive(0)
          }}
        />
        <button type="button" className={classes.close} onClick={onClose}>
          {t('close')}
        </button>
      </div>
      <PaletteList id={id} items={items} active={current} onPoint={setActive} onOpen={open} />
      <p role="status" className={classes.status}>
        {state === 'failed'
          ? t('failed')
          : state === 'busy'
            ? t('busy')
            : items.length > 0
              ? t('found', { count: items.length })
              : t('nothing', { text })}
      </p>
    </dialog>
  )
}
