-- How an erasure finds a customer in texts: by every address, and by the full name where they have booked.
-- Nothing else of the group may change: a guest chooses the name they book with, and "No Show" is one.

create or replace function private.folded_pattern(p_words text[]) returns text
language sql immutable set search_path = ''
as $$
  select string_agg(word.pattern, '[\s,._-]+' order by word.place)
  from (
    select w.place, string_agg(case letter
      when 'a' then '[aáàâäãåāąAÁÀÂÄÃÅĀĄ]' when 'c' then '[cçćčCÇĆČ]' when 'd' then '[dďđDĎĐ]'
        when 'e' then '[eéèêëēęěEÉÈÊËĒĘĚ]'
      when 'g' then '[gğGĞ]' when 'i' then '[iíìîïīıIÍÌÎÏĪİ]' when 'l' then '[lłLŁ]'
        when 'n' then '[nñńňNÑŃŇ]'
      when 'o' then '[oóòôöõøōőOÓÒÔÖÕØŌŐ]' when 'r' then '[rřRŘ]' when 's' then '[sśšşșSŚŠŞȘ]'
        when 't' then '[tťţțTŤŢȚ]'
      when 'u' then '[uúùûüūůűUÚÙÛÜŪŮŰ]' when 'y' then '[yýÿYÝŸ]' when 'z' then '[zźżžZŹŻŽ]'
      when 'и' then '[ийИЙ]' when 'і' then '[іїІЇ]' when 'у' then '[уўУЎ]'
      else case when letter ~ '[[:alnum:]]' then letter else '\' || letter end end
      -- Accents may be characters of their own, as in file names.
      || '[\u0300-\u036f]*', '' order by l.place) as pattern
    from unnest(p_words) with ordinality as w (word, place)
    cross join lateral regexp_split_to_table(w.word, '') with ordinality as l (letter, place)
    group by w.place
  ) as word
$$;
comment on function private.folded_pattern(text[]) is
  'A regular expression for normalised words one after the other, whatever their case, accents and the punctuation between them.';

create or replace function private.phone_pattern(p_phone text) returns text
language sql immutable set search_path = ''
as $$
  select case
      -- Few digits, or those of a date, are the number only with the code of its country.
      when length(n.digits) < 8
        or n.digits ~ '^((19|20)[0-9]{2}[01][0-9][0-3][0-9]|[0-3][0-9][01][0-9](19|20)[0-9]{2})$'
      then '(?:\+|00)' || n.code || '[\s()./-]*'
      else '(?:(?:\+|00)?' || n.code || '[\s()./-]*)?' end
    || '(?:0[\s()./-]*)?'
    || (select string_agg(d.digit, '[\s()./-]*' order by d.place)
      from regexp_split_to_table(n.digits, '') with ordinality as d (digit, place))
  from (
    select left(substr(p_phone, 2), c.length) as code, substr(p_phone, 2 + c.length) as digits
    from (select case when p_phone ~ '^\+[17]' then 1
      when p_phone ~ '^\+(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])' then 2 else 3 end as length)
        as c
  ) as n
$$;
comment on function private.phone_pattern(text) is
  'A regular expression for an E.164 number with or without its country code, with any separators between the digits.';

create or replace function private.address_pattern(p_address text) returns text
language sql immutable set search_path = ''
as $$
  select case
    when p_address ~ '^\+[0-9]+$' then private.phone_pattern(p_address)
    -- Not the end or the beginning of another address, but also as the name of a file.
    when p_address like '%@%' then '(?<![._%+-])' || regexp_replace(p_address, '([^[:alnum:]])', '\\\1', 'g')
      || '(?!-|\.(?!(?:csv|tsv|txt|xlsx?)(?![[:alnum:]]))[[:alnum:]])'
    -- An id of WhatsApp is long and has digits; a word that looks like one is no address.
    when length(p_address) >= 10
      and p_address ~ '[0-9]' then regexp_replace(p_address, '([^[:alnum:]])', '\\\1', 'g') end
$$;
comment on function private.address_pattern(text) is
  'A regular expression for an e-mail, phone or WhatsApp id in a text; null for an id that may be a word.';

create or replace function private.whole_words(p_patterns text[]) returns text
language sql immutable set search_path = ''
as $$ select '(?<![[:alnum:]])(?:' || array_to_string(p_patterns, '|') || ')(?![[:alnum:]])' $$;
comment on function private.whole_words(text[]) is 'One regular expression for any of them, not within a longer word; null for null.';

create or replace function private.traces_of(p_customer uuid, p_reach uuid[]) returns private.traces
language plpgsql stable set search_path = ''
as $$
declare
  c public.customers;
  t private.traces;
  v_forms text[];
  v_words text[];
begin
  select * into c from public.customers where id = p_customer;
  t.reach := p_reach;
  t.locations := array(select distinct r.location_id from public.reservations r
    where r.customer_id = p_customer);
  t.addresses := array(
    select distinct a.address from (
      select unnest(array[c.email, c.phone, c.whatsapp_id])
      union all
      select coalesce(l.email, l.phone, l.whatsapp_id) from public.customer_aliases l
        where l.customer_id = p_customer
      union all
      select unnest(array[r.customer_email, r.customer_phone]) from public.reservations r
        where r.customer_id = p_customer
      union all
      select m.recipient from public.messages m where m.customer_id = p_customer
      union all
      select k.address from public.conversations k where k.customer_id = p_customer
    ) as a (address) where a.address is not null limit 200);
  t.own := array(
    select a from unnest(t.addresses) as a where not exists (
        select from public.customers o where o.organization_id = c.organization_id and o.id <> p_customer
          and o.email = a)
      and not exists (
        select from public.customers o where o.organization_id = c.organization_id and o.id <> p_customer
          and o.whatsapp_id = a)
      and not exists (select from public.customer_aliases l
        where l.organization_id = c.organization_id and l.customer_id <> p_customer and l.email = a)
      and not exists (select from public.customer_aliases l
        where l.organization_id = c.organization_id and l.customer_id <> p_customer and l.whatsapp_id = a)
    except
    select o.phone from private.phone_owners(c.organization_id, t.addresses) as o
      where o.customer_id <> p_customer);
  t.names := array(
    select distinct n.name from (
      select private.fold(replace(concat_ws(' ', c.first_name, c.last_name), ',', ' '))
      union all
      select private.fold(replace(l.name, ',', ' ')) from public.customer_aliases l
        where l.customer_id = p_customer
      union all
      select private.fold(replace(r.customer_name, ',', ' ')) from public.reservations r
        where r.customer_id = p_customer
    ) as n (name) where n.name <> '' limit 50);
  -- Every rotation ("García López, Ana"), and the first name with the first surname, both ways.
  v_forms := array(
    select distinct private.folded_pattern(form.words) from (
      select w.words[turn:] || w.words[:turn - 1] as words
      from (select string_to_array(name, ' ') as words from unnest(t.names) as name) as w
      cross join generate_series(1, least(cardinality(w.words), 8)) as turn
      where cardinality(w.words) > 1
      union
      select case turn when 1 then array[f.first, f.last] else array[f.last, f.first] end
      from (select split_part(private.fold(c.first_name), ' ', 1) as first,
        split_part(private.fold(c.last_name), ' ', 1) as last) as f
      cross join generate_series(1, 2) as turn
      where f.first <> '' and f.last <> ''
    ) as form);
  -- A single word counts as the person's name only in rows linked to them.
  v_words := array(
    select distinct private.folded_pattern(array[word]) from unnest(t.names) as name
    cross join lateral unnest(string_to_array(name, ' ')) as word
    where length(word) > 2
      and word not in ('del', 'los', 'las', 'van', 'von', 'der', 'den', 'san', 'dos', 'das'));
  select private.whole_words(array_agg(p.pattern)),
    private.whole_words(array_agg(p.pattern) filter (where p.kind = 'own')),
    private.whole_words(array_agg(p.pattern) filter (where p.kind in ('own', 'name')))
  into t.linked, t.address, t.named
  from (
    select private.address_pattern(a) as pattern,
      case when a = any(t.own) then 'own' else 'shared' end as kind
    from unnest(t.addresses) as a
    union all select f, 'name' from unnest(v_forms) as f
    union all select w, 'word' from unnest(v_words) as w
  ) as p
  where p.pattern is not null;
  return t;
end
$$;
comment on function private.traces_of(uuid, uuid[]) is
  'The search terms for a customer: all addresses, those nobody else has (own), names (normalised), the locations of their bookings, those the eraser may change (reach; null: all), and regular expressions (flag i): linked for rows about them, with single words of the name; address; named: address or full name.';

create or replace function private.pattern_for(t private.traces, p_location uuid) returns text
language sql immutable set search_path = ''
as $$
  select case
    when t.reach is not null and coalesce(p_location <> all(t.reach), true) then null
    when p_location = any(t.locations) then t.named
    else t.address end
$$;
comment on function private.pattern_for(private.traces, uuid) is
  'What an erasure removes from a text of that location that is of nobody: addresses, and the full name where they have booked; null: nothing, the eraser may not change it.';

create or replace function private.redacted(p_text text, p_pattern text) returns text
language sql immutable set search_path = ''
as $$ select coalesce(regexp_replace(p_text, p_pattern, '[…]', 'gi'), p_text) $$;
comment on function private.redacted(text, text) is 'The text with […] in place of matches of the pattern.';

create or replace function private.redacted(p_value jsonb, p_pattern text, p_is_text boolean default false)
  returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return case jsonb_typeof(p_value)
    when 'string' then case when p_is_text then to_jsonb(private.redacted(p_value #>> '{}', p_pattern))
      else p_value end
    when 'array' then (select coalesce(jsonb_agg(private.redacted(e.value, p_pattern, p_is_text)
      order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(e.key, private.redacted(e.value, p_pattern,
        e.key in ('subject', 'title', 'description', 'body', 'text', 'html', 'detail', 'error', 'errors'))),
          '{}')
      from jsonb_each(p_value) as e)
    else p_value end;
end
$$;
comment on function private.redacted(jsonb, text, boolean) is
  'The same in the texts of a value, which its keys tell; keys, codes and names stay. p_is_text: the value itself is text, or an array of texts.';

create or replace function private.impersonal(p_value jsonb) returns jsonb
language plpgsql immutable set search_path = ''
as $$
begin
  return case jsonb_typeof(p_value)
    when 'array' then (select coalesce(jsonb_agg(private.impersonal(e.value) order by e.place), '[]')
      from jsonb_array_elements(p_value) with ordinality as e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(e.key, case when e.value <> 'null' and (
        e.key = any(array_remove(private.customer_fields(), 'location_id')) or e.key in (
        'name', 'whatsapp_id', 'note', 'reason', 'customer_name', 'customer_email', 'customer_phone',
        'subject', 'title', 'description', 'body', 'text', 'words', 'reply'))
        then to_jsonb('[…]'::text) else private.impersonal(e.value) end), '{}')
      from jsonb_each(p_value) as e)
    else p_value end;
end
$$;
comment on function private.impersonal(jsonb) is
  'Details of the audit log with […] in place of a person''s values; names of fields, codes, ids and numbers stay.';

create or replace function private.unquoted(p_text text) returns text
language sql immutable set search_path = ''
as $$ select regexp_replace(p_text, '(«).*(»)|(“).*(”)', '\1\3[…]\2\4') $$;
comment on function private.unquoted(text) is 'The text with […] in place of what it quotes.';
