-- What a column may hold, whichever way it comes in: lengths, sizes, ranges, finite numbers and dates. The API's
-- schemas refuse the same sooner and in words (tests/security/bounds.test.ts holds the two together). NaN is
-- above every number and infinity outside every range, so a range excludes both. No helper functions here: one
-- with a search_path of its own is called for every row and column, an expression is not.

alter table public.organizations
  add check (length(name) <= 120), add check (length(slug) <= 80),
  add check (quiet_from < '24:00'), add check (quiet_until < '24:00'),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.brands
  add check (length(name) <= 120), add check (length(slug) <= 80),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.locations
  add check (length(name) <= 120), add check (length(city) <= 120), add check (length(address) <= 300),
  add check (length(pms_id) <= 120), add check (length(timezone) <= 64),
  add check (average_spend_per_guest <= 10000),
  add check (length(sync_failure) <= 100),
  add check (recount_from between '1900-01-01' and '2300-01-01'),
  add check (known_from between '1900-01-01' and '2199-12-31'),
  add check (known_until between '1900-01-01' and '2199-12-31'),
  add check (ahead_until between '1900-01-01' and '2199-12-31'),
  add constraint locations_instants_check check (
    least(created_at, synced_at, sync_failing_since, looked_ahead_at, ahead_tried_at) >= '1900-01-01Z'
    and greatest(created_at, synced_at, sync_failing_since, looked_ahead_at, ahead_tried_at) < '2200-01-01Z');

-- Auth's own word, which may be blank: at least one line.
alter table public.profiles
  add check (length(email) <= 254 and email !~ '[[:cntrl:]]'), add check (length(full_name) <= 120),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.invitations
  add check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+$'), add check (length(full_name) <= 120),
  add check (cardinality(location_ids) <= 500 and array_position(location_ids, null) is null
    and coalesce(array_ndims(location_ids), 1) = 1),
  add constraint invitations_instants_check check (
    least(created_at, accepted_at, expires_at) >= '1900-01-01Z'
    and greatest(created_at, accepted_at, expires_at) < '2200-01-01Z');

alter table public.loyalty_tiers
  add check (length(name) <= 60), add check (rank between 0 and 10000), add check (points_multiplier <= 1000),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.loyalty_rules
  add check (min_spend <= 9999999999), add check (min_visits <= 1000000),
  add check (updated_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.loyalty_configs
  add check (pg_column_size(tiers) <= 65536 and not jsonb_path_exists(tiers, '$.**{8}')),
  add check (updated_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.loyalty_points
  add check (points between -1000000000 and 1000000000), add check (multiplier between 0 and 1000),
  add check (amount between 0 and 10000000000), add check (length(author_name) <= 254),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.customers
  add check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  -- A PMS gives whole names of up to 200 characters, a CSV 120 a part, people 100.
  add check (length(first_name) <= 200), add check (length(last_name) <= 200),
  add check (birth_date between '1900-01-01' and '2100-12-31'),
  add check (length(company) <= 200), add check (length(job_title) <= 200), add check (length(address) <= 500),
  -- More than the 50 that people give: files and merged records add theirs.
  add check (tags = '{}' or cardinality(tags) <= 200 and array_ndims(tags) = 1
    and array_position(tags, null) is null and array_to_string(tags, E'\x01') !~ '[^\x01]{61}'),
  add check (length(source) <= 60),
  -- People type 5,000; merging puts two notes together.
  add check (length(notes) <= 20000),
  add check (total_visits between 0 and 1000000000), add check (total_spend between 0 and 9999999999.99),
  add check (points between -9000000000000000 and 9000000000000000),
  add constraint customers_consents_bound check (
    consents = '{}' or pg_column_size(consents) <= 40000 and not jsonb_path_exists(consents, '$.**{6}')),
  add constraint customers_instants_check check (
    least(created_at, updated_at, last_visit_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, last_visit_at) < '2201-01-01Z');

alter table public.customer_aliases
  add check (length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  add check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$'),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.reservations
  add check (length(external_id) <= 200), add check (length(customer_name) <= 200),
  add check (length(customer_email) <= 254 and customer_email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  add check (length(customer_phone) <= 40),
  add check (reservation_date between '1900-01-01' and '2199-12-31'), add check (reservation_time < '24:00'),
  -- The PMS may have larger parties than people may enter.
  add check (party_size <= 999), add check (total_amount <= 1000000),
  add check (length(pms_status) <= 100), add check (length(notes) <= 5000),
  add check (length(zone_name) <= 100), add check (length(table_name) <= 100),
  add constraint reservations_staff_marks_bound check (
    staff_marks = '{}' or pg_column_size(staff_marks) <= 65536 and not jsonb_path_exists(staff_marks, '$.**{3}')),
  add constraint reservations_instants_check check (
    least(created_at, updated_at, erased_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, erased_at) < '2200-01-01Z');

alter table public.integration_configs
  add check (length(address) <= 300),
  add check (pg_column_size(config) <= 65536 and not jsonb_path_exists(config, '$.**{6}')),
  add check (pg_column_size(secrets) <= 65536 and not jsonb_path_exists(secrets, '$.**{4}')),
  add constraint integration_configs_instants_check check (
    least(created_at, updated_at) >= '1900-01-01Z' and greatest(created_at, updated_at) < '2200-01-01Z');

alter table public.job_leases
  add check (length(name) <= 300), add check (expires_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.job_runs
  add check (length(job) <= 100),
  add check (pg_column_size(result) <= 16777216 and not jsonb_path_exists(result, '$.**{12}')),
  add constraint job_runs_instants_check check (
    least(started_at, finished_at) >= '1900-01-01Z' and greatest(started_at, finished_at) < '2200-01-01Z');

alter table public.rate_limits
  add check (length(key) <= 500), add check (hits between 0 and 1000000000),
  add constraint rate_limits_instants_check check (
    least(window_start, touched_at) >= '1900-01-01Z' and greatest(window_start, touched_at) < '2200-01-01Z');

alter table public.audit_log
  add check (length(action) <= 100), add check (length(subject_type) <= 100),
  add check (pg_column_size(details) <= 1048576 and not jsonb_path_exists(details, '$.**{12}')),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.automations
  add check (length(name) <= 120), add check (length(subject) <= 300), add check (length(body) <= 10000),
  add check (content_sid ~ '^HX[0-9a-fA-F]{32}$'),
  add check (pg_column_size(content_variables) <= 262144 and not jsonb_path_exists(content_variables, '$.**{2}')),
  add check (pg_column_size(criteria) <= 65536 and not jsonb_path_exists(criteria, '$.**{6}')),
  add check (cardinality(location_ids) <= 200 and array_position(location_ids, null) is null
    and coalesce(array_ndims(location_ids), 1) = 1),
  add check (cardinality(tier_ids) <= 200 and array_position(tier_ids, null) is null
    and coalesce(array_ndims(tier_ids), 1) = 1),
  add check (tags = '{}' or cardinality(tags) <= 50 and array_ndims(tags) = 1
    and array_position(tags, null) is null and array_to_string(tags, E'\x01') !~ '[^\x01]{61}'),
  add constraint automations_instants_check check (
    least(created_at, updated_at, deleted_at) >= '1900-01-01Z'
    and greatest(created_at, updated_at, deleted_at) < '2200-01-01Z');

alter table public.automation_runs
  add check (length(started_by_name) <= 254), add check (length(decided_by) <= 254), add check (length(stopped_by) <= 254),
  add check (guests between 0 and 1000000000),
  add check (pg_column_size(template) <= 65536 and not jsonb_path_exists(template, '$.**{8}')),
  add check (cardinality(location_ids) <= 500 and array_position(location_ids, null) is null
    and coalesce(array_ndims(location_ids), 1) = 1),
  add check (length(automation_name) <= 120), add check (length(reason) <= 500),
  add check (processed between 0 and 1000000000), add check (sent between 0 and 1000000000),
  add check (skipped between 0 and 1000000000), add check (failed between 0 and 1000000000),
  add check (simulated between 0 and 1000000000), add check (failures between 0 and 1000000000),
  add check (pg_column_size(event) <= 1048576 and not jsonb_path_exists(event, '$.**{12}')),
  add constraint automation_runs_instants_check check (
    least(started_at, finished_at, expires_at, decided_at, stopped_at) >= '1900-01-01Z'
    and greatest(started_at, finished_at, expires_at, decided_at, stopped_at) < '2200-01-01Z');

alter table public.messages
  add check (length(recipient) <= 254), add check (length(reason) <= 500), add check (length(dedupe_key) <= 500),
  add check (pg_column_size(content) <= 1048576 and not jsonb_path_exists(content, '$.**{8}')),
  add check (attempts between 0 and 1000),
  add check (length(idempotency_key) <= 300), add check (length(provider) <= 60),
  add check (length(provider_id) <= 300),
  add constraint messages_instants_check check (
    least(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at) >= '1900-01-01Z'
    and greatest(not_before, lease_until, frozen_at, created_at, sent_at, delivered_at, updated_at) < '2200-01-01Z');

alter table public.suppressions
  add check (length(address) <= 254), add check (length(author) <= 254),
  add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.channel_pace
  add check (length(reason) <= 500), add check (next_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.import_runs
  add check (length(file_name) <= 300),
  add check (total <= 1000000000), add check (processed between 0 and 1000000000),
  add check (imported between 0 and 1000000000), add check (created between 0 and 1000000000),
  add check (updated between 0 and 1000000000), add check (repeated between 0 and 1000000000),
  add check (incomplete between 0 and 1000000000), add check (error_count between 0 and 1000000000),
  add check (failed_row_count between 0 and 1000000000),
  add check (pg_column_size(errors) <= 4194304 and not jsonb_path_exists(errors, '$.**{3}')),
  add check (pg_column_size(failed_rows) <= 16777216 and not jsonb_path_exists(failed_rows, '$.**{5}')),
  add constraint import_runs_instants_check check (
    least(started_at, finished_at) >= '1900-01-01Z' and greatest(started_at, finished_at) < '2200-01-01Z');

alter table public.calendar_events
  add check (notification_round between -1 and 1000000000), add check (reminder_round between -1 and 1000000000),
  add constraint calendar_events_instants_check check (
    least(event_datetime, ends_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(event_datetime, ends_at, created_at, updated_at) < '2200-01-01Z');

alter table public.tickets
  add check (number between 1 and 1000000000), add check (changes between -1 and 1000000000),
  add check (notified_changes between -1 and 1000000000),
  add constraint tickets_instants_check check (
    least(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at) >= '1900-01-01Z'
    and greatest(sla_due_at, notified_at, sla_reminded_at, resolved_at, created_at, updated_at) < '2200-01-01Z');

alter table public.ticket_comments
  add check (length(author_name) <= 254), add check (created_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.webhook_receipts
  add check (length(receipt) <= 500), add check (received_at between '1900-01-01Z' and '2200-01-01Z');

alter table public.whatsapp_windows
  add check (length(address) <= 254), add check (whatsapp_id ~ '^[A-Za-z0-9._-]{1,140}$'),
  add check (last_inbound_at between '1900-01-01Z' and '2200-01-01Z');

alter table private.ticket_numbers
  add check (last_number between 0 and 1000000000);

alter table private.ended_sessions
  add check (ended_at between '1900-01-01Z' and '2200-01-01Z');

alter table private.session_floors
  add check (starts_at between '1900-01-01Z' and '2200-01-01Z');

alter table private.role_permissions
  add check (length(role) <= 60), add check (length(permission) <= 60);
