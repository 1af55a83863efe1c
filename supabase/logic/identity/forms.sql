-- The comparison form of a person: names as they are meant, the mailbox behind an address, and the blocking
-- keys.

create or replace function private.name_meant(p_words text[], p_kind text) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  v_meant text;
begin
  -- Most names are one word.
  if cardinality(p_words) = 1 then
    select v.canonical into v_meant from private.name_variants v
    where v.spelling = p_words[1] and v.kind = p_kind and v.is_commonest;
    return case when v_meant is null then p_words else string_to_array(v_meant, ' ') end;
  end if;
  return string_to_array(array_to_string(array(
    select coalesce(v.canonical, w.word)
    from unnest(p_words[:6]) with ordinality as w (word, place)
    left join private.name_variants v on v.spelling = w.word and v.kind = p_kind and v.is_commonest
    order by w.place), ' '), ' ');
end
$$;
comment on function private.name_meant(text[], text) is 'Each word in its canonical spelling: {pepe} is {jose}.';

create or replace function private.is_common_name(p_given text, p_surname text) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  -- Ten in a million.
  return coalesce((select f.per_million from private.name_frequencies f
    where f.kind = 'given' and f.name = p_given)
    * (select f.per_million from private.name_frequencies f where f.kind = 'surname' and f.name = p_surname),
      0) > 10000000;
end
$$;
comment on function private.is_common_name(text, text) is
  'Whether so many people have both the given name and the surname that sharing them is no reason to compare two.';

create or replace function private.is_rare_surname(p_surname text, p_most integer) returns boolean
language plpgsql stable set search_path = ''
as $$
begin
  return length(p_surname) > 2 and not exists (
    select from private.name_frequencies f where f.kind = 'surname' and f.name = p_surname
      and f.per_million > p_most);
end
$$;
comment on function private.is_rare_surname(text, integer) is 'Whether at most so many people in a million have the surname.';

create or replace function private.are_turned(p_given text, p_surname text) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  v_here real;
  v_elsewhere real;
begin
  if length(p_given) < 3 or length(p_surname) < 3 then return false; end if;
  v_here := coalesce((select f.per_million from private.name_frequencies f
    where f.kind = 'given' and f.name = p_given), 0);
  v_elsewhere := coalesce((select f.per_million from private.name_frequencies f
    where f.kind = 'surname' and f.name = p_given), 0);
  if v_elsewhere + 50 <= 4 * v_here then return false; end if;
  -- Rare words may be either.
  if v_here = 0 and (exists (select from private.name_variants n
    where n.kind = 'given' and n.spelling = p_given)
    or exists (select from private.name_variants n where n.kind = 'given' and n.canonical = p_given))
      then return false; end if;
  v_here := coalesce((select f.per_million from private.name_frequencies f
    where f.kind = 'surname' and f.name = p_surname), 0);
  v_elsewhere := coalesce((select f.per_million from private.name_frequencies f
    where f.kind = 'given' and f.name = p_surname), 0);
  return v_elsewhere > 4 * v_here + 50 or v_here < 60 and exists (
    select from private.name_variants n where n.kind = 'given' and n.spelling = p_surname);
end
$$;
comment on function private.are_turned(text, text) is
  'Whether a given name and a surname stand in each other''s field (González | Teresa): each word is at home in the other.';

create or replace function private.identity_of(p_organization uuid, p_person jsonb)
  returns private.customer_identity
language plpgsql stable set search_path = ''
as $$
declare
  v private.customer_identity;
  v_salt text := p_organization::text;
  v_given text[];
  v_surnames text[];
  v_meant text[];
  v_all text[];
  v_split integer;
  v_email text := lower(p_person ->> 'email');
  v_address text;
  v_initial text;
  v_also text;
  v_sounds text[];
  v_common boolean;
begin
  v.customer_id := p_person ->> 'id';
  v.organization_id := p_organization;
  v_given := private.name_tokens(p_person ->> 'first_name');
  v_surnames := private.name_tokens(p_person ->> 'last_name');
  -- A title in the field of the given name: Sir | Evershed.
  if v_surnames <> '{}' and cardinality(v_given) = 1 and private.is_title(v_given[1])
    then v_given := '{}'; end if;
  -- A whole name in one field: "García López, Ana", or "Ana García López".
  if v_given = '{}' or v_surnames = '{}' then
    if (p_person ->> 'last_name') ~ ',' or (p_person ->> 'first_name') ~ ',' then
      v_all := private.name_tokens(
        split_part(coalesce(nullif(p_person ->> 'first_name', ''), p_person ->> 'last_name'), ',', 2));
      v_surnames := private.name_tokens(
        split_part(coalesce(nullif(p_person ->> 'first_name', ''), p_person ->> 'last_name'), ',', 1));
      v_given := v_all;
    elsif cardinality(v_given) > 1 or cardinality(v_surnames) > 2 then
      v_all := v_given || v_surnames;
      -- The second word is a given name where it is more at home among these: José Antonio has no surname,
      -- Ana Sevilla has.
      v_split := case when coalesce((
        select max(f.per_million)
          filter (where f.kind = 'given') > coalesce(max(f.per_million) filter (where f.kind = 'surname'), 0)
          * case cardinality(v_all) when 2 then 4 else 1 end + case cardinality(v_all) when 2 then 50
            else 0 end
        from private.name_frequencies f where f.kind in ('given', 'surname') and f.name = v_all[2]), false)
          then 2 else 1 end;
      v_given := v_all[:v_split];
      v_surnames := v_all[v_split + 1:];
    end if;
  elsif private.are_turned(v_given[1], v_surnames[1]) then
    v_all := v_given;
    v_given := v_surnames;
    v_surnames := v_all;
  end if;
  if v_given <> '{}' then
    v_meant := private.name_meant(v_given, 'given');
    v.given := left(array_to_string(v_given, ' '), 80);
    v.given_meant := left(array_to_string(v_meant, ' '), 80);
    v.given_meanings := array[v_given[1], array_to_string(v_given[:2], ' ')] || array(
      select n.canonical from private.name_variants n where n.spelling = v_given[1] and n.kind = 'given');
  end if;
  if v_surnames <> '{}' then
    v_surnames := private.name_meant(v_surnames, 'surname');
    v.surname1 := left(v_surnames[1], 80);
    v.surname2 := nullif(left(array_to_string(v_surnames[2:], ''), 80), '');
  end if;

  if v_email ~ '^[^@]+@[^@]+$' then
    v.email_domain := split_part(v_email, '@', 2);
    v.email_local := split_part(split_part(v_email, '@', 1), '+', 1);
    if v.email_domain in ('gmail.com', 'googlemail.com') then
      v.email_domain := 'gmail.com';
      v.email_local := replace(v.email_local, '.', '');
    end if;
    v.email_suffix := split_part(split_part(v_email, '@', 1), '+', 2);
    v.mailbox := v.email_local || '@' || v.email_domain;
    v.email_local := translate(v.email_local, '._-', '');
  end if;
  v.phone := nullif(regexp_replace(coalesce(p_person ->> 'phone', ''), '\D', '', 'g'), '');
  v.birth_date := nullif(p_person ->> 'birth_date', '');
  v.company := nullif(array_to_string(private.name_tokens(p_person ->> 'company'), ' '), '');
  v.job_title := nullif(array_to_string(private.name_tokens(p_person ->> 'job_title'), ' '), '');
  v_address := nullif(private.fold(p_person ->> 'address'), '');
  if v_address is not null then
    -- Digits of a postcode are the last of four or more; the United Kingdom has letters too.
    v.postcode := coalesce((regexp_match(v_address, '\m([a-z]{1,2}[0-9][a-z0-9]? ?[0-9][a-z]{2})\M'))[1],
      (regexp_match(v_address, '^.*\m([0-9]{4,5})\M'))[1]);
    v.address := btrim(regexp_replace(case when v.postcode is null then v_address
      else replace(v_address, v.postcode, ' ') end,
      '[^a-z0-9]+', ' ', 'g'));
    v.address := nullif(v.address, '');
    v.postcode := replace(v.postcode, ' ', '');
  end if;

  v_also := (private.name_meant(v_surnames[:1], 'given'))[1];
  v_initial := left(v_meant[1], 1);
  v_sounds := array[extensions.dmetaphone(v_meant[1]), extensions.dmetaphone(v_also)];
  v.by_mailbox := hashtext(v_salt || 'mailbox' || v.mailbox);
  if length(v.email_local) >= 5 and not private.is_shared_mailbox(v.email_local) then
    v.by_local_part := hashtext(v_salt || 'local' || v.email_local);
  end if;
  if length(v.phone) >= 6 then
    v.by_phone := hashtext(v_salt || 'phone' || v.phone);
    -- One digit that is wrong, lost or in its neighbour's place leaves one of three parts as it was.
    v.by_phone_start := hashtext(v_salt || 'start' || left(v.phone, -3));
    v.by_phone_middle := hashtext(v_salt || 'middle' || left(v.phone, -5) || right(v.phone, 2));
    v.by_phone_end := hashtext(v_salt || 'end' || right(v.phone, 5));
  end if;
  if v_meant[1] is not null and v.surname1 is not null then
    -- Thousands are called José García: their name finds only those whose mailbox begins alike, or of one
    -- company.
    v_common := private.is_common_name(v_meant[1], v.surname1);
    v.by_name := hashtext(v_salt || 'name' || least(v_meant[1], v_also) || ' ' || greatest(v_meant[1], v_also)
      || case when v_common then ' ' || left(v.email_local, 5) else '' end);
    v.by_sound := hashtext(v_salt || 'sound' || least(v_sounds[1], v_sounds[2]) || ' '
      || greatest(v_sounds[1], v_sounds[2])
      || case when v_common then ' ' || v.company else '' end);
  end if;
  -- So few share a rare surname that all are looked through; of a less rare one, those whose given name
  -- begins alike.
  if private.is_rare_surname(v.surname1, 300) then
    v.by_surname := hashtext(v_salt || 'surname' || v.surname1
      || case when private.is_rare_surname(v.surname1, 30) then '' else coalesce(v_initial, '') end);
  end if;
  v.by_surnames := hashtext(v_salt || 'surnames' || least(v.surname1, v.surname2) || ' '
    || greatest(v.surname1, v.surname2)
    || case when v.surname2 is null then null else coalesce(v_initial, '') end);
  -- With both names and no address, a birth date alone proves nothing.
  if v.given is null or v.surname1 is null or v.address is not null or v.postcode is not null then
    v.by_birth := hashtext(v_salt || 'birth' || v.birth_date::text);
  end if;
  v.by_birth_given := hashtext(v_salt || 'given' || v.birth_date::text || v_initial);
  v.by_birth_month := hashtext(v_salt || 'month' || to_char(v.birth_date, 'YYYYMM') || v_sounds[2]);
  v.by_address := hashtext(v_salt || 'address' || left(v.address, 14) || coalesce(left(v.postcode, 2), ''));
  v.by_postcode := hashtext(v_salt || 'postcode' || v.postcode
    -- A British one is that of a few houses.
    || case when v.postcode ~ '[a-z]' then '' else left(v_meant[1], 2) end);
  v.by_given_month := hashtext(v_salt || 'given' || to_char(v.birth_date, 'YYYYMM') || v_meant[1]);
  v.by_home := hashtext(v_salt || 'home' || coalesce(v.postcode, left(v.address, 10)) || v_sounds[2]);
  return v;
end
$$;
comment on function private.identity_of(uuid, jsonb) is
  'The comparison form of a person {first_name, last_name, email, phone, birth_date, address, company, job_title}, saved or not.';

create or replace function private.is_shared_mailbox(p_local text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return p_local ~
    '^(info|reservas?|bookings?|reservations?|contact(o|e)?|hola|hello|admin|office|oficina|recepcion|reception|concierge|conserjeria|eventos?|events?|ventas|sales|secretaria|hotel|restaurante|mail|correo|email|noreply|no-?reply|sinemail|noemail|test|cliente|guest|rrhh|marketing|administracion|gerencia|direccion|support|team|equipo)[0-9]*$';
end
$$;
comment on function private.is_shared_mailbox(text) is 'Whether the part before the @ names an office, not a person.';

create or replace function private.name_rarity(p_organization uuid, p_name text) returns real
language plpgsql stable set search_path = ''
as $$
declare
  v_share real;
begin
  if p_name is null then return 0; end if;
  -- What the group's own guests are called, else what the country's people are.
  -- A word is as common as it is in either field, because fields are mixed up.
  select max(s.share) into v_share from private.identity_names s
  where s.organization_id = p_organization and s.kind in ('given', 'surname') and s.name = p_name;
  if v_share is null then
    select max(f.per_million) / 1000000 into v_share from private.name_frequencies f
    where f.kind in ('given', 'surname') and f.name = p_name;
  end if;
  return -ln(least(0.1, greatest(0.000002, coalesce(v_share, 0.00003)))) / ln(2::float8);
end
$$;
comment on function private.name_rarity(uuid, text) is 'How rare a name is, in bits: 10 is one of a thousand people.';

create or replace function private.prepare_identities(p_ids uuid[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.customer_identity i where i.customer_id = any(p_ids);
  insert into private.customer_identity
  select f.*
  from public.customers c cross join lateral private.identity_of(c.organization_id, jsonb_build_object(
    'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email, 'phone', c.phone,
    'birth_date', c.birth_date, 'address', c.address, 'company', c.company, 'job_title', c.job_title)) as f
  where c.id = any(p_ids);
  insert into private.identity_queue (organization_id, customer_id)
  select c.organization_id, c.id from public.customers c where c.id = any(p_ids)
  on conflict do nothing
$$;
comment on function private.prepare_identities(uuid[]) is
  'Writes the comparison form of the customers anew; they wait to be scored.';

create or replace function private.forget_identity(p_customer uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.identity_pairs p where p.first_id = p_customer or p.second_id = p_customer;
  delete from private.identity_queue q where q.customer_id = p_customer;
  delete from private.customer_identity i where i.customer_id = p_customer
$$;
comment on function private.forget_identity(uuid) is
  'Before a merge: what was derived from a customer that goes is not moved to the one that stays.';

create or replace function private.prepare_new_identities() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.prepare_identities(array(select n.id from new_customers n));
  return null;
end
$$;
comment on function private.prepare_new_identities() is 'Trigger: the comparison form of new customers.';

create or replace function private.prepare_changed_identities() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Most updates are of statistics. EXCEPT, because a join keeps the plan of the connection's first update: a
  -- nested loop after a small one, which takes a minute for 20,000 rows.
  v_ids uuid[] := array(
    select changed.id from (
      select n.id, n.first_name, n.last_name, n.email, n.phone, n.birth_date, n.address, n.company,
        n.job_title
      from new_customers n
      except
      select o.id, o.first_name, o.last_name, o.email, o.phone, o.birth_date, o.address, o.company,
        o.job_title
      from old_customers o) as changed);
begin
  if v_ids <> '{}' then perform private.prepare_identities(v_ids); end if;
  return null;
end
$$;
comment on function private.prepare_changed_identities() is 'Trigger: the comparison form of customers of whom a compared field changed.';

create or replace trigger customers_identity_new after insert on public.customers
  referencing new table as new_customers for each statement execute function private.prepare_new_identities();
create or replace trigger customers_identity_changed after update on public.customers
  referencing old table as old_customers new table as new_customers
  for each statement execute function private.prepare_changed_identities();
grant execute on function private.identity_of(uuid, jsonb), private.prepare_identities(uuid[])
  to service_role;
