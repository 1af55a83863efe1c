import classes from './line-chart.module.css'

/** A line: its points from the left, one a step; it may end early. */
export interface Line {
  id: string
  label: string
  values: readonly number[]
  color: string
  /** The stroke-dasharray: shades alone are hard to tell apart. */
  dash?: string
  /** Whether the legend leaves it out. */
  quiet?: boolean
}

interface LineChartProps {
  lines: readonly Line[]
  /** How many steps the axis has, and the labels of some of them. */
  steps: number
  labels: readonly { step: number; text: string }[]
  /** Formats a value of the axis. */
  format: (value: number) => string
}

const MARKS = [0, 0.5, 1]

/** Lines drawn by the server, from 0 up. The same figures belong in a table beside them. */
export function LineChart({ lines, steps, labels, format }: LineChartProps) {
  const most = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values)))
  const x = (step: number) => (step / steps) * 100
  const y = (value: number) => 100 - (value / most) * 100
  return (
    <div className={classes.root} aria-hidden="true">
      <div className={classes.plot}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which get the table */}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {MARKS.map((mark) => (
            <line key={mark} x1="0" x2="100" y1={100 - mark * 100} y2={100 - mark * 100} />
          ))}
          {lines.map(({ id, values, color, dash }) => (
            <polyline
              key={id}
              points={values.map((value, step) => `${x(step)},${y(value)}`).join(' ')}
              style={{ stroke: color }}
              strokeDasharray={dash}
            />
          ))}
        </svg>
        {MARKS.map((mark) => (
          <span key={mark} className={classes.up} style={{ bottom: `${mark * 100}%` }}>
            {format(mark * most)}
          </span>
        ))}
        {labels.map(({ step, text }) => (
          <span key={step} className={classes.across} style={{ left: `${x(step)}%` }}>
            {text}
          </span>
        ))}
      </div>
      <ul className={classes.legend}>
        {lines
          .filter(({ quiet }) => !quiet)
          .map(({ id, label, color, dash }) => (
            <li key={id}>
              {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers */}
              <svg viewBox="0 0 22 4">
                <line x1="0" x2="22" y1="2" y2="2" style={{ stroke: color }} strokeDasharray={dash} />
              </svg>
              {label}
            </li>
          ))}
      </ul>
    </div>
  )
}

/** The end of an axis of shares: the largest one, rounded up to a tenth. */
function roundUp(share: number): number {
  return share === 0 ? 0.1 : Math.min(1, Math.ceil(share * 10) / 10)
}
