'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import type { Report } from '@/lib/imports/schema'
import classes from './import-report.module.css'

type State = 'idle' | 'running' | Refusal | { report: Report }

/** The statuses that the contract fixes. Any other status is the problem of the file. */
const SKIPPED: Record<string, 'missing' | 'unknownLocation' | 'cancelled'> = {
  'Skipped - Not Found': 'missing',
  'Skipped - Unknown Location': 'unknownLocation',
  'Skipped - Cancelled': 'cancelled',
}

/** Imports the predefined files that exist, and shows the result of each. */
export function FilesImport({ found }: { found: number }) {
  const t = useTranslations('client.import.predefined')
  const errors = useErrorText()
  const router = useRouter()
  const [state, setState] = useState<State>('idle')
  const running = state === 'running'

  async function start() {
    setState('running')
    const answer = await send<{ report: Report }>('POST', '/api/admin/import-csv')
    setState(answer.ok ? answer.data : answer)
    router.refresh()
  }

  const report = typeof state === 'object' && 'report' in state ? state.report : null
  const refusal = typeof state === 'object' && 'ok' in state ? state : null
  const failure =
    refusal && (refusal.code ? errors.ofRefusal(refusal, { INTERNAL_ERROR: t('failed') }) : t('failed'))
  return (
    <>
      <Button variant="default" onClick={start} disabled={running || found === 0}>
        {running ? t('running') : found > 0 ? t('start', { count: found }) : t('none')}
      </Button>
      <Failure text={failure} />
      <div role="status">
        {report ? (
          <div className={classes.report}>
            <h3 className={classes.title}>{t('done')}</h3>
            <ul className={classes.errors}>
              {report.details.map(({ file, imported, errors, status }) => {
                const why = status && (SKIPPED[status] ?? 'unreadable')
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
