import type { Row } from '../row'
import { accountRows } from './account'
import { adminRows } from './admin'
import { assistantRows } from './assistant'
import { automationRunRows } from './automation-runs'
import { automationRows } from './automations'
import { calendarRows } from './calendar'
import { campaignRows } from './campaigns'
import { conversationRows } from './conversations'
import { cronRows } from './cron'
import { duplicateRows } from './customer-duplicates'
import { factRows } from './customer-facts'
import { matchRows } from './customer-matches'
import { mergeRows } from './customer-merges'
import { pairRows } from './customer-pairs'
import { pointRows } from './customer-points'
import { selectionRows } from './customer-selection'
import { customerRows } from './customers'
import { deliveryRows } from './delivery'
import { emailDesignRows } from './email-designs'
import { feedbackRows } from './feedback'
import { guestCardRows } from './guest-cards'
import { importRows } from './imports'
import { joiningRows } from './joining'
import { limitRows } from './limits'
import { locationSetupRows } from './location-setup'
import { loyaltyRows } from './loyalty'
import { messageRows } from './messages'
import { morningRows } from './morning'
import { overviewRows } from './overview'
import { ownAccountRows } from './own-account'
import { placeRows } from './places'
import { publicRows } from './public'
import { pushRows } from './push'
import { reportRows } from './reports'
import { reservationRows } from './reservations'
import { segmentRows } from './segments'
import { serviceRows } from './service'
import { serviceModeRows } from './service-mode'
import { settingsRows } from './settings'
import { setupRows } from './setup'
import { teamRows } from './team'
import { ticketRows } from './tickets'
import { tokenRows } from './tokens'
import { waitlistRows } from './waitlist'
import { wrapperRows } from './wrapper'

/** Every documented answer of the API. */
export const ROWS: Row[] = [
  ...serviceRows,
  ...accountRows,
  ...cronRows,
  ...loyaltyRows,
  ...ownAccountRows,
  ...pushRows,
  ...adminRows,
  ...customerRows,
  ...selectionRows,
  ...segmentRows,
  ...campaignRows,
  ...emailDesignRows,
  ...duplicateRows,
  ...mergeRows,
  ...matchRows,
  ...pairRows,
  ...factRows,
  ...feedbackRows,
  ...conversationRows,
  ...guestCardRows,
  ...pointRows,
  ...reservationRows,
  ...serviceModeRows,
  ...waitlistRows,
  ...morningRows,
  ...automationRows,
  ...automationRunRows,
  ...deliveryRows,
  ...messageRows,
  ...calendarRows,
  ...ticketRows,
  ...placeRows,
  ...locationSetupRows,
  ...settingsRows,
  ...overviewRows,
  ...reportRows,
  ...teamRows,
  ...joiningRows,
  ...setupRows,
  ...tokenRows,
  ...importRows,
  ...assistantRows,
  ...publicRows,
  ...limitRows,
  ...wrapperRows,
]
