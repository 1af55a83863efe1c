'use client'
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'

interface WeekChartProps {
  data: { day: string; current: number; previous: number }[]
  current: string
  previous: string
}

/** Two bars a weekday: last week's covers and this week's. */
export default function WeekChart({ data, current, previous }: WeekChartProps) {
  return (
    <BarChart
      h={220}
      data={data}
      dataKey="day"
      series={[
        { name: 'previous', label: previous, color: 'var(--bar-before)' },
        { name: 'current', label: current, color: 'var(--accent-fill)' },
      ]}
      withLegend
      legendProps={{ verticalAlign: 'top', height: 28 }}
      // The table beside it is what keyboards and screen readers get.
      barChartProps={{ accessibilityLayer: false }}
      gridAxis="x"
      tickLine="none"
      barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false, maxBarSize: 22 }}
      yAxisProps={{ width: 36, allowDecimals: false }}
    />
  )
}
