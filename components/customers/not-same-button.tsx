'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useToast } from '@/components/ui/toast'
import classes from './duplicate-group.module.css'

const PATH = '/api/customers/duplicates/different'

interface VerdictProps {
  customerId: string
  otherIds: readonly string[]
  children: ReactNode
}

/** Marks a customer as another person than the rest of the group. It can be undone for ten seconds. */
export function NotSameButton(props: VerdictProps) {
  const t = useTranslations('client.merge')
  const say = useToast()
  const judge = useJudge(props)
  return (
    <VerdictButton
      onPress={async () => {
        if (!(await judge.send(true))) return
        const undo = () => void judge.send(false).then((done) => done && say(t('apart.undone')))
        say({ text: t('apart.done'), action: { label: t('apart.undo'), run: undo } })
      }}
    >
      {props.children}
    </VerdictButton>
  )
}

/** Removes that mark: the two are suggested as duplicates again. */
export function SameAgainButton(props: VerdictProps) {
  const t = useTranslations('client.merge')
  const say = useToast()
  const judge = useJudge(props)
  return (
    <VerdictButton onPress={async () => void ((await judge.send(false)) && say(t('apart.restored')))}>
      {props.children}
    </VerdictButton>
  )
}

function VerdictButton({ onPress, children }: { onPress: () => Promise<void>; children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  return (
    <button
      type="button"
      className={classes.verdict}
      disabled={busy}
      onClick={async () => {
        setBusy(true)
        await onPress()
        setBusy(false)
      }}
    >
      {children}
    </button>
  )
}

function useJudge({ customerId, otherIds }: Omit<VerdictProps, 'children'>) {
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  return {
    /** Resolves to true when it was saved; otherwise a toast shows the reason. */
    send: async (different: boolean): Promise<boolean> => {
      const body = { customer_id: customerId, other_ids: otherIds, different }
      const answer = await send('PUT', PATH, body)
      if (answer.ok) router.refresh()
      else say({ text: words.ofRefusal(answer), tone: 'problem' })
      return answer.ok
    },
  }
}
