'use client'
import { Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { useTranslations } from 'next-intl'
import { useId, useRef } from 'react'
import classes from './new-conversation.module.css'

/** Starts a new conversation after a confirmation. A native dialog traps the focus and closes with Escape. */
export function NewConversation({ count, onConfirm }: { count: number; onConfirm: () => void }) {
  const t = useTranslations('client.assistant.new')
  const dialog = useRef<HTMLDialogElement>(null)
  const [title, text] = [useId(), useId()]
  return (
    <div className={classes.bar}>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => dialog.current?.showModal()}
        leftSection={<IconMessagePlus size={16} aria-hidden />}
        aria-haspopup="dialog"
      >
        {t('action')}
      </Button>
      <dialog ref={dialog} className={classes.dialog} aria-labelledby={title} aria-describedby={text}>
        <h2 id={title} className={classes.title}>
          {t('title')}
        </h2>
        <p id={text} className={classes.text}>
          {t('text', { count })}
        </p>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </Button>
          <Button
            onClick={() => {
              dialog.current?.close()
              onConfirm()
            }}
          >
            {t('confirm')}
          </Button>
        </div>
      </dialog>
    </div>
  )
}
