'use client'
import { Button } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useReopened } from '@/components/forms/draft-owner'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useToast } from '@/components/ui/toast'
import type { ConsentBasis } from '@/lib/customers/consent'
import type { Channel } from '@/lib/messaging/schema'
import type { ConsentWish, Intent } from './consent-dialog'
import classes from './consent-panel.module.css'

const ConsentDialog = dynamic(() => import('./consent-dialog'), { ssr: false })

interface ConsentActionsProps {
  customerId: string
  channel: Channel
  basis: ConsentBasis
  optedOut: boolean
  /** The reason that staff recorded; undoing a change records it again. */
  reason: string | null
  hasAddress: boolean
  /** Whether the address bounced or complained: staff cannot lift that. */
  isFinal: boolean
}

/** The buttons that change a channel's consent. Each asks for evidence first; the last change can be undone. */
export function ConsentActions({
  customerId,
  channel,
  basis,
  optedOut,
  reason,
  hasAddress,
  isFinal,
}: ConsentActionsProps) {
  const t = useTranslations('client.consent')
  const names = useTranslations('client.consent.channels')
  const errors = useErrorText()
  const say = useToast()
  const router = useRouter()
  const [intent, setIntent] = useState<Intent | null>(null)
  const [undo, setUndo] = useState<ConsentWish | null>(null)
  const [busy, setBusy] = useState(false)
  const name = { channel: names(channel) }
  const draftOf = (which: Intent) => `consent:${customerId}:${channel}:${which}:new`
  useReopened(draftOf('optOut'), () => setIntent('optOut'))
  useReopened(draftOf('optIn'), () => setIntent('optIn'))
  useReopened(draftOf('change'), () => setIntent('change'))

  async function record(wish: ConsentWish, isUndo = false): Promise<string | null> {
    setBusy(true)
    const sent = await send('PATCH', `/api/customers/${customerId}`, { consent: { [channel]: wish } })
    setBusy(false)
    if (!sent.ok) return errors.ofRefusal(sent, { ADDRESS_REFUSED: t('refused') })
    const before = wish.opted_out === undefined ? { basis } : { opted_out: optedOut }
    setUndo(isUndo ? null : { ...before, reason: reason ?? t('undone') })
    say(t(isUndo ? 'restored' : 'saved', name))
    router.refresh()
    return null
  }

  async function takeBack() {
    const problem = undo && (await record(undo, true))
    if (problem) say(problem)
  }

  const button = (which: Intent) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t(`${which}Of`, name)}
      onClick={() => setIntent(which)}
    >
      {t(which)}
    </Button>
  )
  return (
    <div className={classes.actions}>
      {!optedOut && hasAddress ? button('optOut') : null}
      {optedOut && !isFinal ? button('optIn') : null}
      {button('change')}
      {undo ? (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-label={t('undoOf', name)}
          loading={busy}
          onClick={takeBack}
        >
          {t('undo')}
        </Button>
      ) : null}
      {intent ? (
        <ConsentDialog
          intent={intent}
          draftName={draftOf(intent)}
          channel={name.channel}
          basis={basis}
          onSave={record}
          onClose={() => setIntent(null)}
        />
      ) : null}
    </div>
  )
}
