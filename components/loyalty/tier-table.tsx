import { metalOf } from '@/components/ui/metals'
import classes from './tier-table.module.css'

interface TierTableProps {
  caption: string
  /** The heading of the first column. */
  location: string
  columns: readonly string[]
  rows: readonly { id: string; name: string; cells: readonly { text: string; strong?: boolean }[] }[]
}

/** Numbers by location and tier. On a phone each location is a block, with the tiers' names at the numbers. */
export function TierTable({ caption, location, columns, rows }: TierTableProps) {
  return (
    <table className={classes.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{location}</th>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, cells }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            {cells.map(({ text, strong }, index) => (
              <td key={columns[index]} data-label={columns[index]} data-strong={strong || undefined}>
                {text}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A tier's colour: of its metal, else a shade by its rank, deeper for higher tiers. */
export function tierColor(name: string, index: number, count: number): string {
  const share = count > 1 ? 30 + Math.round((index / (count - 1)) * 70) : 100
  return metalOf(name) ?? `color-mix(in srgb, var(--ink) ${share}%, var(--surface))`
}
