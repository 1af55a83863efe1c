import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { DataTable } from '@/components/ui/data-table'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { ApiToken } from '@/lib/tokens/schema'
import classes from './tokens.module.css'

interface TokensTableProps {
  rows: readonly ApiToken[]
  now: Date
  /** Names of locations by their id. */
  locations: ReadonlyMap<string, string>
  /** The button at the end of an active token's row. */
  end: (row: ApiToken) => ReactNode
}

/** The API tokens: name, permissions, locations, expiry and last use. */
export function TokensTable({ rows, now, locations, end }: TokensTableProps) {
  const t = useTranslations('settings.tokens')
  const format = useFormatter()
  const day = (instant: string) => format.dateTime(new Date(instant), 'instantDate')
  return (
    <DataTable caption={t('list')}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col" data-wide>
            {t('columns.permissions')}
          </th>
          <th scope="col" data-wide>
            {t('columns.locations')}
          </th>
          <th scope="col" data-wide>
            {t('columns.state')}
          </th>
          <th scope="col">
            <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const named = row.location_ids.flatMap((id) => locations.get(id) ?? [])
          const everywhere = row.location_ids.length === 0
          const where = everywhere ? t('allLocations') : named.join(', ') || t('otherLocations')
          const allowed = row.permissions.map((permission) => t(`permissions.${permission}`)).join(', ')
          const isExpired = new Date(row.expires_at) <= now
          const state = row.revoked_at ? (
            <Badge tone="neutral">{t('revoked')}</Badge>
          ) : isExpired ? (
            <Badge tone="amber">{t('expired')}</Badge>
          ) : (
            t('expires', { at: day(row.expires_at) })
          )
          const used = row.last_used_at
            ? t('used', { at: format.dateTime(new Date(row.last_used_at), 'instant') })
            : t('neverUsed')
          return (
            <tr key={row.id}>
              <th scope="row" className={classes.name}>
                {row.name}
                <small>
                  <code>{row.prefix}…</code>
                </small>
                <small>{t('createdBy', { name: row.created_by })}</small>
                <small data-narrow>
                  {allowed} · {where} · {state} · {used}
                </small>
              </th>
              <td data-wide>{allowed}</td>
              <td data-wide>{where}</td>
              <td data-wide className={classes.state}>
                {state}
                <small>{used}</small>
              </td>
              <td data-num>{row.revoked_at ? null : end(row)}</td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
