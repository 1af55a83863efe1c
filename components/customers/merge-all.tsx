'use client'
import { Button, NativeSelect } from '@mantine/core'
import { IconArrowsJoin } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Answer, send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import { FormActions } from '@/components/ui/form-layout'
import { useToast } from '@/components/ui/toast'
import { readableEmail } from '@/lib/contact/readable-email'
import { personName } from '@/lib/customers/person-name'
import type { Customer } from '@/lib/customers/schema'
import classes from './likeness.module.css'

const Dialog = dynamic(() => import('@/components/ui/dialog').then((m) => m.Dialog), { ssr: false })

const PATH = '/api/customers/duplicates'
const LEVELS = {
  certain: { above: 0.9, certain: true },
  '99': { above: 0.99, certain: false },
  '95': { above: 0.95, certain: false },
} as const
type Level = keyof typeof LEVELS
const isLevel = (value: string | null): value is Level => value !== null && value in LEVELS

interface Preview {
  pairs: number
  more: boolean
  groups: { customers: Customer[] }[]
}

/**
 * Merges all duplicates above a confidence. Shows the number and the first groups, then merges step by step until it
 * is done or stopped.
 */
export function MergeAll() {
  const t = useTranslations('client.merge.all')
  const words = useErrorText()
  const say = useToast()
  const router = useRouter()
  const [level, setLevel] = useState<Level | null>(null)
  const [preview, setPreview] = useState<Preview | null>(null)
  const [merged, setMerged] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const asked = useRef<Level | null>(null)
  const stopped = useRef(false)

  async function look(wanted: Level) {
    asked.current = wanted
    setLevel(wanted)
    setPreview(null)
    setFailure(null)
    const query = new URLSearchParams({
      above: String(LEVELS[wanted].above),
      certain: String(LEVELS[wanted].certain),
    })
    const [count, groups] = await Promise.all([
      send<Omit<Preview, 'groups'>>('GET', `${PATH}/merge?${query}`),
      send<Preview['groups']>('GET', `${PATH}?limit=5&${query}`),
    ])
    // Another confidence was chosen in the meantime.
    if (asked.current !== wanted) return
    if (!count.ok) setFailure(words.ofRefusal(count))
    else if (!groups.ok) setFailure(words.ofRefusal(groups))
    else setPreview({ ...count.data, groups: groups.data })
  }

  async function mergeAll(wanted: Level) {
    stopped.current = false
    setFailure(null)
    let total = 0
    let cursor: string | null = null
    setMerged(0)
    do {
      const body: object = { ...LEVELS[wanted], ...(cursor ? { cursor } : {}) }
      const step: Answer<{ merged: number; next_cursor: string | null }> = await send(
        'POST',
        `${PATH}/merge`,
        body,
      )
      if (!step.ok) {
        setFailure(words.ofRefusal(step))
        break
      }
      total += step.data.merged
      cursor = step.data.next_cursor
      setMerged(total)
    } while (cursor && !stopped.current)
    setMerged(null)
    router.refresh()
    if (cursor && !stopped.current) return
    say(t(cursor ? 'stopped' : 'done', { merged: total }))
    close()
  }

  function close() {
    asked.current = null
    stopped.current = true
    setLevel(null)
  }

  const busy = merged !== null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowsJoin size={16} aria-hidden />}
        onClick={() => void look('certain')}
      >
        {t('open')}
      </Button>
      {level ? (
        <Dialog title={t('title')} onClose={close}>
          <p>{t('text')}</p>
          <NativeSelect
            label={t('level')}
            data={Object.keys(LEVELS).map((value) => ({ value, label: t(`levels.${value as Level}`) }))}
            value={level}
            disabled={busy}
            onChange={({ currentTarget: { value } }) => isLevel(value) && void look(value)}
          />
          <p role="status">
            {busy
              ? t('progress', { merged })
              : preview
                ? t('count', { pairs: preview.pairs, more: String(preview.more) })
                : failure
                  ? null
                  : t('asking')}
          </p>
          {preview && preview.groups.length > 0 && !busy ? (
            <>
              <p>{t('list')}</p>
              <ul className={classes.evidence}>
                {preview.groups.map(({ customers }) => (
                  <li key={customers[0]?.id}>{customers.map(shortName).join(' · ')}</li>
                ))}
              </ul>
            </>
          ) : null}
          <Failure text={failure} />
          <FormActions>
            {busy ? (
              <Button
                variant="default"
                onClick={() => {
                  stopped.current = true
                }}
              >
                {t('stop')}
              </Button>
            ) : (
              <Button variant="default" onClick={close} data-autofocus>
                {t('close')}
              </Button>
            )}
            <Button
              color="red"
              loading={busy}
              disabled={!preview || preview.pairs === 0}
              onClick={() => void mergeAll(level)}
            >
              {t('confirm')}
            </Button>
          </FormActions>
        </Dialog>
      ) : null}
    </>
  )
}

const shortName = (customer: Customer): string =>
  personName(customer) ?? (customer.email && readableEmail(customer.email)) ?? customer.phone ?? '–'
