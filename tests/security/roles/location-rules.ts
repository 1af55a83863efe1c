/**
 * What an operation has to do with locations:
 * - `record`: its path names a record of a location; elsewhere it answers `status`;
 * - `body`: its body or query names a location; another one is answered with `status`;
 * - `group`: its path names a record of the organization (guests, colleagues, brands); in another one it answers `status`;
 * - `everywhere`: it changes what holds for every location; people bound to some get `status`;
 * - `answer`: it takes none, and tells only of the caller's.
 */
export interface LocationRule {
  kind: 'record' | 'body' | 'group' | 'everywhere' | 'answer'
  status: number
}

const rules = (kind: LocationRule['kind'], status: number, operations: string): [string, LocationRule][] =>
  operations
    .trim()
    .split('\n')
    .map((operation) => [operation.trim(), { kind, status }])

/** Every operation of the API. */
export const LOCATION_RULES: Record<string, LocationRule> = Object.fromEntries([
  ...rules(
    'record',
    404,
    `GET /api/reservations/{id}
     PATCH /api/reservations/{id}
     GET /api/reservations/{id}/activity
     GET /api/service/parties/{id}
     GET /api/automations/{id}
     PATCH /api/automations/{id}
     DELETE /api/automations/{id}
     GET /api/automations/{id}/runs
     GET /api/automations/{id}/preview
     GET /api/automations/{id}/check
     GET /api/automations/{id}/results
     GET /api/automations/{id}/lift
     POST /api/automations/{id}/test
     POST /api/automations/{id}/runs/{runId}/resume
     POST /api/automations/{id}/runs/{runId}/approve
     POST /api/automations/{id}/runs/{runId}/refuse
     POST /api/automations/{id}/runs/{runId}/stop
     POST /api/messages/{id}/reconcile
     GET /api/campaigns/{id}
     PATCH /api/campaigns/{id}
     DELETE /api/campaigns/{id}
     GET /api/campaigns/{id}/results
     GET /api/campaigns/{id}/recipients
     GET /api/campaigns/{id}/sent
     GET /api/campaigns/{id}/check
     POST /api/campaigns/{id}/launch
     POST /api/campaigns/{id}/approve
     POST /api/campaigns/{id}/refuse
     POST /api/campaigns/{id}/unschedule
     POST /api/campaigns/{id}/pause
     POST /api/campaigns/{id}/resume
     POST /api/campaigns/{id}/stop
     POST /api/campaigns/{id}/copy
     POST /api/campaigns/{id}/test
     GET /api/calendar-events/{id}
     PATCH /api/calendar-events/{id}
     DELETE /api/calendar-events/{id}
     GET /api/tickets/{id}
     PATCH /api/tickets/{id}
     DELETE /api/tickets/{id}
     GET /api/tickets/{id}/activity
     GET /api/tickets/{id}/comments
     POST /api/tickets/{id}/comments
     GET /api/imports/{id}
     POST /api/imports/{id}/cancel
     GET /api/imports/{id}/failed-rows
     GET /api/locations/{id}
     PATCH /api/locations/{id}
     DELETE /api/locations/{id}
     GET /api/locations/{id}/hours
     PUT /api/locations/{id}/hours
     GET /api/locations/{id}/tables
     PUT /api/locations/{id}/tables
     GET /api/locations/{id}/closings
     POST /api/locations/{id}/closings
     DELETE /api/locations/{id}/closings/{closingId}
     PATCH /api/waitlist/{id}
     POST /api/feedback/{id}/reply
     POST /api/feedback/{id}/draft
     PATCH /api/shift-notes/{id}
     DELETE /api/shift-notes/{id}
     DELETE /api/tokens/{id}`,
  ),
  // The contract's answer to an unknown automation.
  ...rules('record', 500, 'POST /api/automations/{id}/run'),
  ...rules(
    'body',
    404,
    `GET /api/service
     POST /api/service/taps
     GET /api/waitlist
     POST /api/waitlist
     GET /api/morning
     GET /api/morning/pdf
     GET /api/reports
     GET /api/reports/export
     GET /api/shift-notes
     POST /api/shift-notes`,
  ),
  ...rules(
    'body',
    403,
    `POST /api/loyalty/rules
     PATCH /api/loyalty/rules
     POST /api/loyalty/preview`,
  ),
  ...rules(
    'body',
    400,
    `POST /api/automations
     POST /api/automations/preview
     POST /api/automations/test
     POST /api/campaigns
     POST /api/campaigns/preview
     POST /api/reservations
     POST /api/calendar-events
     POST /api/tickets
     POST /api/customers
     POST /api/team/invitations
     POST /api/tokens`,
  ),
  ...rules(
    'group',
    404,
    `GET /api/customers/{id}
     PATCH /api/customers/{id}
     DELETE /api/customers/{id}
     GET /api/customers/{id}/export
     POST /api/customers/{id}/merge
     GET /api/customers/{id}/merges
     POST /api/customer-merges/{id}/undo
     GET /api/customers/{id}/facts
     PUT /api/customers/{id}/facts
     GET /api/customers/{id}/points
     POST /api/customers/{id}/points
     GET /api/conversations/{id}
     POST /api/conversations/{id}/reply
     POST /api/conversations/{id}/read
     GET /api/service/guests/{id}
     PATCH /api/service/guests/{id}
     GET /api/segments/{id}
     PATCH /api/segments/{id}
     DELETE /api/segments/{id}
     DELETE /api/email-images/{id}
     PATCH /api/email-templates/{id}
     DELETE /api/email-templates/{id}
     PATCH /api/team/{id}
     DELETE /api/team/{id}
     POST /api/team/{id}/end-sessions
     POST /api/team/{id}/password-link
     DELETE /api/team/invitations/{id}
     POST /api/team/invitations/{id}/link`,
  ),
  ...rules(
    'everywhere',
    403,
    `PATCH /api/organization
     POST /api/organization/pending/{limit}/approve
     DELETE /api/organization/pending/{limit}
     PATCH /api/identity
     POST /api/brands
     PATCH /api/brands/{id}
     PATCH /api/brands/{id}/email-look
     PATCH /api/email-looks
     PUT /api/automations/sending
     POST /api/locations
     PUT /api/integrations/{type}
     GET /api/setup/steps
     PUT /api/setup/steps/{step}
     PUT /api/loyalty/config
     GET /api/admin/seed-locations`,
  ),
  ...rules('everywhere', 404, 'DELETE /api/brands/{id}'),

  ...rules(
    'answer',
    200,
    `GET /api/health
     POST /api/auth/sign-in
     POST /api/auth/second-factor
     POST /api/auth/sign-out
     GET /api/account/morning-mail
     PUT /api/account/morning-mail
     GET /api/account/push
     PUT /api/account/push
     DELETE /api/account/push/{id}
     POST /api/account/push/{id}/test
     GET /api/account/second-factor
     POST /api/account/second-factor
     DELETE /api/account/second-factor
     POST /api/account/second-factor/confirm
     POST /api/auth/invitation
     POST /api/auth/sign-up
     POST /api/setup
     POST /api/auth/forgot-password
     POST /api/auth/reset-password
     GET /api/auth/sessions
     DELETE /api/auth/sessions/{id}
     POST /api/auth/sessions/end
     POST /api/auth/password
     POST /api/sync
     GET /api/cron/master
     GET /api/cron/sync
     GET /api/cron/calendar-notifications
     GET /api/cron/calendar-reminders
     GET /api/cron/ticket-notifications
     GET /api/cron/ticket-reminders
     GET /api/cron/automations
     GET /api/installation
     GET /api/customers
     GET /api/customers/export
     POST /api/customers/export
     GET /api/customers/count
     POST /api/customers/matches
     GET /api/customers/tags
     GET /api/customers/cities
     GET /api/segments
     GET /api/email-looks
     GET /api/email-images
     POST /api/email-images
     GET /api/email-templates
     POST /api/email-templates
     POST /api/segments
     POST /api/segments/preview
     POST /api/customers/tags
     DELETE /api/customers/tags/{id}
     GET /api/customers/duplicates
     GET /api/customers/duplicates/merge
     POST /api/customers/duplicates/merge
     GET /api/identity
     GET /api/customers/duplicates/different
     PUT /api/customers/duplicates/different
     GET /api/reservations
     GET /api/service/find
     GET /api/reservations/export
     GET /api/admin/debug-reservations
     GET /api/loyalty/rules
     GET /api/loyalty/config
     GET /api/loyalty/tiers
     POST /api/loyalty/recalculate
     GET /api/automations
     GET /api/campaigns
     GET /api/automations/sending
     GET /api/messages
     GET /api/whatsapp-templates
     GET /api/feedback
     GET /api/conversations
     GET /api/organization/context
     GET /api/organization
     GET /api/brands
     GET /api/locations
     GET /api/team
     GET /api/team/invitations
     GET /api/tokens
     GET /api/integrations
     POST /api/integrations/{type}/test
     POST /api/integrations/test-mail
     GET /api/jobs
     GET /api/audit-log
     GET /api/audit-log/export
     GET /api/stats/overview
     GET /api/notices
     POST /api/ai/chat
     GET /api/calendar-events
     GET /api/tickets
     GET /api/imports
     POST /api/imports
     POST /api/admin/import-csv
     POST /api/u/{token}
     POST /api/f/{token}
     POST /api/webhooks/twilio
     POST /api/webhooks/resend
     GET /api/docs/openapi.yaml`,
  ),
])
