'use client'
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'

interface FunnelChartProps {
  data: { step: string; count: number }[]
  series: string
}

/** Horizontal bars, one a step from the message to the table. */
export default function FunnelChart({ data, series }: FunnelChartProps) {
  return (
    <BarChart
      h={180}
      data={data}
      dataKey="step"
      orientation="vertical"
      series={[{ name: 'count', label: series, color: 'var(--accent-fill)' }]}
      gridAxis="none"
      tickLine="none"
      // The table beside it is what keyboards and screen readers get.
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ radius: [0, 4, 4, 0], isAnimationActive: false, maxBarSize: 26 }}
      yAxisProps={{ width: 130 }}
      xAxisProps={{
        allowDecimals: false,
        hide: true,
        domain: [0, (most: number) => Math.max(1, most * 1.12)],
      }}
    />
  )
}
