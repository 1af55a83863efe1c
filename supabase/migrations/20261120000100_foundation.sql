-- Schemas, extensions and the small helpers that every later domain uses.
--
-- What a column may hold stands as checks in its table: lengths, sizes, ranges, finite numbers and dates. The API's
-- schemas refuse the same sooner and in words (tests/security/bounds.test.ts compares the two). NaN is above every
-- number and infinity outside every range, so a range excludes both. Checks call no helper functions: one with a
-- search_path of its own is called for every row and column, an expression is not.

-- Hosted Supabase keeps extensions in `extensions`; elsewhere the schema is made here.
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;
create extension if not exists unaccent with schema extensions;

-- `private` is not exposed by the API: helpers of policies and service functions live here.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- Nothing is reachable unless its own migration grants it: a hosted project gives all of public to these roles.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from public, anon, authenticated, service_role;
alter default privileges in schema private revoke execute on functions from public;
alter default privileges revoke execute on functions from public;

-- Lower case, no accents, single spaces: the form in which names are compared and searched.
-- Marked immutable so that generated columns may use it; the dictionary is named explicitly.
create function private.normalize_text(value text) returns text
-- In plpgsql because it is called for many rows: an SQL function with its own search_path is planned at each call.
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, coalesce(value, ''))), '\s+', ' ', 'g'));
end
$$;
comment on function private.normalize_text(text) is 'Comparison form of a name: lower case, unaccented, single spaces.';
grant execute on function private.normalize_text(text) to authenticated, service_role;

create function private.clock(p_given timestamptz) returns timestamptz
language sql stable set search_path = ''
as $$ select case when current_setting('role', true) in ('service_role', 'none') then p_given
  else date_trunc('milliseconds', now()) end $$;
comment on function private.clock(timestamptz) is
  'The time a function works with: the given one where the service or the database calls, else the server''s, in milliseconds as the app has them. Every function that people may call and that has a p_now asks here first.';
grant execute on function private.clock(timestamptz) to authenticated, service_role;

create function private.name_key(value text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, coalesce(value, ''))), '[\s,]+') as word
  where word <> ''
$$;
comment on function private.name_key(text) is
  'The key for comparing names: the words without case and accents, sorted ("García López, Ana" = "Ana García López").';
revoke execute on function private.name_key(text) from public;
grant execute on function private.name_key(text) to service_role;

create function private.new_id(p_at timestamptz default clock_timestamp()) returns uuid
language plpgsql volatile set search_path = ''
as $$
begin
  -- Milliseconds in six bytes, then the version: of 4 (0100), which a random UUID has, the two bits make 7 (0111).
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid;
end
$$;
comment on function private.new_id(timestamptz) is
  'A UUID of version 7: ids sort by their time. Rows that are made together lie together in every index with an id, instead of on a page each.';
revoke execute on function private.new_id(timestamptz) from public;
grant execute on function private.new_id(timestamptz) to service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_updated_at() is 'Trigger: stamps updated_at on every real update.';

create function private.edited_meanwhile(p_loaded jsonb, p_now jsonb, p_next jsonb, p_fields jsonb) returns jsonb
language sql immutable parallel safe set search_path = ''
as $$
  select jsonb_object_agg(f.key, p_now -> f.key) from jsonb_object_keys(p_fields) as f (key)
  where p_loaded -> f.key is distinct from p_now -> f.key and p_next -> f.key is distinct from p_now -> f.key
$$;
comment on function private.edited_meanwhile(jsonb, jsonb, jsonb, jsonb) is
  'The given fields whose values differ both from the loaded and from the new values, with their current values; null: none. Call it on a locked row.';
revoke execute on function private.edited_meanwhile(jsonb, jsonb, jsonb, jsonb) from public;

create function private.search_condition(p_column text, p_search jsonb) returns text
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
revoke execute on function private.search_condition(text, jsonb) from public;

-- PostgREST calls it before every request. Of two lines Prefer it is told the last alone: a gateway has to join them.
create function private.refuse_estimates() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if nullif(current_setting('request.headers', true), '')::jsonb ->> 'prefer' ~* 'count\s*=\s*(planned|estimated)' then
    raise exception 'Counts are exact' using errcode = '42501';
  end if;
end
$$;
comment on function private.refuse_estimates() is
  'Refuses counts that are the planner''s guess: its statistics know the rows that row-level security hides from the caller.';
revoke execute on function private.refuse_estimates() from public;
grant execute on function private.refuse_estimates() to anon, authenticated, service_role;
do $$
begin
  alter role authenticator set pgrst.db_pre_request = 'private.refuse_estimates';
  notify pgrst, 'reload config';
exception when undefined_object or insufficient_privilege then
  raise warning 'No role authenticator to change: set PostgREST''s db-pre-request to private.refuse_estimates yourself';
end
$$;
