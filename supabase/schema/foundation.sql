-- Schemas, extensions and the small helpers that every later domain uses.
--
-- What a column may hold stands as checks in its table: lengths, sizes, ranges, finite numbers and dates. The
-- API's schemas refuse the same sooner and in words (tests/security/bounds.test.ts compares the two). NaN is
-- above every number and infinity outside every range, so a range excludes both. Checks call no helper
-- functions: one with a search_path of its own is called for every row and column, an expression is not.

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

-- Nothing is reachable unless its own file grants it: a hosted project gives all of public to these roles.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;

alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

alter default privileges in schema public revoke execute on functions
  from public, anon, authenticated, service_role;

alter default privileges in schema private revoke execute on functions from public;

alter default privileges revoke execute on functions from public;

-- The one comparison: lib/text/fold.ts does the same, and tests/text-cases.json has the cases of both. Marked
-- immutable so that generated columns may use it; the dictionary is named explicitly.
create or replace function private.fold(value text) returns text
-- In plpgsql because it is called for many rows: an SQL function with its own search_path is planned at each
-- call. Each step that costs stands behind a test that costs little.
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  if octet_length(value) > length(value) then
    -- The dictionary is quick, and right for these letters in every version; it is neither for all others.
    if value !~ '[^\x01-\x7fÀ-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ]' then
      value := extensions.unaccent('extensions.unaccent'::regdictionary, value);
    else
      -- Apart, ´ is a blank with an accent. What goes are accents and the signs that nobody sees.
      value := normalize(regexp_replace(lower(normalize(replace(value, '´', ''''), NFKD)),
        '[\u0300-\u036f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]', '', 'g'), NFC);
      if value ~ '[øłđðħŧŋıßæœþς·‘’‛ʼ“”„‟«»‐‑‒–—―−⁄\u115f\u1160\u1680\u2028\u2029\u2800]' then
        value := translate(value, 'øłđðħŧŋıς‘’‛ʼ“”„‟«»‐‑‒–—―−⁄' || E'\u115f\u1160\u1680\u2028\u2029\u2800',
          'olddhtniσ''''''''""""""-------/      ');
        value := regexp_replace(replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
          'þ', 'th'), 'l·(?=l)', 'l', 'g');
      end if;
    end if;
  end if;
  if value ~ '[\t-\r]|  ' then
    value := regexp_replace(value, '[\t-\r ]+', ' ', 'g');
  end if;
  return btrim(lower(coalesce(value, '')));
end
$$;
comment on function private.fold(text) is
  'The form in which texts are compared and searched: lower case, no accents, Latin letters in ASCII (ø, ß, l·l), plain quotes and dashes, single spaces, nothing invisible. Null is the empty text.';
grant execute on function private.fold(text) to authenticated, service_role;

create or replace function private.new_id(p_at timestamptz default clock_timestamp()) returns uuid
language plpgsql volatile set search_path = ''
as $$
begin
  -- Milliseconds in six bytes, then the version: of 4 (0100), which a random UUID has, the two bits make 7
  -- (0111).
  return encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from p_at) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53,
      1), 'hex')::uuid;
end
$$;
comment on function private.new_id(timestamptz) is
  'A UUID of version 7: ids sort by their time. Rows that are made together lie together in every index with an id, instead of on a page each.';
grant execute on function private.new_id(timestamptz) to service_role;
