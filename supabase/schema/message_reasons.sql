-- Why a message was not sent, or a run is paused. Each has its words in lib/i18n
-- (client/message-reasons.json); TypeScript takes the list from here (npm run gen:types).

create type public.message_reason as enum (
  -- What was known when it was planned or claimed: logic/messages/verdict.sql and claim.sql.
  'no_address', 'not_mobile', 'suppressed', 'no_consent', 'no_provider', 'no_app_url', 'needs_template',
  'recently_written', 'frequency_cap', 'guest_frequency', 'brand_muted', 'duplicate', 'control_group',
  'booked', 'reservation_changed',
  'too_late', 'customer_gone', 'automation_inactive', 'batch_incomplete', 'empty_message',
  -- What staff or another change decided.
  'message_changed', 'refused', 'expired', 'stopped', 'event_changed', 'merged', 'erased', 'deleted',
  'reconciled',
  -- What the provider said of it.
  'invalid_number', 'invalid_address', 'unsubscribed', 'unreachable', 'region_not_enabled', 'blocked',
  'template_rejected', 'outside_window', 'content_rejected', 'rejected', 'bounced', 'soft_bounce',
  'provider_failed', 'provider_suppressed',
  -- What happened with the provider.
  'provider_auth', 'provider_config', 'provider_quota', 'provider_rate_limit', 'provider_busy',
  'provider_unreachable', 'provider_error', 'provider_timeout', 'provider_connection_lost', 'provider_silent',
  'idempotency_conflict', 'lease_expired', 'held_back');
comment on type public.message_reason is 'The codes of the reasons why a message was not sent, or a run is paused.';

create domain public.reason as text check (
  case when value ~ '^(twilio_[0-9]{1,9}|template_[a-z_]{1,60})$' then true
    else value = value::public.message_reason::text end);
comment on domain public.reason is
  'A code of message_reason, or twilio_ with a code of Twilio''s own, or template_ with what is wrong with the message''s text (lib/messaging/template-worker.ts).';
