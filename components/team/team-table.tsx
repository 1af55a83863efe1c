import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DataTable } from '@/components/ui/data-table'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import type { Role } from '@/lib/permissions'
import classes from './team.module.css'

interface Row {
  id: string
  email: string
  full_name: string | null
  /** null: none that a person can have. */
  role: Role | null
  location_ids: readonly string[]
  /** Only for members: the number of locations that the viewer does not see. */
  all_locations?: boolean
}

interface TeamTableProps<T extends Row> {
  caption: string
  rows: readonly T[]
  /** Names of locations by their id. */
  locations: ReadonlyMap<string, string>
  /** A note under the person's name. */
  note?: (row: T) => ReactNode
  /** Buttons or a note at the end of a row. */
  end: (row: T) => ReactNode
}

/** Members or invitations: name, role and locations. */
export function TeamTable<T extends Row>({ caption, rows, locations, note, end }: TeamTableProps<T>) {
  const t = useTranslations('settings.team')
  const roles = useTranslations('roles')
  return (
    <DataTable caption={caption}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col" data-wide>
            {t('columns.role')}
          </th>
          <th scope="col" data-wide>
            {t('columns.locations')}
          </th>
          <th scope="col">
            <VisuallyHidden>{t('columns.actions')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const named = row.location_ids.flatMap((id) => locations.get(id) ?? [])
          const everywhere = row.all_locations ?? row.location_ids.length === 0
          const role = row.role ? roles(row.role) : t('noRole')
          const where = everywhere ? t('allLocations') : named.join(', ') || t('otherLocations')
          return (
            <tr key={row.id}>
              <th scope="row" className={classes.name}>
                {row.full_name ?? row.email}
                {row.full_name ? <small>{row.email}</small> : null}
                {note ? <small>{note(row)}</small> : null}
                <small data-narrow>
                  {role} · {where}
                </small>
              </th>
              <td data-wide>{role}</td>
              <td data-wide>{where}</td>
              <td data-num>{end(row)}</td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
