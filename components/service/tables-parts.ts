/** What the board of tables opens, and its plan: one chunk, which loads after the tables by time. */
export { FindTable } from './find-table'
export { FloorPlan } from './floor-plan'
export { floorPlan } from './plan-model'
export { TableDoubts, TablePicker } from './table-picker'
