'use client'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Failure } from '@/components/ui/failure'
import { useToast } from '@/components/ui/toast'
import { type FactCode, kindOf } from '@/lib/customers/fact-codes'
import type { CustomerFacts } from '@/lib/customers/facts-schema'
import classes from './facts-strip.module.css'
import { useSaveFacts } from './use-save-facts'

const FactsForm = dynamic(() => import('./facts-form'), { ssr: false })

interface FactsStripProps extends CustomerFacts {
  customerId: string
}

/**
 * The facts a restaurant must know about a customer, allergies first. Facts that the notes suggest are shown apart as
 * questions; one click records a suggestion, and another removes it.
 */
export function FactsStrip({ customerId, facts, suggested }: FactsStripProps) {
  const t = useTranslations('client.customerFacts')
  const names = useTranslations('client.facts')
  const say = useToast()
  const router = useRouter()
  const { save, busy, failure } = useSaveFacts(customerId)
  const [open, setOpen] = useState(false)
  const [pressed, setPressed] = useState<FactCode | null>(null)
  const [confirmed, setConfirmed] = useState<FactCode | null>(null)

  async function confirm(code: FactCode) {
    setPressed(code)
    if (!(await save([], [{ code, note: null }]))) return
    setConfirmed(code)
    say(t('recorded', { name: names(code) }))
    router.refresh()
  }

  async function takeBack(code: FactCode) {
    setPressed(null)
    if (!(await save([{ code, note: null }], []))) return
    setConfirmed(null)
    say(t('undone', { name: names(code) }))
    router.refresh()
  }

  return (
    <section aria-label={t('title')} className={classes.strip}>
      <div className={classes.known}>
        {facts.some(({ kind }) => kind === 'allergy') ? null : <p className={classes.none}>{t('none')}</p>}
        {facts.length > 0 ? (
          <ul className={classes.facts}>
            {facts.map(({ code, kind, note }) => (
              <li key={code} className={classes.fact} data-kind={kind}>
                <strong>{kind === 'allergy' ? t('allergy', { name: names(code) }) : names(code)}</strong>
                {note ? <span className={classes.note}> · {note}</span> : null}
              </li>
            ))}
          </ul>
        ) : null}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPencil size={15} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('edit')}
        </Button>
      </div>
      {suggested.length > 0 || confirmed ? (
        <div className={classes.suggestions}>
          {suggested.length > 0 ? <p className={classes.source}>{t('suggestions')}</p> : null}
          {suggested.map((code) => (
            <Button
              key={code}
              variant="outline"
              size="compact-sm"
              className={classes.suggestion}
              loading={busy && pressed === code}
              disabled={busy && pressed !== code}
              onClick={() => confirm(code)}
            >
              {t(`suggest.${kindOf(code)}`, { name: names(code) })}
            </Button>
          ))}
          {confirmed ? (
            <Button
              key={`undo ${confirmed}`}
              variant="subtle"
              size="compact-sm"
              // The clicked suggestion disappears: the focus moves to its undo button.
              autoFocus
              loading={busy && pressed === null}
              onClick={() => takeBack(confirmed)}
            >
              {t('undo')}
            </Button>
          ) : null}
        </div>
      ) : null}
      <Failure text={failure} />
      {open ? (
        <FactsForm
          customerId={customerId}
          facts={facts}
          suggested={suggested}
          onSaved={() => {
            setConfirmed(null)
            say(t('saved'))
            router.refresh()
          }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  )
}
