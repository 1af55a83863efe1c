'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useSubmit } from '@/components/forms/use-submit'
import { CodeField } from '@/components/second-factor/code-field'
import { useCodeTexts } from '@/components/second-factor/use-code-texts'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import type { SecondFactorState } from '@/lib/account/schema'
import classes from './account.module.css'

const PATH = '/api/account/second-factor'

interface Started {
  factor_id: string
  qr: string
  secret: string
}

interface SecondFactorProps {
  state: SecondFactorState
  /** Where to go once it is set up; without one, the page is reloaded. */
  next?: string
}

/** Sets up or removes the second factor. Belongs in a panel of the account page. */
export function SecondFactor({ state, next }: SecondFactorProps) {
  const t = useTranslations('client.secondFactor')
  const [started, setStarted] = useState<Started | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [removing, setRemoving] = useState(false)
  const { busy, submit, failure } = useSubmit({ texts: useCodeTexts() })
  const done = () => (next ? window.location.assign(next) : window.location.reload())

  async function start() {
    const answer = await submit<Started>('POST', PATH)
    if (answer.ok) setStarted(answer.data)
  }

  if (!state.available) return <p className={classes.text}>{t('unavailable')}</p>
  if (codes) return <RecoveryCodes codes={codes} onDone={done} />
  if (started)
    return (
      <>
        <p className={classes.text}>{t('scan')}</p>
        {/* biome-ignore lint/performance/noImgElement: a data: URL, which there is nothing to optimise about. */}
        <img src={started.qr} alt={t('qr')} className={classes.qr} width={200} height={200} />
        <p className={classes.text}>
          {t('secret')} <code className={classes.secret}>{started.secret}</code>
        </p>
        <CodeForm<{ recovery_codes: string[] }>
          method="POST"
          path={`${PATH}/confirm`}
          fields={{ factor_id: started.factor_id }}
          action={t('confirm')}
          onDone={({ recovery_codes }) => setCodes(recovery_codes)}
          onCancel={() => setStarted(null)}
        />
      </>
    )
  if (removing)
    return (
      <>
        <p className={classes.text}>{t('removeText')}</p>
        <CodeForm
          method="DELETE"
          path={PATH}
          action={t('remove')}
          onDone={done}
          onCancel={() => setRemoving(false)}
        />
      </>
    )
  return (
    <>
      <p className={classes.text}>{t('text')}</p>
      {state.required && !next ? <p className={classes.text}>{t('required')}</p> : null}
      {state.enrolled ? <p className={classes.text}>{t('on')}</p> : null}
      <Failure text={failure} />
      <FormActions>
        {state.enrolled ? (
          <Button variant="default" onClick={() => setRemoving(true)}>
            {t('remove')}
          </Button>
        ) : (
          <Button loading={busy} onClick={start}>
            {t('start')}
          </Button>
        )}
      </FormActions>
    </>
  )
}

/** The recovery codes. They are shown only once. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('client.secondFactor')
  return (
    <>
      <p role="status" className={classes.text}>
        {t('keep')}
      </p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <FormActions>
        <Button onClick={onDone}>{t('kept')}</Button>
      </FormActions>
    </>
  )
}

interface CodeFormProps<T> {
  method: 'POST' | 'DELETE'
  path: string
  /** Fields sent together with the code. */
  fields?: object
  action: string
  onDone: (data: T) => void
  onCancel: () => void
}

/** Asks for one code and sends it. */
function CodeForm<T>({ method, path, fields, action, onDone, onCancel }: CodeFormProps<T>) {
  const t = useTranslations('client.secondFactor')
  const { busy, submit, failure } = useSubmit({ texts: useCodeTexts() })

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    const answer = await submit<T>(method, path, { ...fields, code })
    if (answer.ok) onDone(answer.data)
  }

  return (
    <form method="post" onSubmit={send} noValidate>
      <CodeField label={t('code')} />
      <Failure text={failure} />
      <FormActions>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
      </FormActions>
    </form>
  )
}
