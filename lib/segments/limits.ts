// Apart from the schema, so that client components do not load zod. private.segment_tree repeats these limits.

export const MAX_CONDITIONS = 50
export const MAX_DEPTH = 5

/** The classes of the condition `rfm` (private.segment_rfm): by the fifths of the group. */
export const RFM_CLASSES = ['champions', 'loyal', 'slipping', 'promising', 'cooling', 'dormant'] as const
