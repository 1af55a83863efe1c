-- The small helpers that every domain uses.

create or replace function private.clock(p_given timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$ select case when current_setting('role', true) in ('service_role', 'none') then p_given
  else date_trunc('milliseconds', now()) end $$;
comment on function private.clock(timestamptz) is
  'The time a function works with: the given one where the service or the database calls, else the server''s, in milliseconds as the app has them. Every function that people may call and that has a p_now asks here first.';
grant execute on function private.clock(timestamptz) to authenticated, service_role;

create or replace function private.name_key(value text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(private.fold(value), '[ ,]+') as word
  where word <> ''
$$;
comment on function private.name_key(text) is
  'The key for comparing names: the words without case and accents, sorted ("García López, Ana" = "Ana García López").';
grant execute on function private.name_key(text) to service_role;

create or replace function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_updated_at() is 'Trigger: stamps updated_at on every real update.';

create or replace function private.edited_meanwhile(p_loaded jsonb, p_now jsonb, p_next jsonb, p_fields jsonb)
  returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select jsonb_object_agg(f.key, p_now -> f.key) from jsonb_object_keys(p_fields) as f (key)
  where p_loaded -> f.key is distinct from p_now -> f.key and p_next -> f.key is distinct from p_now -> f.key
$$;
comment on function private.edited_meanwhile(jsonb, jsonb, jsonb, jsonb) is
  'The given fields whose values differ both from the loaded and from the new values, with their current values; null: none. Call it on a locked row.';

create or replace function private.search_condition(p_column text, p_search jsonb) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- A search has at most 200 characters; each pattern is a condition to plan.
  if jsonb_array_length(p_search) > 100 then
    raise exception 'too many patterns' using errcode = '22023';
  end if;
  -- One by one: the trigram index serves LIKE, not LIKE ALL.
  return coalesce((select string_agg(format(' and %s like ($2 -> ''search'' ->> %s)', p_column, n), '')
    from generate_series(0, jsonb_array_length(p_search) - 1) as n), '');
end
$$;
comment on function private.search_condition(text, jsonb) is
  'The condition of a list for a search, where $2 is the object of its filters.';

-- PostgREST calls it before every request. Of two lines Prefer it is told the last alone: a gateway has to
-- join them.
create or replace function private.refuse_estimates() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if nullif(current_setting('request.headers', true), '')::jsonb ->> 'prefer'
    ~* 'count\s*=\s*(planned|estimated)' then
    raise exception 'Counts are exact' using errcode = '42501';
  end if;
end
$$;
comment on function private.refuse_estimates() is
  'Refuses counts that are the planner''s guess: its statistics know the rows that row-level security hides from the caller.';
grant execute on function private.refuse_estimates() to anon, authenticated, service_role;

do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'private.refuse_estimates';
  notify pgrst, 'reload config';
exception when undefined_object or insufficient_privilege then
  raise warning 'No role authenticator to change: set PostgREST''s db-pre-request to private.refuse_estimates yourself';
end
$$;

create or replace trigger integration_configs_touch before update on public.integration_configs
  for each row execute function private.touch_updated_at();
create or replace trigger loyalty_rules_touch before update on public.loyalty_rules
  for each row execute function private.touch_updated_at();
create or replace trigger customers_touch before update on public.customers
  for each row execute function private.touch_updated_at();
create or replace trigger reservations_touch before update on public.reservations
  for each row execute function private.touch_updated_at();
create or replace trigger automations_touch before update on public.automations
  for each row execute function private.touch_updated_at();
-- The statements of the outbox set it themselves, which takes less time.
create or replace trigger messages_touch before update on public.messages
  for each row when (new.updated_at = old.updated_at) execute function private.touch_updated_at();
create or replace trigger email_looks_touch before update on public.email_looks
  for each row execute function private.touch_updated_at();
create or replace trigger email_templates_touch before update on public.email_templates
  for each row execute function private.touch_updated_at();
create or replace trigger calendar_events_touch before update on public.calendar_events
  for each row execute function private.touch_updated_at();
create or replace trigger tickets_touch before update on public.tickets
  for each row execute function private.touch_updated_at();
create or replace trigger segments_touch before update on public.segments
  for each row execute function private.touch_updated_at();
create or replace trigger campaigns_touch before update on public.campaigns
  for each row execute function private.touch_updated_at();
