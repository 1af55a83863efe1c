'use client'
import { useEffect, useRef, useState } from 'react'
import { type CodeFields, type OwnTexts, useErrorText } from './error-text'
import { type Answer, type Refusal, send } from './send'
import { SignInAgain } from './sign-in-again'

// Mantine's PasswordInput marks an invalid field with data-invalid only.
const PROBLEM = '[aria-invalid="true"], input[data-invalid="true"]'

interface SubmitOptions {
  /** The fields that the form shows, by their paths in the API. Problems of other fields appear below the form. */
  fields?: readonly string[]
  /** Fields that error codes refer to. */
  at?: CodeFields
  texts?: OwnTexts
}

/**
 * Submits a form: one request at a time, and with the same key until it is saved (`FormKey`). Messages of a refusal appear at the fields or below the form, and the first
 * field with a problem gets the focus, as it may be out of view.
 */
export function useSubmit({ fields = [], at = {}, texts = {} }: SubmitOptions = {}) {
  const words = useErrorText()
  const form = useRef<HTMLFormElement>(null)
  const key = useRef<string>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>(PROBLEM)?.focus()
  }, [refusal])

  async function submit<T>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    if (busy) return { ok: false, status: 0, issues: [] }
    setBusy(true)
    setRefusal(null)
    const answer = await send<T>(method, path, body, { stay: true, key, signal })
    setBusy(false)
    if (!answer.ok) setRefusal(answer)
    return answer
  }

  /** Returns the message at a field; `path` includes the paths below it. */
  function errorAt(path: string): string | undefined {
    if (!refusal) return undefined
    if (refusal.code && at[refusal.code] === path) return words.ofRefusal(refusal, texts)
    const issue = refusal.issues.find((each) => each.path === path || each.path.startsWith(`${path}.`))
    return issue && words.ofIssue({ ...issue, path }, texts)
  }

  const said = fields.some((field) => errorAt(field) !== undefined)
  return {
    form,
    busy,
    refusal,
    /** Reports fields that the form finds invalid before it submits. */
    refuse: (...paths: string[]) =>
      setRefusal({
        ok: false,
        status: 400,
        code: 'INVALID_INPUT',
        issues: paths.map((path) => ({ path, code: 'required' })),
      }),
    submit,
    /** Removes the messages of the last refusal. */
    clear: () => setRefusal(null),
    errorAt,
    /** The message below the form; null when all messages are at fields. */
    failure:
      !refusal || said ? null : refusal.code === 'UNAUTHORIZED' ? (
        <SignInAgain />
      ) : (
        words.ofRefusal(refusal, texts)
      ),
  }
}
