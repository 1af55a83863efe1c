/**
 * Who may call each operation, written a second time: the tests of roles go by the declarations, so a permission that is
 * missing there would be missing in what they expect.
 */
const WRITTEN: readonly [access: string, operations: string][] = [
  [
    'none',
    `GET /api/health
     POST /api/auth/sign-in
     POST /api/auth/second-factor
     POST /api/auth/invitation
     POST /api/auth/sign-up
     POST /api/auth/forgot-password
     POST /api/auth/reset-password
     POST /api/auth/sign-out
     POST /api/setup
     POST /api/f/{token}
     GET /api/docs/openapi.yaml`,
  ],
  [
    'session; enrolling',
    `GET POST DELETE /api/account/second-factor
     POST /api/account/second-factor/confirm`,
  ],
  [
    'session',
    `GET /api/auth/sessions
     DELETE /api/auth/sessions/{id}
     POST /api/auth/sessions/end
     POST /api/auth/password
     GET /api/locations/{id}/hours
     GET /api/locations/{id}/tables
     GET /api/locations/{id}/closings
     POST /api/calendar-events
     PATCH DELETE /api/calendar-events/{id}
     POST /api/tickets
     PATCH /api/tickets/{id}
     POST /api/tickets/{id}/comments`,
  ],
  [
    'session; as super_admin, admin, ceo, marketing, operaciones, sala',
    `GET PUT /api/account/push
     DELETE /api/account/push/{id}
     POST /api/account/push/{id}/test`,
  ],
  ['cron; or session', `POST /api/sync`],
  [
    'cron',
    `GET /api/cron/master
     GET /api/cron/sync
     GET /api/cron/calendar-notifications
     GET /api/cron/calendar-reminders
     GET /api/cron/ticket-notifications
     GET /api/cron/ticket-reminders
     GET /api/cron/automations
     GET /api/installation`,
  ],
  [
    'session; canAccessClientes',
    `GET POST /api/customers
     POST /api/customers/matches
     GET /api/customers/count
     GET POST /api/customers/tags
     GET /api/customers/cities
     DELETE /api/customers/tags/{id}
     GET PATCH /api/customers/{id}
     POST /api/customers/{id}/merge
     GET /api/customers/duplicates
     GET POST /api/customers/duplicates/merge
     GET PUT /api/customers/duplicates/different
     GET /api/customers/{id}/merges
     POST /api/customer-merges/{id}/undo
     GET POST /api/customers/{id}/points
     GET POST /api/segments
     POST /api/segments/preview
     GET PATCH DELETE /api/segments/{id}
     GET /api/feedback
     POST /api/feedback/{id}/reply
     POST /api/feedback/{id}/draft
     GET /api/conversations
     GET /api/conversations/{id}
     POST /api/conversations/{id}/reply
     POST /api/conversations/{id}/read`,
  ],
  [
    'session; canAccessClientes; confirmed',
    `GET POST /api/customers/export
     DELETE /api/customers/{id}`,
  ],
  [
    'session; canUseGuestCards; programs: canAccessClientes',
    `GET PUT /api/customers/{id}/facts
     GET PATCH /api/service/guests/{id}`,
  ],
  ['session; canAccessClientes; as super_admin, admin, ceo; confirmed', `GET /api/customers/{id}/export`],
  [
    'session; canAccessOperaciones',
    `GET POST /api/reservations
     GET PATCH /api/reservations/{id}
     GET /api/reservations/{id}/activity
     GET /api/admin/debug-reservations
     GET /api/service
     GET /api/service/find
     GET /api/service/parties/{id}
     POST /api/service/taps
     GET POST /api/waitlist
     PATCH /api/waitlist/{id}
     GET POST /api/shift-notes
     PATCH DELETE /api/shift-notes/{id}`,
  ],
  ['session; canReadReports; confirmed', `GET /api/reservations/export`],
  ['session; as super_admin, admin, ceo, marketing, operaciones', `GET PUT /api/account/morning-mail`],
  [
    'session; canReadReports',
    `POST /api/locations/{id}/closings
     DELETE /api/locations/{id}/closings/{closingId}
     GET /api/morning
     GET /api/morning/pdf
     GET /api/reports
     GET /api/reports/export`,
  ],
  [
    'session; programs: true',
    `GET /api/loyalty/rules
     GET /api/loyalty/tiers
     GET /api/organization
     GET /api/brands
     GET /api/locations
     GET /api/locations/{id}
     GET /api/notices
     GET /api/calendar-events
     GET /api/calendar-events/{id}
     GET /api/tickets
     GET /api/tickets/{id}
     GET /api/tickets/{id}/activity
     GET /api/tickets/{id}/comments`,
  ],
  [
    'session; canAccessMarketing',
    `PATCH /api/loyalty/rules
     POST /api/loyalty/preview
     POST /api/loyalty/recalculate
     GET POST /api/automations
     GET PATCH DELETE /api/automations/{id}
     GET /api/automations/{id}/preview
     GET /api/automations/{id}/check
     POST /api/automations/preview
     POST /api/automations/{id}/test
     POST /api/automations/test
     GET /api/automations/{id}/results
     GET /api/automations/{id}/lift
     GET /api/automations/{id}/runs
     POST /api/automations/{id}/runs/{runId}/approve
     POST /api/automations/{id}/runs/{runId}/refuse
     POST /api/automations/{id}/runs/{runId}/resume
     POST /api/automations/{id}/runs/{runId}/stop
     GET PUT /api/automations/sending
     GET POST /api/campaigns
     POST /api/campaigns/preview
     GET PATCH DELETE /api/campaigns/{id}
     POST /api/campaigns/{id}/launch
     POST /api/campaigns/{id}/approve
     POST /api/campaigns/{id}/refuse
     POST /api/campaigns/{id}/unschedule
     POST /api/campaigns/{id}/pause
     POST /api/campaigns/{id}/resume
     POST /api/campaigns/{id}/stop
     POST /api/campaigns/{id}/copy
     POST /api/campaigns/{id}/test
     GET /api/campaigns/{id}/results
     GET /api/campaigns/{id}/recipients
     GET /api/campaigns/{id}/sent
     GET /api/campaigns/{id}/check
     GET /api/messages
     GET /api/whatsapp-templates
     POST /api/messages/{id}/reconcile
     GET PATCH /api/email-looks
     PATCH /api/brands/{id}/email-look
     GET POST /api/email-images
     DELETE /api/email-images/{id}
     GET POST /api/email-templates
     PATCH DELETE /api/email-templates/{id}`,
  ],
  [
    'session; canWorkInOffice; programs: canAccessMarketing',
    `POST /api/loyalty/rules
     POST /api/automations/{id}/run`,
  ],
  [
    'optional',
    `GET /api/loyalty/config
     GET /api/organization/context`,
  ],
  ['session; as super_admin', `PUT /api/loyalty/config`],
  [
    'session; canViewSettings',
    `GET PATCH /api/identity
     PATCH /api/organization
     POST /api/organization/pending/{limit}/approve
     DELETE /api/organization/pending/{limit}
     GET /api/admin/seed-locations
     POST /api/brands
     PATCH DELETE /api/brands/{id}
     POST /api/locations
     PATCH DELETE /api/locations/{id}
     PUT /api/locations/{id}/hours
     PUT /api/locations/{id}/tables
     GET /api/integrations
     POST /api/integrations/{type}/test
     POST /api/integrations/test-mail
     GET /api/setup/steps
     PUT /api/setup/steps/{step}
     GET /api/jobs
     GET /api/audit-log
     DELETE /api/tickets/{id}
     POST /api/admin/import-csv
     GET POST /api/imports
     GET /api/imports/{id}
     GET /api/imports/{id}/failed-rows
     POST /api/imports/{id}/cancel`,
  ],
  [
    'session; canManageTeam',
    `GET /api/team
     POST /api/team/{id}/end-sessions
     GET /api/team/invitations
     GET POST /api/tokens
     DELETE /api/tokens/{id}`,
  ],
  [
    'session; canManageTeam; confirmed',
    `PATCH DELETE /api/team/{id}
     POST /api/team/{id}/password-link
     POST /api/team/invitations
     DELETE /api/team/invitations/{id}
     POST /api/team/invitations/{id}/link`,
  ],
  [
    'session; canViewSettings; confirmed',
    `PUT /api/integrations/{type}
     GET /api/audit-log/export`,
  ],
  ['session; canWorkInOffice; programs: true', `GET /api/stats/overview`],
  ['session; canWorkInOffice', `POST /api/ai/chat`],
  [
    'none; any origin',
    `POST /api/u/{token}
     POST /api/webhooks/twilio
     POST /api/webhooks/resend`,
  ],
]

/** The access of each operation, by `METHOD /path`. */
export const ACCESS: Readonly<Record<string, string>> = Object.fromEntries(
  WRITTEN.flatMap(([access, operations]) =>
    operations.split('\n').flatMap((line) => {
      const words = line.trim().split(' ')
      return words.slice(0, -1).map((method) => [`${method} ${words.at(-1)}`, access])
    }),
  ),
)
