import classes from './column-chart.module.css'
import { Legend } from './legend'

// More labels than this do not fit beside each other on a phone.
const MANY = 8

interface ColumnChartProps {
  /** A group of columns each, with a value for each of the series. */
  groups: readonly { label: string; values: readonly number[] }[]
  series: readonly { label: string; color: string }[]
  /** Puts a value into words, for above its column. */
  format: (value: number) => string
}

/** Columns drawn by the server: a page needs no JavaScript for them. The same figures belong in a table beside it. */
export function ColumnChart({ groups, series, format }: ColumnChartProps) {
  const most = Math.max(1, ...groups.flatMap(({ values }) => values))
  return (
    <div className={classes.root} aria-hidden="true">
      {series.length > 1 ? <Legend entries={series} /> : null}
      <div className={classes.plot} data-many={groups.length > MANY || undefined}>
        {groups.map(({ label, values }) => (
          <div key={label} className={classes.group}>
            <div className={classes.columns}>
              {series.map(({ label: name, color }, index) => (
                <div
                  key={name}
                  className={classes.column}
                  title={`${label} · ${name}: ${format(values[index] ?? 0)}`}
                >
                  <span className={classes.value}>{values[index] ? format(values[index]) : ''}</span>
                  <div
                    className={classes.bar}
                    style={{ height: `${((values[index] ?? 0) / most) * 100}%`, background: color }}
                  />
                </div>
              ))}
            </div>
            <span className={classes.label}>{label}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
