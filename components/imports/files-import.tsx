'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { send } from '@/components/settings/send'
import { Failure } from '@/components/ui/failure'
import type { Report } from '@/lib/imports/schema'
import classes from './import-report.module.css'

type State = 'idle' | 'running' | 'tooMany' | 'failed' | Report

const SKIPPED = [
  [/Not Found/, 'missing'],
  [/Unknown Location/, 'unknownLocation'],
  [/Cancelled/, 'cancelled'],
  [/./, 'unreadable'],
] as const

/** Imports the predefined files that are there, and says what came of each. */
export function FilesImport({ found }: { found: number }) {
  const t = useTranslations('client.import.predefined')
  const router = useRouter()
  const [state, setState] = useState<State>('idle')
  const running = state === 'running'

  async function start() {
    setState('running')
    const answer = await send<{ report: Report }>('POST', '/api/admin/import-csv')
    setState(answer.ok ? answer.data.report : answer.status === 429 ? 'tooMany' : 'failed')
    router.refresh()
  }

  return (
    <>
      <Button variant="default" onClick={start} disabled={running || found === 0}>
        {running ? t('running') : found > 0 ? t('start', { count: found }) : t('none')}
      </Button>
      <Failure text={state === 'tooMany' || state === 'failed' ? t(state) : null} />
      <div role="status">
        {typeof state === 'object' ? (
          <div className={classes.report}>
            <h3 className={classes.title}>{t('done')}</h3>
            <ul className={classes.errors}>
              {state.details.map(({ file, imported, errors, status }) => {
                const why = SKIPPED.find(([text]) => text.test(status ?? ''))?.[1]
                return (
                  <li key={file}>
                    <strong>{file}</strong>: {why ? t(why) : t('imported', { imported, errors })}
                  </li>
                )
              })}
            </ul>
          </div>
        ) : null}
      </div>
    </>
  )
}
