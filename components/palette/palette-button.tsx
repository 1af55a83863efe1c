'use client'
import { IconSearch } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { PaletteScope } from './look-up'
import classes from './palette-button.module.css'

// Loaded when it is opened for the first time.
const Palette = dynamic(() => import('./palette'), { ssr: false })

/** The button that opens the palette; Ctrl/⌘ K opens it too. */
export function PaletteButton({ scope }: { scope: PaletteScope }) {
  const t = useTranslations('client.palette')
  const [open, setOpen] = useState(false)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <span className={classes.text}>{t('open')}</span>
        <kbd className={classes.keys} aria-hidden>
          {t('keys')}
        </kbd>
      </button>
      {open ? <Palette scope={scope} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
