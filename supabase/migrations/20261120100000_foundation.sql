-- Schemas, extensions and the small helpers every later domain uses.
-- Hosted Supabase keeps extensions in `extensions`; elsewhere the schema is made here.
create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

-- `private` is not exposed by the API: helpers of policies and service functions live here.
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- Nothing is reachable unless its own migration grants it.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke execute on functions from public, anon, authenticated;
alter default privileges in schema private revoke execute on functions from public;
alter default privileges revoke execute on functions from public;

-- Lower case, no accents, single spaces: the form in which names are compared and searched.
-- Marked immutable so that generated columns may use it; the dictionary is named explicitly.
create function private.normalize_text(value text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select btrim(regexp_replace(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, coalesce(value, ''))), '\s+', ' ', 'g'))
$$;
comment on function private.normalize_text(text) is 'Comparison form of a name: lower case, unaccented, single spaces.';
grant execute on function private.normalize_text(text) to authenticated, service_role;

create function private.name_key(value text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(
    lower(extensions.unaccent('extensions.unaccent'::regdictionary, coalesce(value, ''))), '[\s,]+') as word
  where word <> ''
$$;
comment on function private.name_key(text) is
  'What says whether two names are the same: the words without case and accents, sorted ("García López, Ana" = "Ana García López").';
revoke execute on function private.name_key(text) from public;
grant execute on function private.name_key(text) to service_role;

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.touch_updated_at() is 'Trigger: stamps updated_at on every real update.';
