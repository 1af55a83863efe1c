'use client'
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'

interface CoversChartProps {
  data: { hour: string; covers: number }[]
  series: string
}

/** Bars of covers by hour. */
export default function CoversChart({ data, series }: CoversChartProps) {
  return (
    <BarChart
      h={220}
      data={data}
      dataKey="hour"
      series={[{ name: 'covers', label: series, color: 'var(--accent-fill)' }]}
      // The table beside it is what keyboards and screen readers get.
      barChartProps={{ accessibilityLayer: false }}
      gridAxis="x"
      tickLine="none"
      barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false, maxBarSize: 44 }}
      yAxisProps={{ width: 36, allowDecimals: false }}
      xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 8 }}
    />
  )
}
