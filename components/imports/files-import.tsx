'use client'
import { Button } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/forms/error-text'
import { type Refusal, send } from '@/components/forms/send'
import { Failure } from '@/components/ui/failure'
import type { FoundFile } from '@/lib/imports/import-files'
import type { Report } from '@/lib/imports/schema'
import classes from './import-report.module.css'

type State = 'idle' | 'running' | Refusal | { report: Report }

/** The statuses that the contract fixes. Any other status is the problem of the file. */
const SKIPPED: Record<string, 'missing' | 'cancelled'> = {
  'Skipped - Not Found': 'missing',
  'Skipped - Cancelled': 'cancelled',
}

/** Imports the files of the locations that exist, and shows the result of each. */
export function FilesImport({ files }: { files: readonly FoundFile[] }) {
  const t = useTranslations('client.import.predefined')
  const errors = useErrorText()
  const router = useRouter()
  const [state, setState] = useState<State>('idle')
  const running = state === 'running'
  const found = files.filter((file) => file.found).length

  async function start() {
    setState('running')
    const answer = await send<{ report: Report }>('POST', '/api/admin/import-csv')
    setState(answer.ok ? answer.data : answer)
    router.refresh()
  }

  const report = typeof state === 'object' && 'report' in state ? state.report : null
  // The report also names the files of the demo's locations.
  const details = files.flatMap(({ file }) => report?.details.find((detail) => detail.file === file) ?? [])
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
              {details.map(({ file, imported, errors, status }) => {
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
