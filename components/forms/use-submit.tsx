'use client'
import { useEffect, useRef, useState } from 'react'
import { type CodeFields, type OwnTexts, useErrorText } from './error-text'
import { type Answer, type Refusal, send } from './send'
import { SignInAgain } from './sign-in-again'

// Mantine's PasswordInput marks its field by data-invalid only.
const PROBLEM = '[aria-invalid="true"], input[data-invalid="true"]'

interface SubmitOptions {
  /** The fields that the form shows, by their paths in the API; a problem of another one is said below the form. */
  fields?: readonly string[]
  /** Fields that codes are about. */
  at?: CodeFields
  texts?: OwnTexts
}

/**
 * Sending a form: one request at a time, and what was refused in words, at its field or below the form. The first
 * field with a problem takes the focus: it may be out of sight.
 */
export function useSubmit({ fields = [], at = {}, texts = {} }: SubmitOptions = {}) {
  const words = useErrorText()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>(PROBLEM)?.focus()
  }, [refusal])

  async function submit<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    if (busy) return { ok: false, status: 0, issues: [] }
    setBusy(true)
    setRefusal(null)
    const answer = await send<T>(method, path, body, { stay: true })
    setBusy(false)
    if (!answer.ok) setRefusal(answer)
    return answer
  }

  /** The sentence at a field; `path` also stands for what is below it. */
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
    /** For fields that the form finds invalid before it submits. */
    refuse: (...paths: string[]) =>
      setRefusal({
        ok: false,
        status: 400,
        code: 'INVALID_INPUT',
        issues: paths.map((path) => ({ path, code: 'required' })),
      }),
    submit,
    /** Forgets what was refused. */
    clear: () => setRefusal(null),
    errorAt,
    /** The sentence below the form; null where a field says it. */
    failure:
      !refusal || said ? null : refusal.code === 'UNAUTHORIZED' ? (
        <SignInAgain />
      ) : (
        words.ofRefusal(refusal, texts)
      ),
  }
}
