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
import { placeRows } from './places'
import { publicRows } from './public'
import { reservationRows } from './reservations'
import { serviceRows } from './service'
import { settingsRows } from './settings'
import { teamRows } from './team'
import { ticketRows } from './tickets'

/** Every documented answer of the API. */
export const ROWS: Row[] = [
  ...serviceRows,
  ...cronRows,
  ...loyaltyRows,
  ...accountRows,
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
  ...importRows,
  ...assistantRows,
  ...publicRows,
  ...limitRows,
]
