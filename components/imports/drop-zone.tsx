'use client'
import { IconFileUpload } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { type DragEvent, useId, useState } from 'react'
import classes from './drop-zone.module.css'

/** Where a file is dropped, or chosen with a click or the keyboard. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const t = useTranslations('client.import')
  const [over, setOver] = useState(false)
  const hint = useId()

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }

  return (
    <label
      className={classes.zone}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileUpload size={28} stroke={1.5} aria-hidden />
      <span className={classes.title}>{t('choose')}</span>
      <span className={classes.hint} id={hint}>
        {t('chooseHint')}
      </span>
      <input
        type="file"
        accept=".csv,.txt,text/csv"
        className={classes.input}
        aria-label={t('file')}
        aria-describedby={hint}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) onFile(file)
          // Choosing the same file again, corrected, must be a change too.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
