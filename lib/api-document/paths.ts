import { accountPaths, sessionPaths } from '@/lib/account/operations'
import { assistantPaths } from '@/lib/assistant/operations'
import { auditPaths } from '@/lib/audit/operations'
import { authPaths } from '@/lib/auth/operations'
import { automationPaths } from '@/lib/automations/operations'
import { brandPaths } from '@/lib/brands/operations'
import { calendarPaths } from '@/lib/calendar/operations'
import { campaignPaths } from '@/lib/campaigns/operations'
import { closingPaths } from '@/lib/closings/operations'
import { conversationPaths } from '@/lib/conversations/operations'
import { cronPaths } from '@/lib/cron/operations'
import { guestCardPaths } from '@/lib/customers/guest-card-schema'
import { mergePaths } from '@/lib/customers/merges-schema'
import { customerPaths } from '@/lib/customers/operations'
import { pointsPaths } from '@/lib/customers/points-schema'
import { deploymentPaths } from '@/lib/deployment/operations'
import { emailDesignPaths } from '@/lib/email-design/operations'
import { feedbackPaths, surveyPaths } from '@/lib/feedback/operations'
import { healthPaths } from '@/lib/health/operations'
import { identityPaths } from '@/lib/identity/operations'
import { importPaths } from '@/lib/imports/operations'
import { integrationPaths } from '@/lib/integrations/operations'
import { jobPaths } from '@/lib/jobs/operations'
import { locationPaths } from '@/lib/locations/operations'
import { loyaltyPaths } from '@/lib/loyalty/operations'
import { messagePaths, unsubscribePaths } from '@/lib/messaging/operations'
import { morningPaths } from '@/lib/morning/operations'
import { noticePaths } from '@/lib/notices/operations'
import type { Paths } from '@/lib/openapi/operation'
import { organizationPaths } from '@/lib/organization/operations'
import { overviewPaths } from '@/lib/overview/operations'
import { syncPaths } from '@/lib/pms/operations'
import { pushPaths } from '@/lib/push/operations'
import { reportPaths } from '@/lib/reports/operations'
import { reservationPaths } from '@/lib/reservations/operations'
import { segmentPaths } from '@/lib/segments/operations'
import { servicePaths } from '@/lib/service/operations'
import { partyLinesPaths } from '@/lib/service/party-lines-operations'
import { setupPaths } from '@/lib/setup/operations'
import { teamPaths } from '@/lib/team/operations'
import { ticketPaths } from '@/lib/tickets/operations'
import { tokenPaths } from '@/lib/tokens/operations'
import { waitlistPaths } from '@/lib/waitlist/operations'
import { webhookPaths } from '@/lib/webhooks/operations'
import { docsPaths } from './operations'

/** Every operation of the API by path; a test compares it with the route files. */
export const PATHS: Paths = {
  ...healthPaths,
  ...deploymentPaths,
  ...authPaths,
  ...setupPaths,
  ...accountPaths,
  ...sessionPaths,
  ...pushPaths,
  ...syncPaths,
  ...cronPaths,
  ...customerPaths,
  ...mergePaths,
  ...pointsPaths,
  ...reservationPaths,
  ...servicePaths,
  ...partyLinesPaths,
  ...guestCardPaths,
  ...waitlistPaths,
  ...morningPaths,
  ...loyaltyPaths,
  ...automationPaths,
  ...campaignPaths,
  ...messagePaths,
  ...identityPaths,
  ...organizationPaths,
  ...brandPaths,
  ...locationPaths,
  ...closingPaths,
  ...teamPaths,
  ...tokenPaths,
  ...integrationPaths,
  ...jobPaths,
  ...auditPaths,
  ...overviewPaths,
  ...reportPaths,
  ...noticePaths,
  ...assistantPaths,
  ...calendarPaths,
  ...segmentPaths,
  ...emailDesignPaths,
  ...ticketPaths,
  ...importPaths,
  ...unsubscribePaths,
  ...feedbackPaths,
  ...conversationPaths,
  ...surveyPaths,
  ...webhookPaths,
  ...docsPaths,
}
