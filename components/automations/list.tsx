import { IconPlus } from '@tabler/icons-react'
import { useFormatter, useTranslations } from 'next-intl'
import { BrokenMark } from '@/components/ui/broken'
import { DataTable } from '@/components/ui/data-table'
import { FilterControl } from '@/components/ui/filter-control'
import { Link } from '@/components/ui/link'
import { LinkButton } from '@/components/ui/link-button'
import { Money } from '@/components/ui/money'
import { automationsPage } from '@/lib/automations/filters'
import type { AutomationOverview } from '@/lib/automations/results'
import { AUTOMATION_STATUSES, type Automation } from '@/lib/automations/schema'
import { AUTOMATION_TYPES } from '@/lib/automations/types'
import { StatusSwitch } from './actions'
import classes from './automations.module.css'

interface AutomationsTableProps {
  automations: readonly Automation[]
  /** The results of each automation, by its id. */
  overview: ReadonlyMap<string, AutomationOverview>
}

/** The automations with their results, and a switch for each. */
export function AutomationsTable({ automations, overview }: AutomationsTableProps) {
  const t = useTranslations('automations')
  const types = useTranslations('client.automations.types')
  const format = useFormatter()
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col" data-wide="md">
            {t('columns.channel')}
          </th>
          <th scope="col" data-wide>
            {t('columns.lastRun')}
          </th>
          <th scope="col" data-num data-wide>
            {t('columns.sent')}
          </th>
          <th scope="col" data-num data-wide="md">
            {t('columns.delivered')}
          </th>
          <th scope="col" data-num data-wide>
            {t('columns.reservations')}
          </th>
          <th scope="col" data-num data-wide="md">
            {t('columns.covers')}
          </th>
          <th scope="col" data-num data-wide>
            {t('columns.revenue')}
          </th>
          <th scope="col">{t('columns.status')}</th>
        </tr>
      </thead>
      <tbody>
        {automations.map((automation) => {
          const { id, name, type, status, broken } = automation
          const found = overview.get(id)
          const { messages, reservations = 0, covers = 0, last_run } = found ?? {}
          const money = <Money value={found?.revenue ?? 0} estimate={(found?.estimated_revenue ?? 0) > 0} />
          const sent = messages?.sent ?? 0
          const simulated = messages?.simulated ?? 0
          return (
            <tr key={id}>
              <th scope="row">
                <Link href={`/automations/${id}`} prefetch={false}>
                  {name}
                </Link>
                {broken ? <BrokenMark /> : null}
                <small className={classes.type}>{types(type)}</small>
                <small data-narrow>
                  {t('narrow', { sent, reservations })}
                  {' · '}
                  {money}
                </small>
                {simulated > 0 ? (
                  <small className={classes.type}>{t('simulated', { count: simulated })}</small>
                ) : null}
              </th>
              <td data-wide="md">
                <ChannelNames automation={automation} />
              </td>
              <td data-wide data-nowrap>
                {last_run ? format.dateTime(new Date(last_run.started_at), 'instant') : t('never')}
              </td>
              <td data-num data-wide>
                {format.number(sent)}
              </td>
              <td data-num data-wide="md">
                {format.number(messages?.delivered ?? 0)}
              </td>
              <td data-num data-wide>
                {format.number(reservations)}
              </td>
              <td data-num data-wide="md">
                {format.number(covers)}
              </td>
              <td data-num data-wide>
                {money}
              </td>
              <td>
                <StatusSwitch id={id} name={name} active={status === 'active'} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}

/** The filters of the list of automations. */
export function AutomationFilters({ type, status }: ReturnType<typeof automationsPage.read>) {
  const t = useTranslations('automations.filter')
  const types = useTranslations('client.automations.types')
  return (
    <FilterControl
      without={(gone) => automationsPage.href({ type, status, ...gone })}
      filters={[
        {
          name: 'type',
          label: t('type'),
          value: type ?? '',
          any: t('allTypes'),
          options: AUTOMATION_TYPES.map((value) => ({ value, label: types(value) })),
        },
        {
          name: 'status',
          label: t('status'),
          value: status ?? '',
          any: t('allStatuses'),
          options: AUTOMATION_STATUSES.map((value) => ({ value, label: t(value) })),
        },
      ]}
    />
  )
}

/** The link to a new automation, as the page's main button. */
export function NewLink({ text }: { text: string }) {
  return (
    <LinkButton href="/automations/new" main>
      <IconPlus size={16} aria-hidden />
      {text}
    </LinkButton>
  )
}

/** An automation's channel and its fallback. */
export function ChannelNames({
  automation: { channel, fallback_channel },
}: {
  automation: Pick<Automation, 'channel' | 'fallback_channel'>
}) {
  const t = useTranslations('automations')
  const names = useTranslations('client.automations.channels')
  return fallback_channel
    ? t('withFallback', { channel: names(channel), fallback: names(fallback_channel) })
    : names(channel)
}
