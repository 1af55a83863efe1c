-- Texts to guests about their table and their booking. SQL stores what they say as data;
-- lib/messaging/guest-text.ts words it when it is sent.

create or replace function private.in_english(p_phone text) returns boolean
language sql immutable set search_path = ''
as $$ select p_phone ~ '^\+(1|44|353|61|64)' $$;
comment on function private.in_english(text) is 'Whether to write to the owner of a number in English.';

create or replace function private.guest_text(p_template text, p_english boolean, p_values jsonb,
  p_expires_at timestamptz) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('template', p_template, 'language', case when p_english then 'en' else 'es' end,
    'values', p_values, 'expires_at', p_expires_at)
$$;
comment on function private.guest_text(text, boolean, jsonb, timestamptz) is
  'The content of a message to a guest; lib/messaging/guest-texts.json has the templates with their values.';

create or replace function private.worded(p_text text, p_values jsonb) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(coalesce(p_values ->> substring(m.part[1] from '^\{(\w+)\}$'), m.part[1]), ''
    order by m.n)
  from regexp_matches(p_text, '\{\w+\}|[^{]+|\{', 'g') with ordinality as m (part, n)
$$;
comment on function private.worded(text, jsonb) is
  'A text with its {name} replaced by the values of that name. What a value contains is not looked at again.';
grant execute on function private.in_english(text), private.guest_text(text, boolean, jsonb, timestamptz)
  to service_role;
