import { getFormatter, getNow, getTranslations } from 'next-intl/server'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { MySession } from '@/lib/account/schema'
import classes from './account.module.css'
import { EndSession, EndSessions } from './end-sessions'

/** The person's sessions, and buttons to end them. */
export async function SessionsPanel({ sessions }: { sessions: readonly MySession[] }) {
  const [t, format, now] = await Promise.all([getTranslations('account.sessions'), getFormatter(), getNow()])
  const device = ({ browser, system }: MySession) => {
    if (browser && system) return t('device', { browser, system })
    return browser ?? system ?? t('unknownDevice')
  }
  return (
    <Panel title={t('title')} flush>
      <p className={classes.intro}>{t('text')}</p>
      <DataTable caption={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('columns.device')}</th>
            <th scope="col" data-wide>
              {t('columns.place')}
            </th>
            <th scope="col" data-wide>
              {t('columns.begun')}
            </th>
            <th scope="col">{t('columns.lastSeen')}</th>
            <th scope="col">
              <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => {
            const place = session.place ?? session.network ?? t('unknownPlace')
            const begun = format.dateTime(new Date(session.created_at), 'instant')
            const lastSeen = new Date(session.last_seen_at)
            return (
              <tr key={session.id}>
                <th scope="row" className={classes.device}>
                  {device(session)} {session.current ? <Badge tone="accent">{t('current')}</Badge> : null}
                  <small data-narrow>
                    {place} · {begun}
                  </small>
                </th>
                <td data-wide>{place}</td>
                <td data-wide data-nowrap>
                  {begun}
                </td>
                <td>{format.relativeTime(lastSeen > now ? now : lastSeen, now)}</td>
                <td data-num>
                  {session.current ? null : <EndSession id={session.id} device={device(session)} />}
                </td>
              </tr>
            )
          })}
        </tbody>
      </DataTable>
      <EndSessions others={sessions.length > 1} />
    </Panel>
  )
}
