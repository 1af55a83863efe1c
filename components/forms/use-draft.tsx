'use client'
import { useTranslations } from 'next-intl'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import classes from './draft.module.css'
import { useDraftKey, withStores } from './draft-owner'
import {
  type DraftValues,
  markClosed,
  markOpen,
  readDraft,
  type StoredDraft,
  same,
  toRestore,
  writeDraft,
} from './draft-store'
import { fillFields, readFields } from './form-fields'
import { LeaveQuestion } from './leave-question'
import { useLeaveGuard } from './use-leave-guard'

/** The draft's name for a new record, such as `customer:new`. All its fields are restored, also preset ones. */
const NEW = /:new(:|$)/

interface DraftOptions<R, S> {
  /** The form, when its named fields hold the input. */
  form?: RefObject<HTMLFormElement | null>
  /** The record that is edited; absent for a new one. */
  loaded?: R | undefined
  /** State of the form besides its named fields. Never a secret. */
  state?: S
  onState?: (state: S) => void
  /** Whether something is typed that is never stored, such as a secret: leaving still asks. */
  unkept?: boolean
}

export interface Draft<R> {
  /** The record that the form was loaded with: a refresh of the page does not change it. */
  loaded: R | undefined
  /** The current record of the page. */
  now: R | undefined
  dirty: boolean
  /** Call after saving: removes the draft. */
  saved: () => void
  /** Discards the input and starts again from the record. */
  discard: () => void
  /** For the button that closes the form: discards the draft. */
  cancel: (close: () => void) => () => void
  /** A note that input was restored, and the question before leaving the page. */
  node: ReactNode
}

/**
 * Keeps the input of a form until it is saved, by person and record (`name`): through a reload, the end of the
 * session
 * and a dialog closed by mistake. A draft is restored field by field over the current record.
 */
export function useDraft<R, S = undefined>(
  name: string,
  { form, loaded: record, state, onState, unkept = false }: DraftOptions<R, S> = {},
): Draft<R> {
  const t = useTranslations('client.form')
  const key = useDraftKey(name)
  const [loaded, setLoaded] = useState(record)
  const [restored, setRestored] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [toFill, setToFill] = useState<DraftValues['fields'] | null>(null)
  const [begun, begin] = useState(0)
  const base = useRef<DraftValues | null>(null)
  const text = JSON.stringify(state)

  const valuesNow = (): DraftValues => ({
    fields: form?.current ? readFields(form.current) : {},
    ...(state === undefined ? {} : { state }),
  })

  function forget() {
    withStores(({ kept, tab }) => {
      if (key === null) return
      kept.removeItem(key)
      markClosed(tab, key)
    })
  }

  const keep = useEffectEvent(() => {
    // A closing dialog removes its form before the last events of its fields are handled.
    if (!base.current || (form && !form.current)) return
    const value = valuesNow()
    const changed = !same(value, base.current)
    setDirty(changed)
    // At first nothing is typed, and the stored draft is about to be restored.
    if (!changed) return dirty ? forget() : undefined
    const draft = { at: Date.now(), loaded, base: base.current, value }
    withStores(({ kept, tab }) => {
      if (key === null) return
      writeDraft(kept, key, draft)
      markOpen(tab, key)
    })
  })

  function restore(draft: StoredDraft) {
    if (draft.loaded !== undefined) setLoaded(draft.loaded as R)
    const { state: next, fields } = toRestore(draft, NEW.test(name) ? null : valuesNow())
    if (!same(next, state)) onState?.(next as S)
    // After the state, which decides which fields exist.
    setToFill(fields)
    setRestored(true)
  }

  const mount = useEffectEvent(() => {
    base.current = valuesNow()
    const draft = key === null ? null : withStores(({ kept }) => readDraft(kept, key))
    if (!draft) return
    if (same(draft.value, base.current)) forget()
    else restore(draft)
  })

  const rebase = useEffectEvent(() => {
    base.current = valuesNow()
    setDirty(false)
  })

  useEffect(() => {
    mount()
    // On the window, after React's own handlers: rendering before them would write a controlled field's former text
    // over what was just typed.
    const typed = ({ target }: Event) => {
      if (target instanceof Node && form?.current?.contains(target)) keep()
    }
    window.addEventListener('input', typed)
    window.addEventListener('change', typed)
    return () => {
      window.removeEventListener('input', typed)
      window.removeEventListener('change', typed)
    }
  }, [form])

  useEffect(() => {
    if (begun > 0) rebase()
  }, [begun])

  useEffect(() => {
    if (toFill === null) return
    setToFill(null)
    // Not during React's own work: React would write the former text into a field whose state follows.
    queueMicrotask(() => {
      if (form?.current) fillFields(form.current, toFill)
      keep()
    })
  }, [toFill, form])

  // biome-ignore lint/correctness/useExhaustiveDependencies: compared as JSON text
  useEffect(() => keep(), [text])

  // A form that was closed does not open by itself; one whose page was left does.
  useEffect(
    () => () => {
      withStores(({ tab }) => key !== null && markClosed(tab, key))
    },
    [key],
  )

  function discard() {
    forget()
    setRestored(false)
    setLoaded(record)
    if (!base.current) return
    if (base.current.state !== undefined) onState?.(base.current.state as S)
    setToFill(base.current.fields)
  }

  function saved() {
    forget()
    base.current = null
    setRestored(false)
    begin((times) => times + 1)
  }

  const { leave, stay } = useLeaveGuard(dirty || unkept)
  return {
    loaded,
    now: record,
    dirty,
    saved,
    discard,
    cancel: (close) => () => {
      forget()
      close()
    },
    node: (
      <>
        {restored && dirty ? (
          <p role="status" className={classes.restored}>
            {t('restored')}{' '}
            <button type="button" onClick={discard}>
              {t('discard')}
            </button>
          </p>
        ) : null}
        {leave ? (
          <LeaveQuestion
            onLeave={() => {
              forget()
              leave()
            }}
            onStay={stay}
          />
        ) : null}
      </>
    ),
  }
}
