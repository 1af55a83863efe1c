/** What the board opens above its list: one chunk, which loads after the list. */
export { JoinWaitlist } from './join-waitlist'
export { PartySheet } from './party-sheet'
export { TablePicker } from './table-picker'
export { WalkIn } from './walk-in'
