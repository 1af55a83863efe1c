/** One line of the table. `bound` is the most it may be, `least` the least; without them the figure is for information. */
export interface Figure {
  name: string
  measured: number
  unit: 's' | 'ms' | '/s' | 'MB' | '×' | 'versions' | 'share' | 'pairs' | 'faults' | 'calls'
  bound?: number
  least?: number
  /** What the figure was made of. */
  detail?: string
}

/** Whether the bounds are kept. */
export function isWithin({ measured, bound, least }: Figure): boolean {
  return (bound === undefined || measured <= bound) && (least === undefined || measured >= least)
}

function limitOf({ bound, least, unit }: Figure): string | undefined {
  if (bound !== undefined && least !== undefined) return `${least} to ${bound} ${unit}`
  if (bound !== undefined) return `≤ ${bound} ${unit}`
  return least === undefined ? undefined : `≥ ${least} ${unit}`
}

const DECIMALS = {
  s: 2,
  ms: 0,
  '/s': 0,
  '×': 2,
  share: 4,
  MB: 0,
  versions: 0,
  pairs: 0,
  faults: 0,
  calls: 0,
} satisfies Record<Figure['unit'], number>

/** The figures as aligned text. */
export function figureTable(figures: readonly Figure[]): string {
  const head = ['figure', 'bound', 'measured', 'ok', 'made of']
  const lines = figures.map((figure) => [
    figure.name,
    limitOf(figure) ?? '–',
    `${figure.measured.toFixed(DECIMALS[figure.unit])} ${figure.unit}`,
    limitOf(figure) === undefined ? '–' : isWithin(figure) ? 'yes' : 'NO',
    figure.detail ?? '',
  ])
  const rows = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const text = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [text[0], widths.map((width) => '─'.repeat(width)).join('  '), ...text.slice(1)]
    .map((line) => line?.trimEnd())
    .join('\n')
}

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}

/** `1.23 s` of milliseconds. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
