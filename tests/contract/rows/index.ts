import type { Row } from '../row'
import { accountRows } from './account'
import { adminRows } from './admin'
import { assistantRows } from './assistant'
import { automationRows } from './automations'
import { calendarRows } from './calendar'
import { cronRows } from './cron'
import { customerRows } from './customers'
import { deliveryRows } from './delivery'
import { importRows } from './imports'
import { limitRows } from './limits'
import { loyaltyRows } from './loyalty'
import { messageRows } from './messages'
import { overviewRows } from './overview'
import { ownAccountRows } from './own-account'
import { placeRows } from './places'
import { publicRows } from './public'
import { reservationRows } from './reservations'
import { serviceRows } from './service'
import { settingsRows } from './settings'
import { teamRows } from './team'
import { ticketRows } from './tickets'
import { tokenRows } from './tokens'

/** Every documented answer of the API. */
export const ROWS: Row[] = [
  ...serviceRows,
  ...accountRows,
  ...cronRows,
  ...loyaltyRows,
  ...ownAccountRows,
  ...adminRows,
  ...customerRows,
  ...reservationRows,
  ...automationRows,
  ...deliveryRows,
  ...messageRows,
  ...calendarRows,
  ...ticketRows,
  ...placeRows,
  ...settingsRows,
  ...overviewRows,
  ...teamRows,
  ...tokenRows,
  ...importRows,
  ...assistantRows,
  ...publicRows,
  ...limitRows,
]
