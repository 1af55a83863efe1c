/** The events of a series that a change or deletion affects: only this one, this and the following, or all. */
export const SCOPES = ['one', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]
