'use client'
import { Button, CloseButton } from '@mantine/core'
import { IconDownload, IconTag } from '@tabler/icons-react'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { send } from '@/components/forms/send'
import { useToast } from '@/components/ui/toast'
import type { CustomerFilters } from '@/lib/customers/filters'
import type { CustomerCount } from '@/lib/customers/selection'
import type { Selected } from './selection'
import classes from './selection.module.css'
import { downloadChosen, downloadList } from './selection-export'

const TagDialog = dynamic(() => import('./tag-dialog'), { ssr: false })

interface SelectionBarProps {
  selected: Selected
  filters: CustomerFilters
  exportHref: string
  confirm: boolean
  /** Whether to offer selecting all matches: the whole page is selected, and the list has more pages. */
  offersAll: boolean
  onEveryone: (matching: number) => void
  onClear: () => void
}

/** The actions for the selected customers. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, filters, exportHref, confirm, offersAll, onEveryone, onClear } = props
  const t = useTranslations('client.customers.selection')
  const words = useErrorText()
  const say = useToast()
  const [busy, setBusy] = useState(false)
  const matching = useMatching(offersAll, filters)
  const [tagging, setTagging] = useState<'add' | 'remove' | null>(null)
  const { ids, everyone } = selected
  const bar = useRef<HTMLElement>(null)

  async function download() {
    setBusy(true)
    const refusal =
      everyone === null ? await downloadChosen(exportHref, [...ids]) : await downloadList(exportHref, confirm)
    setBusy(false)
    if (refusal) say({ text: words.ofRefusal(refusal), tone: 'problem' })
  }

  const count = everyone ?? ids.size
  return (
    <section ref={bar} tabIndex={-1} className={classes.bar} aria-label={t('bar')}>
      <span className={classes.count}>{t('count', { count })}</span>
      {matching?.more ? (
        <small className={classes.hint}>{t('tooManyMatch', { most: matching.customers })}</small>
      ) : null}
      {matching && !matching.more ? (
        <button
          type="button"
          className={classes.link}
          onClick={() => {
            onEveryone(matching.customers)
            // The button disappears: the focus must move.
            bar.current?.focus()
          }}
        >
          {t('everyone', { count: matching.customers })}
        </button>
      ) : null}
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<IconTag size={16} aria-hidden />}
          onClick={() => setTagging('add')}
        >
          {t('tag.add')}
        </Button>
        <Button variant="default" onClick={() => setTagging('remove')}>
          {t('tag.remove')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={busy}
          onClick={download}
        >
          {t('export')}
        </Button>
      </div>
      <CloseButton aria-label={t('clear')} title={t('clear')} onClick={onClear} />
      {tagging ? (
        <TagDialog
          action={tagging}
          count={count}
          customers={everyone === null ? { ids: [...ids] } : { filters }}
          onDone={onClear}
          onClose={() => setTagging(null)}
        />
      ) : null}
    </section>
  )
}

/** The number of customers that the filters match, loaded when `wanted`; null until it is known. */
function useMatching(wanted: boolean, filters: CustomerFilters): CustomerCount | null {
  const [matching, setMatching] = useState<CustomerCount | null>(null)
  const set = Object.entries(filters).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(set.map(([name, value]) => [name, String(value)]))
  const asked = wanted ? `/api/customers/count?${query}` : null
  useEffect(() => {
    setMatching(null)
    if (asked === null) return
    const abort = new AbortController()
    void send<CustomerCount>('GET', asked, undefined, { signal: abort.signal }).then((answer) => {
      if (answer.ok && !abort.signal.aborted) setMatching(answer.data)
    })
    return () => abort.abort()
  }, [asked])
  return matching
}
