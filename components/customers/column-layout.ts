import type { Column } from './columns'

interface Layout {
  'data-num'?: true
  'data-nowrap'?: true
  'data-wide'?: true | 'md'
}

/** How a column stands in the table: numbers to the right, and on a phone only what fits. */
export const COLUMN_LAYOUT: Record<Column, Layout> = {
  contact: { 'data-wide': true },
  tier: {},
  visits: { 'data-num': true, 'data-wide': true },
  spend: { 'data-num': true },
  points: { 'data-num': true, 'data-wide': true },
  lastVisit: { 'data-wide': true, 'data-nowrap': true },
  location: { 'data-wide': 'md' },
  tags: { 'data-wide': 'md' },
  birthday: { 'data-wide': 'md', 'data-nowrap': true },
  company: { 'data-wide': 'md' },
  source: { 'data-wide': 'md' },
  created: { 'data-wide': 'md', 'data-nowrap': true },
  consent: { 'data-wide': 'md' },
}
