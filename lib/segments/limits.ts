/** Bounds of a definition; private.segment_tree has the same. Client components need only this of the schema. */
export const MAX_CONDITIONS = 50
export const MAX_DEPTH = 5
