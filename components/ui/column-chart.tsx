import classes from './column-chart.module.css'

// More labels than this do not fit side by side on a phone.
const MANY = 8
const HATCH = 'repeating-linear-gradient(135deg, var(--line) 0 2px, transparent 2px 5px)'

interface ColumnChartProps {
  /** Groups of columns, with a value for each series; null where there is no data. `planned`: the last is still to come. */
  groups: readonly { label: string; values: readonly (number | null)[]; planned?: boolean }[]
  series: readonly { label: string; color: string }[]
  /** Formats a value, for the label above its column. */
  format: (value: number) => string
  /** The label of a missing value, in the legend and above its mark. */
  missing?: string
  /** The label of columns that are still to come. */
  planned?: string
}

/** Columns drawn by the server: a page needs no JavaScript for them. The same figures belong in a table beside it. */
export function ColumnChart({ groups, series, format, missing = '', planned = '' }: ColumnChartProps) {
  const most = Math.max(1, ...groups.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const gaps = groups.some(({ values }) => values.includes(null))
  const last = series.at(-1)
  const entries = [
    ...series,
    ...(last && groups.some((group) => group.planned) ? [{ ...last, label: planned, outlined: true }] : []),
    ...(gaps ? [{ label: missing, color: HATCH }] : []),
  ]
  return (
    <div className={classes.root} aria-hidden="true">
      {entries.length > 1 ? <Legend entries={entries} /> : null}
      <div className={classes.plot} data-many={groups.length > MANY || undefined}>
        {groups.map(({ label, values, planned: isPlanned }) => (
          <div key={label} className={classes.group}>
            <div className={classes.columns}>
              {series.map(({ label: name, color }, index) => (
                <div
                  key={name}
                  className={classes.column}
                  title={`${label} · ${name}: ${values[index] === null ? missing : format(values[index] ?? 0)}`}
                >
                  <span className={classes.value}>{values[index] ? format(values[index]) : ''}</span>
                  <div
                    className={classes.bar}
                    style={
                      values[index] === null
                        ? { height: '10px', background: HATCH }
                        : {
                            height: `${((values[index] ?? 0) / most) * 100}%`,
                            ...fill(color, isPlanned && index === series.length - 1),
                          }
                    }
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

/** What is still to come is drawn as an outline. */
const fill = (color: string, outlined = false) =>
  outlined ? { boxShadow: `inset 0 0 0 2px ${color}` } : { background: color }

/** The legend: the colour of each series. */
export function Legend({
  entries,
}: {
  entries: readonly { label: string; color: string; outlined?: boolean }[]
}) {
  return (
    <ul className={classes.legend}>
      {entries.map(({ label, color, outlined }) => (
        <li key={label} className={classes.entry}>
          <span className={classes.mark} style={fill(color, outlined)} />
          {label}
        </li>
      ))}
    </ul>
  )
}
