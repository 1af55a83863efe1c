/**
 * By a guest's own rhythm (private.rhythm_state). Everyone who has come is exactly one of `unknown` (on fewer than three
 * days), `on_time`, `at_risk` and `lost`; `overdue` (away for longer than usual) overlaps with the last three.
 */
export const RHYTHM_STATES = ['on_time', 'overdue', 'at_risk', 'lost', 'unknown'] as const
