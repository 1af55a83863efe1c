'use client'
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'

interface DistributionChartProps {
  rows: Record<string, string | number>[]
  series: { name: string; label: string; color: string }[]
}

const ROW_PX = 40
const AXIS_PX = 80

/** A bar a location, cut into its tiers. */
export default function DistributionChart({ rows, series }: DistributionChartProps) {
  return (
    <BarChart
      h={rows.length * ROW_PX + AXIS_PX}
      data={rows}
      dataKey="location"
      type="percent"
      orientation="vertical"
      series={series}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      tickLine="none"
      // The table beside it is what keyboards and screen readers get.
      barChartProps={{ accessibilityLayer: false }}
      gridAxis="none"
      barProps={{ isAnimationActive: false, maxBarSize: 22 }}
      yAxisProps={{ width: 120 }}
    />
  )
}
