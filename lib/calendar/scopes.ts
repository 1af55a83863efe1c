/** Which events of a series a change or deletion is about: only this one, this and the following, or all of them. */
export const SCOPES = ['one', 'following', 'all'] as const
export type Scope = (typeof SCOPES)[number]
