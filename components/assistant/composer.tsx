'use client'
import { ActionIcon } from '@mantine/core'
import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect } from 'react'
import { MAX_TEXT } from '@/lib/assistant/limits'
import classes from './composer.module.css'

interface ComposerProps {
  ref: RefObject<HTMLTextAreaElement | null>
  draft: string
  /** Whether a reply is being written: the button then stops it. */
  busy: boolean
  onType: (draft: string) => void
  onSend: () => void
  onStop: () => void
}

/** The field for a question, which grows with its text. Enter sends, Shift+Enter starts a line. */
export function Composer({ ref, draft, busy, onType, onSend, onStop }: ComposerProps) {
  const t = useTranslations('client.assistant')
  const format = useFormatter()
  const hint = useId()
  const tooLong = draft.length > MAX_TEXT
  const ready = draft.trim() !== '' && !tooLong && !busy

  // biome-ignore lint/correctness/useExhaustiveDependencies: text typed before hydration, once
  useLayoutEffect(() => {
    if (ref.current?.value) onType(ref.current.value)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const field = ref.current
    if (!field) return
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }, [draft, ref])

  function press(event: KeyboardEvent) {
    // Enter that ends an IME composition (accents, other scripts) does not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (ready) onSend()
  }

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) onSend()
      }}
    >
      <div className={classes.box}>
        <textarea
          ref={ref}
          className={classes.field}
          rows={1}
          value={draft}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={press}
          aria-label={t('question')}
          aria-describedby={hint}
          aria-invalid={tooLong || undefined}
          placeholder={t('placeholder')}
          enterKeyHint="send"
        />
        <SendOrStop busy={busy} ready={ready} onStop={onStop} />
      </div>
      <p id={hint} className={classes.hint} data-problem={tooLong || undefined}>
        {tooLong ? (
          t('tooLong', { length: format.number(draft.length), limit: format.number(MAX_TEXT) })
        ) : (
          <>
            <span className={classes.keys}>{t('hint')}</span> {t('caution')}
          </>
        )}
      </p>
    </form>
  )
}

function SendOrStop({ busy, ready, onStop }: { busy: boolean; ready: boolean; onStop: () => void }) {
  const t = useTranslations('client.assistant')
  // Different keys: with one shared button, the click that stops would also submit.
  return busy ? (
    <ActionIcon key="stop" size={36} radius="md" onClick={onStop} aria-label={t('stop')} title={t('stop')}>
      <IconPlayerStopFilled size={16} aria-hidden />
    </ActionIcon>
  ) : (
    <ActionIcon
      key="send"
      type="submit"
      size={36}
      radius="md"
      disabled={!ready}
      aria-label={t('send')}
      title={t('send')}
    >
      <IconArrowUp size={18} aria-hidden />
    </ActionIcon>
  )
}
