'use client'
import { Button, Checkbox } from '@mantine/core'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { useChange } from '@/components/forms/use-change'
import { Failure } from '@/components/ui/failure'
import { PUSH_KINDS, type PushKind } from '@/lib/push/kinds'
import classes from './account.module.css'
import { type PushSupport, pushAddress, pushSupport } from './push-browser'

/** Chooses the kinds of push notices for this device. The browser asks for permission on saving, not before. */
export function PushHere({ publicKey, chosen }: { publicKey: string; chosen: readonly PushKind[] | null }) {
  const t = useTranslations('client.account.push')
  const language = useLocale()
  const change = useChange()
  const [support, setSupport] = useState<PushSupport | null>(null)
  const [kinds, setKinds] = useState<string[]>([...(chosen ?? PUSH_KINDS)])
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // The server does not know what the browser can do.
  useEffect(() => setSupport(pushSupport()), [])

  async function save() {
    const address = await pushAddress(publicKey).catch(() => 'failed' as const)
    setSupport(pushSupport())
    if (typeof address === 'string') return t(address)
    const body = { ...address, kinds, language }
    return change({ method: 'PUT', path: '/api/account/push', body, done: t('saved') })
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (kinds.length === 0) return setFailure(t('chooseOne'))
    setBusy(true)
    setFailure(await save())
    setBusy(false)
  }

  if (support === 'unsupported') return <p className={classes.intro}>{t('unsupported')}</p>
  return (
    <form onSubmit={submit} className={classes.actions}>
      <Checkbox.Group label={t('kinds')} value={kinds} onChange={setKinds}>
        <div className={classes.choices}>
          {PUSH_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(kind)} />
          ))}
        </div>
      </Checkbox.Group>
      {support === 'denied' ? <p className={classes.text}>{t('denied')}</p> : null}
      <Failure text={failure} />
      <Button type="submit" loading={busy} disabled={support !== 'ready'}>
        {chosen ? t('save') : t('turnOn')}
      </Button>
    </form>
  )
}
