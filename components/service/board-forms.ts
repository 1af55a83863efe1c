/** What the board opens above its list, and its search: one chunk, which loads after the list. */
export { findParties } from '@/lib/reservations/party-search'
export { JoinWaitlist } from './join-waitlist'
export { OtherDays } from './other-days'
export { PartySheet } from './party-sheet'
export { TablePicker } from './table-picker'
export { WalkIn } from './walk-in'
