-- Texts to guests about their table and their booking. SQL stores what they say as data;
-- lib/messaging/guest-text.ts words it when it is sent.

create or replace function private.in_english(p_phone text) returns boolean
language sql immutable set search_path = ''
as $$ select p_phone ~ '^\+(1|44|353|61|64)' $$;
comment on function private.in_english(text) is 'Whether to write to the owner of a number in English.';

create or replace function private.language_for(p_organization uuid, p_customer uuid, p_phone text,
  p_wrote text default null) returns text
language sql stable set search_path = ''
as $$
  select coalesce((
      select case when count(distinct c.language) = 1 then min(c.language) end from public.customers c
      where c.id = any(array(
        select p_customer where p_customer is not null
        union
        select s.customer_id from private.senders(p_organization, p_phone, null) as s
        where p_customer is null))),
    case when coalesce(p_wrote = 'en', private.in_english(p_phone)) then 'en' else o.language end)
  from public.organizations o where o.id = p_organization
$$;
comment on function private.language_for(uuid, uuid, text, text) is
  'The language of a text to a guest: their own; of an unknown customer that of those who have the phone. Else English for who wrote in it (p_wrote) or has a number of an English-speaking country, else the group''s.';

create or replace function private.guest_text(p_template text, p_language text, p_values jsonb,
  p_expires_at timestamptz) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('template', p_template, 'language', p_language, 'values', p_values,
    'expires_at', p_expires_at)
$$;
comment on function private.guest_text(text, text, jsonb, timestamptz) is
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
grant execute on function private.in_english(text), private.language_for(uuid, uuid, text, text),
  private.guest_text(text, text, jsonb, timestamptz) to service_role;
