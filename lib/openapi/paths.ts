import { accountPaths } from '@/lib/account/operations'
import { assistantPaths } from '@/lib/assistant/operations'
import { auditPaths } from '@/lib/audit/operations'
import { authPaths } from '@/lib/auth/operations'
import { sessionPaths } from '@/lib/auth/session-operations'
import { automationPaths } from '@/lib/automations/operations'
import { brandPaths } from '@/lib/brands/operations'
import { calendarPaths } from '@/lib/calendar/operations'
import { customerPaths } from '@/lib/customers/operations'
import { pointsPaths } from '@/lib/customers/points-operations'
import { healthPaths } from '@/lib/health/operations'
import { importPaths } from '@/lib/imports/operations'
import { integrationPaths } from '@/lib/integrations/operations'
import { cronPaths } from '@/lib/jobs/cron-operations'
import { jobPaths } from '@/lib/jobs/operations'
import { locationPaths } from '@/lib/locations/operations'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { messagePaths } from '@/lib/messaging/operations'
import { unsubscribePaths } from '@/lib/messaging/unsubscribe-operations'
import { noticePaths } from '@/lib/notices/operations'
import { organizationPaths } from '@/lib/organization/operations'
import { overviewPaths } from '@/lib/overview/operations'
import { syncPaths } from '@/lib/pms/sync/operations'
import { reservationPaths } from '@/lib/reservations/operations'
import { teamPaths } from '@/lib/team/operations'
import { ticketPaths } from '@/lib/tickets/operations'
import { tokenPaths } from '@/lib/tokens/operations'
import { webhookPaths } from '@/lib/webhooks/operations'
import type { Paths } from './operation'
import { docsPaths } from './operations'

/** Every operation of the API by path; a test compares it with the route files. */
export const PATHS: Paths = {
  ...healthPaths,
  ...authPaths,
  ...accountPaths,
  ...sessionPaths,
  ...syncPaths,
  ...cronPaths,
  ...customerPaths,
  ...pointsPaths,
  ...reservationPaths,
  ...loyaltyPaths,
  ...automationPaths,
  ...messagePaths,
  ...organizationPaths,
  ...brandPaths,
  ...locationPaths,
  ...teamPaths,
  ...tokenPaths,
  ...integrationPaths,
  ...jobPaths,
  ...auditPaths,
  ...overviewPaths,
  ...noticePaths,
  ...assistantPaths,
  ...calendarPaths,
  ...ticketPaths,
  ...importPaths,
  ...unsubscribePaths,
  ...webhookPaths,
  ...docsPaths,
}
