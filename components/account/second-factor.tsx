'use client'
import { Button } from '@mantine/core'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import type { SecondFactorState } from '@/lib/account/schema'
import { CodeForm } from './code-form'
import { RecoveryCodes } from './recovery-codes'
import classes from './second-factor.module.css'

const PATH = '/api/account/second-factor'

interface Started {
  factor_id: string
  qr: string
  secret: string
}

interface SecondFactorProps {
  state: SecondFactorState
  /** Where to go once it is set up; without one, the page is loaded anew. */
  next?: string
}

/** Setting up the second factor, and removing it. Goes into a panel of the account page. */
export function SecondFactor({ state, next }: SecondFactorProps) {
  const t = useTranslations('client.secondFactor')
  const [started, setStarted] = useState<Started | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [step, setStep] = useState<'idle' | 'busy' | 'failed' | 'removing'>('idle')
  const done = () => (next ? window.location.assign(next) : window.location.reload())

  async function start() {
    setStep('busy')
    const answer = await send<Started>('POST', PATH)
    setStep(answer.ok ? 'idle' : 'failed')
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
        <CodeForm
          method="POST"
          path={`${PATH}/confirm`}
          fields={{ factor_id: started.factor_id }}
          action={t('confirm')}
          onAnswer={(answer) =>
            setCodes((answer as { data: { recovery_codes: string[] } }).data.recovery_codes)
          }
          onCancel={() => setStarted(null)}
        />
      </>
    )
  if (step === 'removing')
    return (
      <>
        <p className={classes.text}>{t('removeText')}</p>
        <CodeForm
          method="DELETE"
          path={PATH}
          action={t('remove')}
          onAnswer={done}
          onCancel={() => setStep('idle')}
        />
      </>
    )
  return (
    <>
      <p className={classes.text}>{t('text')}</p>
      {state.required && !next ? <p className={classes.text}>{t('required')}</p> : null}
      {state.enrolled ? <p className={classes.text}>{t('on')}</p> : null}
      <Failure text={step === 'failed' ? t('failures.other') : null} />
      <FormActions>
        {state.enrolled ? (
          <Button variant="default" onClick={() => setStep('removing')}>
            {t('remove')}
          </Button>
        ) : (
          <Button loading={step === 'busy'} onClick={start}>
            {t('start')}
          </Button>
        )}
      </FormActions>
    </>
  )
}
