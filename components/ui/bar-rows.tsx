import type { CSSProperties } from 'react'
import classes from './bar-rows.module.css'
import { Legend } from './column-chart'

interface BarRowsProps {
  /** One bar a row; its parts are in the order of the series. */
  rows: readonly { id: string; label: string; values: readonly number[] }[]
  series: readonly { label: string; color: string }[]
  /** Formats a value. */
  format: (value: number) => string
  /** `share`: bars have full length, divided by the parts' shares. `count`: the length of a bar is its count. */
  scale: 'share' | 'count'
}

/** Bars beside their names, drawn by the server. The same figures belong in a table beside them. */
export function BarRows({ rows, series, format, scale }: BarRowsProps) {
  const totals = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const most = Math.max(1, ...totals)
  const longest = Math.max(...totals.map((total) => format(total).length))
  return (
    <div className={classes.root} style={{ '--longest': `${longest}ch` } as CSSProperties} aria-hidden="true">
      {rows.map(({ id, label, values }, index) => {
        const whole = scale === 'share' ? totals[index] || 1 : most
        return (
          <div key={id} className={classes.row}>
            <span className={classes.label}>{label}</span>
            <div className={classes.track}>
              {series.map(({ label: name, color }, place) => (
                <div
                  key={name}
                  className={classes.part}
                  style={{ width: `${((values[place] ?? 0) / whole) * 100}%`, background: color }}
                  title={`${label} · ${name}: ${format(values[place] ?? 0)}`}
                />
              ))}
              {scale === 'count' ? <span className={classes.value}>{format(totals[index] ?? 0)}</span> : null}
            </div>
          </div>
        )
      })}
      {series.length > 1 ? <Legend entries={series} /> : null}
    </div>
  )
}
