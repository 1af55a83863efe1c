import { getFormatter, getNow, getTranslations } from 'next-intl/server'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { PersonSession } from '@/lib/auth/session'
import { myPush } from '@/lib/push/devices'
import type { PushDevice } from '@/lib/push/schema'
import classes from './account.module.css'
import { PushDeviceActions } from './push-device-actions'
import { PushHere } from './push-here'

/** Push notices: the choices for this device, and the list of devices. For people who may read reservations. */
export async function PushPanel({ session }: { session: PersonSession }) {
  if (!session.can('canAccessOperaciones')) return null
  const [{ public_key, devices }, t] = await Promise.all([myPush(session), getTranslations('account.push')])
  if (public_key === null)
    return (
      <Panel title={t('title')}>
        <p className={classes.text}>{t('notSetUp')}</p>
      </Panel>
    )
  const chosen = devices.find(({ current }) => current)?.kinds ?? null
  return (
    <Panel title={t('title')} flush>
      <p className={classes.intro}>{t('intro')}</p>
      <PushHere publicKey={public_key} chosen={chosen} />
      {devices.length > 0 ? <Devices devices={devices} /> : <p className={classes.intro}>{t('none')}</p>}
    </Panel>
  )
}

async function Devices({ devices }: { devices: readonly PushDevice[] }) {
  const [t, format, now] = await Promise.all([getTranslations('account.push'), getFormatter(), getNow()])
  const named = ({ browser, system }: PushDevice) =>
    browser && system ? t('device', { browser, system }) : (browser ?? system ?? t('unknownDevice'))
  const lastOf = ({ last_success_at: at }: PushDevice) => {
    if (at === null) return t('never')
    const last = new Date(at)
    return t('lastSuccess', { when: format.relativeTime(last > now ? now : last, now) })
  }
  return (
    <DataTable caption={t('devices')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.device')}</th>
          <th scope="col" data-wide>
            {t('columns.kinds')}
          </th>
          <th scope="col">
            <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {devices.map((device) => {
          const kinds = device.kinds.map((kind) => t(`kinds.${kind}`)).join(' · ') || t('nothing')
          return (
            <tr key={device.id}>
              <th scope="row" className={classes.device}>
                {named(device)} {device.current ? <Badge tone="accent">{t('current')}</Badge> : null}
                <small>{lastOf(device)}</small>
                <small data-narrow>{kinds}</small>
              </th>
              <td data-wide>{kinds}</td>
              <td data-num>
                <PushDeviceActions id={device.id} device={named(device)} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
