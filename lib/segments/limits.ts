/** Bounds of a definition; private.segment_tree has the same. Client components need only this of the schema. */
export const MAX_CONDITIONS = 50
export const MAX_DEPTH = 5

/** The classes of the condition `rfm` (private.segment_rfm): by the fifths of the group. */
export const RFM_CLASSES = ['champions', 'loyal', 'slipping', 'promising', 'cooling', 'dormant'] as const
