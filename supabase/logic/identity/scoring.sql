-- Scoring: which customers are likely one person, by the weights of what agrees (docs/identity.md).

create or replace function private.name_closeness(p_one text, p_other text) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_length integer := least(length(p_one), length(p_other));
  v_distance integer;
begin
  if p_one = p_other then return 3; end if;
  if v_length < 3 then return 0; end if;
  v_distance := extensions.levenshtein_less_equal(p_one, p_other, 3);
  return case
    when v_distance = 1 or v_distance = 2 and v_length >= 6 then 2
    when v_distance = 2 and v_length >= 4 and left(p_one, 1) = left(p_other, 1) then 1
    when v_distance = 2 and v_length = 5 or v_distance = 3 and v_length >= 7 then 1
    when v_length >= 4 and (starts_with(p_one, p_other) or starts_with(p_other, p_one)) then 1
    else 0 end;
end
$$;
comment on function private.name_closeness(text, text) is '3 equal, 2 a slip of the keys, 1 alike, 0 different.';

create or replace function private.given_level(a private.customer_identity, b private.customer_identity)
  returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_ours text[];
  v_theirs text[];
begin
  if a.given = b.given then return case when length(a.given) = 1 then 4 else 6 end; end if;
  if a.given_meant = b.given_meant then return 5; end if;
  v_ours := string_to_array(a.given_meant, ' ');
  v_theirs := string_to_array(b.given_meant, ' ');
  if a.given_meanings && b.given_meanings and (position(' ' in a.given) = 0 or position(' ' in b.given) = 0)
    and (v_ours[1] <> v_theirs[1] or cardinality(v_ours) = cardinality(v_theirs) and cardinality(v_ours) > 1)
      then return 5; end if;
  -- Javier may stand for Francisco Javier, but Francisco is somebody else.
  if v_ours[1] = v_theirs[1]
    and (cardinality(v_ours) = 1 and position(' ' in b.given) = 0 and v_theirs[1] <> b.given
    or cardinality(v_theirs) = 1 and position(' ' in a.given) = 0 and v_ours[1] <> a.given) 
    and cardinality(v_ours) <> cardinality(v_theirs) then
    return case when left(a.given, 3) = left(b.given, 3) then 2 else 1 end;
  end if;
  -- Antonio and Antonia are two people, and so are Manuel and Manuela.
  if length(a.given) = length(b.given) and left(a.given, -1) = left(b.given, -1)
    and right(a.given, 1) in ('a', 'o') and right(b.given, 1) in ('a', 'o') then return 1; end if;
  if v_ours[1] || 'a' = v_theirs[1] or v_theirs[1] || 'a' = v_ours[1] then return 1; end if;
  -- One initial, or one name of several: J., José, José María. María and José alone say too little of a
  -- second place.
  if v_ours[1] = v_theirs[1] then
    return case when cardinality(v_ours) = 1 or cardinality(v_theirs) = 1
      or private.name_closeness(v_ours[2], v_theirs[2]) > 0 or left(v_ours[2], 1) = v_theirs[2]
        or left(v_theirs[2], 1) = v_ours[2]
      then 4 else 1 end;
  end if;
  -- W. may be William, which means Guillermo.
  if length(split_part(a.given, ' ', 1)) = 1 and left(a.given, 1) in (left(v_theirs[1], 1), left(b.given, 1))
    or length(split_part(b.given, ' ', 1)) = 1 and left(b.given, 1) in (left(v_ours[1], 1), left(a.given, 1))
      then return 4; end if;
  if cardinality(v_ours) = 1 and v_ours[1] = v_theirs[2] and v_ours[1] not in ('maria', 'jose')
    or cardinality(v_theirs) = 1 and v_theirs[1] = v_ours[2] and v_theirs[1] not in ('maria', 'jose')
      then return 4; end if;
  case private.name_closeness(v_ours[1], v_theirs[1])
    when 2 then return 3;
    when 1 then return 2;
    else
      if starts_with(v_ours[1], split_part(b.given, ' ', 1)) and length(split_part(b.given, ' ', 1)) >= 3
        or starts_with(v_theirs[1], split_part(a.given, ' ', 1)) and length(split_part(a.given, ' ', 1)) >= 3
          then return 2; end if;
      if private.name_closeness(replace(a.given, ' ', ''), replace(b.given, ' ', '')) >= 2
        then return 3; end if;
      return 1;
  end case;
end
$$;

create or replace function private.surname_level(a private.customer_identity, b private.customer_identity)
  returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_first integer;
  v_crossed integer;
begin
  if a.surname2 is null and b.surname2 is null then
    if a.surname1 = b.surname1 then return 6; end if;
    return case private.name_closeness(a.surname1, b.surname1) when 2 then 4 when 1 then 2 else 1 end;
  end if;
  if a.surname2 is not null and b.surname2 is not null then
    if a.surname1 = b.surname1 and a.surname2 = b.surname2 or a.surname1 = b.surname2
      and a.surname2 = b.surname1 then return 7; end if;
    v_first := private.name_closeness(a.surname1, b.surname1) * 4 + private.name_closeness(a.surname2,
      b.surname2);
    if v_first in (15, 14, 11, 10, 13, 7) then return 4; end if;
    v_crossed := private.name_closeness(a.surname1, b.surname2) * 4 + private.name_closeness(a.surname2,
      b.surname1);
    if v_crossed in (15, 14, 11, 10) then return 4; end if;
    if v_first >= 12 or v_first % 4 = 3 then return 3; end if;
    if a.surname1 || a.surname2 = b.surname1 || b.surname2 then return 4; end if;
    return 1;
  end if;
  -- One has both surnames, the other one of them.
  if a.surname1 = b.surname1 then return 5; end if;
  if a.surname2 is null and a.surname1 = b.surname2 or b.surname2 is null and b.surname1 = a.surname2
    then return 5; end if;
  if a.surname1 || coalesce(a.surname2, '') = b.surname1 || coalesce(b.surname2, '') then return 4; end if;
  return case private.name_closeness(a.surname1, b.surname1) when 2 then 4 when 1 then 2 else 1 end;
end
$$;

create or replace function private.birth_level(p_one date, p_other date) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_one text;
  v_other text;
  v_distance integer;
  v_same integer;
begin
  if p_one = p_other then return 4; end if;
  v_one := to_char(p_one, 'YYYYMMDD');
  v_other := to_char(p_other, 'YYYYMMDD');
  v_distance := extensions.levenshtein_less_equal(v_one, v_other, 2);
  v_same := (left(v_one, 4) = left(v_other, 4))::integer
    + (substr(v_one, 5, 2) = substr(v_other, 5, 2))::integer
    + (right(v_one, 2) = right(v_other, 2))::integer;
  if v_distance = 1 or left(v_one, 4) = left(v_other, 4) and substr(v_one, 5, 2) = right(v_other, 2)
    and right(v_one, 2) = substr(v_other, 5, 2)
  then return 3; end if;
  if v_same = 2 and (left(v_one, 4) = left(v_other, 4) or abs(p_one - p_other) < 13 * 366)
    then return 2; end if;
  if abs(p_one - p_other) < 32 or v_distance = 2 and v_same >= 1 and abs(p_one - p_other) < 13 * 366
    then return 2; end if;
  if abs(p_one - p_other) < 400 then return 6; end if;
  return case when abs(p_one - p_other) > 15 * 365 and v_same < 2 then 5 else 1 end;
end
$$;

create or replace function private.says_name(p_local text, a private.customer_identity) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_rest text := p_local;
  v_first text := split_part(a.given, ' ', 1);
  v_word text;
begin
  if p_local ~ '[0-9]{2}' or a.surname1 is null then return false; end if;
  -- What is left without the names is initials.
  foreach v_word in array array[a.surname1, a.surname2, replace(a.given, ' ', ''), v_first] loop
    if length(v_word) > 2 then v_rest := replace(v_rest, v_word, ''); end if;
  end loop;
  return v_rest <> p_local and length(v_rest) <= 2;
end
$$;
comment on function private.says_name(text, private.customer_identity) is
  'Whether the part before the @ is the person''s name and no more (jgarcia, garcia.jose), so that namesakes have like ones.';

create or replace function private.email_level(a private.customer_identity, b private.customer_identity)
  returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_domain boolean;
  v_named boolean;
begin
  if a.mailbox = b.mailbox then return case when a.email_suffix = b.email_suffix then 6 else 5 end; end if;
  v_domain := extensions.levenshtein_less_equal(a.email_domain, b.email_domain, 2) <= 2;
  v_named := private.says_name(a.email_local, a) and private.says_name(b.email_local, b);
  if a.email_local = b.email_local then
    -- A host misspelt is one mailbox; ana.perez@ and ana_perez@ of one host are two.
    if v_domain then return case when private.is_shared_mailbox(a.email_local) then 3
      when v_named and a.email_domain = b.email_domain then 7 else 5 end; end if;
    if private.is_shared_mailbox(a.email_local) or length(a.email_local) < 5 then return 1; end if;
    -- jose.garcia@ is the address of many, jose.garcia1975@ of few.
    return case when v_named or a.email_local !~ '[0-9]{2}'
      and (a.email_local ~ a.surname1 or a.email_local ~ a.given) then 7 else 4 end;
  end if;
  -- Another number is another person; a slip of the keys is in the letters.
  if least(length(a.email_local), length(b.email_local)) >= 5 and (v_domain or a.email_local ~ '[0-9]{2}')
    and regexp_replace(a.email_local, '[^0-9]', '', 'g') = regexp_replace(b.email_local, '[^0-9]', '', 'g')
    and extensions.levenshtein_less_equal(left(a.email_local, 60), left(b.email_local, 60), 2) <= 2 then
    return case when v_domain and not v_named then 3 else 7 end;
  end if;
  if a.email_domain = b.email_domain and not private.is_free_mail(a.email_domain) then return 2; end if;
  return 1;
end
$$;

create or replace function private.is_free_mail(p_domain text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return p_domain ~
    '^(gmail|googlemail|hotmail|outlook|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|proton|protonmail|telefonica|terra|ono|orange|movistar|wanadoo|euskaltel|sapo|mail|web|t-online|free|laposte|libero|yandex|zoho|tutanota|pm)\.[a-z.]{2,6}$';
end
$$;
comment on function private.is_free_mail(text) is 'Whether anyone may have an address there, so that sharing the domain says nothing.';

create or replace function private.text_level(p_one text, p_other text) returns integer
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_alike real;
begin
  if p_one = p_other then return 5; end if;
  v_alike := extensions.similarity(p_one, p_other);
  return case when v_alike >= 0.75 then 4 when v_alike >= 0.5 then 3 when v_alike >= 0.25 then 2 else 1 end;
end
$$;

create or replace function private.compare_identities(a private.customer_identity,
  b private.customer_identity, p_shares real[], p_all boolean)
returns smallint[]
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_given integer := 0;
  v_surname integer := 0;
  v_birth integer := 0;
  v_email integer := 0;
  v_phone integer := 0;
  v_address integer := 0;
  v_postcode integer := 0;
  v_company integer := 0;
  v_job integer := 0;
  v_distance integer;
  v_rarity real := 0;
begin
  -- Most pairs agree in much: a call costs more than to see that. See given_level and surname_level.
  if a.given_meant is not null and b.given_meant is not null then
    v_given := case when a.given = b.given and length(a.given) > 1 then 6 else private.given_level(a, b) end;
  end if;
  if a.surname1 is not null and b.surname1 is not null then
    v_surname := case when a.surname1 = b.surname1 and a.surname2 is null and b.surname2 is null then 6
      else private.surname_level(a, b) end;
  end if;
  if v_given <= 2 and v_surname <= 2 and a.given_meant is not null and b.given_meant is not null
    and (left(a.given, 1) = left(b.surname1, 1) and left(b.given, 1) = left(a.surname1, 1)
        and private.name_closeness(a.given, b.surname1) >= 2
          and private.name_closeness(a.surname1, b.given) >= 2
      or a.surname2 is null and b.surname1 is null and private.name_closeness(a.surname1, b.given) >= 2 
      or b.surname2 is null and a.surname1 is null and private.name_closeness(b.surname1, a.given) >= 2) then
    v_given := 7;
    v_surname := case when a.surname1 is null or b.surname1 is null then 0 else 6 end;
  end if;
  -- Two names that both differ are two people, unless they were born on one day and live in one place.
  if v_given = 1 and v_surname = 1 and (a.birth_date = b.birth_date) is not true
    and not p_all then return null; end if;
  if a.birth_date is not null and b.birth_date is not null then
    v_birth := case when a.birth_date = b.birth_date then 4
      else private.birth_level(a.birth_date, b.birth_date) end;
  end if;
  if v_birth = 5 and not p_all then return null; end if;
  if a.mailbox is not null and b.mailbox is not null then v_email := private.email_level(a, b); end if;
  if v_given = 1 and v_email < 3 and v_birth not in (3, 4) and not p_all then return null; end if;
  if a.phone is not null and b.phone is not null then
    if a.phone = b.phone then v_phone := 4;
    else
      v_distance := extensions.levenshtein_less_equal(a.phone, b.phone, 2);
      v_phone := case when v_distance = 1 then 3 when v_distance = 2 then 2
        when right(a.phone, 8) = right(b.phone, 8) then 3 else 1 end;
    end if;
  end if;
  if a.address is not null and b.address is not null then
    v_address := case when a.address = b.address then 5 else private.text_level(a.address, b.address) end;
  end if;
  if v_given = 1 and v_surname = 1 and v_address < 3 and not p_all then return null; end if;
  if a.postcode is not null and b.postcode is not null then
    v_postcode := case when a.postcode = b.postcode then 4
      when extensions.levenshtein_less_equal(a.postcode, b.postcode, 1) <= 1 then 3
      when left(a.postcode, 2) = left(b.postcode, 2) then 2 else 1 end;
  end if;
  if a.company is not null and b.company is not null then
    v_company := case when a.company = b.company then 3
      else (array[1, 1, 2, 2, 3])[private.text_level(a.company, b.company)] end;
  end if;
  if a.job_title is not null and b.job_title is not null then
    v_job := case when a.job_title = b.job_title then 3
      else (array[1, 1, 2, 2, 3])[private.text_level(a.job_title, b.job_title)] end;
  end if;
  if v_given in (5, 6, 7) then v_rarity := p_shares[1]; end if;
  case v_surname
    when 6, 7 then v_rarity := v_rarity + p_shares[2] + case v_surname when 7 then p_shares[3] else 0 end;
    when 3, 5 then v_rarity := v_rarity + case when a.surname1 in (b.surname1, b.surname2) then p_shares[2]
      else p_shares[3] end;
    else null;
  end case;
  -- A phone or mailbox under several names says less of each of them.
  if v_phone = 4 then v_rarity := v_rarity - p_shares[4]; end if;
  if v_email >= 5 then v_rarity := v_rarity - p_shares[5]; end if;
  return array[v_given, v_surname, v_birth, v_email, v_phone, v_address, v_postcode, v_company, v_job,
    round(v_rarity)];
end
$$;
comment on function private.compare_identities(private.customer_identity, private.customer_identity, real[], boolean) is
  'The levels at which two people agree, by field in the order of private.identity_seeds (0: one has none), and last how rare the names are that agree, in bits. p_shares: the rarity of a''s given name and surnames, in bits. Null for pairs that cannot be one person, unless p_all.';

create or replace function private.identity_candidates(p_people private.customer_identity[],
  p_most integer default 24)
returns table (place bigint, customer_id uuid)
language plpgsql stable rows 2000 set search_path = ''
as $$
begin
  return query
  select p.ordinality, k.customer_id
  from unnest(p_people) with ordinality as p
  cross join lateral (
    (select i.customer_id from private.customer_identity i where i.by_mailbox = p.by_mailbox limit p_most)
    union (select i.customer_id from private.customer_identity i where i.by_local_part = p.by_local_part
      limit p_most)
    union (select i.customer_id from private.customer_identity i where i.by_phone = p.by_phone limit p_most)
    -- Of similar numbers, only those with a surname or the first letter of the given name in common, or
    -- without a given name: numbers alone are similar by chance.
    union (select n.customer_id from (
        select i.* from private.customer_identity i where i.by_phone_start = p.by_phone_start
        union all select i.* from private.customer_identity i where i.by_phone_middle = p.by_phone_middle
        union all select i.* from private.customer_identity i where i.by_phone_end = p.by_phone_end) as n
      where n.given_meant is null or p.given_meant is null
        or left(n.given_meant, 1) = left(p.given_meant, 1) or left(n.given, 1) = left(p.given, 1)
        or n.surname1 = p.surname1 or n.surname1 = p.surname2 or n.surname2 = p.surname1
      limit 3 * p_most)
    union (select i.customer_id from private.customer_identity i where i.by_name = p.by_name limit p_most)
    union (select i.customer_id from private.customer_identity i where i.by_sound = p.by_sound limit p_most)
    -- Fred means Alfred and Frederick; a typing error is seldom in the first two letters.
    union (select i.customer_id from private.customer_identity i
      where i.by_surname = p.by_surname
        and (i.given is null or p.given is null or i.given_meanings && p.given_meanings
        or left(i.given, 2) = left(p.given, 2) or left(i.given, 1) = left(p.given, 1)
          and (split_part(i.given, ' ', 1) = left(i.given, 1)
            or split_part(p.given, ' ', 1) = left(p.given, 1)))
      limit p_most)
    union (select i.customer_id from private.customer_identity i where i.by_surnames = p.by_surnames
      limit p_most)
    union (select i.customer_id from private.customer_identity i where i.by_birth = p.by_birth
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_birth_given = p.by_birth_given
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_birth_month = p.by_birth_month
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_address = p.by_address
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_postcode = p.by_postcode
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_given_month = p.by_given_month
      limit p_most / 2)
    union (select i.customer_id from private.customer_identity i where i.by_home = p.by_home limit p_most / 2)
  ) as k
  where k.customer_id is distinct from p.customer_id;
end
$$;
comment on function private.identity_candidates(private.customer_identity[], integer) is
  'Who shares a blocking key with the people: the only ones they are compared with. place: which of the people, from 1.';
grant execute on function private.birth_level(date, date) to service_role;
comment on function private.given_level(private.customer_identity, private.customer_identity) is
  'The level at which two given names agree (private.identity_seeds).';
comment on function private.surname_level(private.customer_identity, private.customer_identity) is
  'The level at which surnames agree, in any order, the second perhaps missing.';
comment on function private.birth_level(date, date) is 'The level at which two birth dates agree; 5: a generation apart.';
comment on function private.email_level(private.customer_identity, private.customer_identity) is
  'The level at which two e-mail addresses agree.';
comment on function private.text_level(text, text) is '5 equal, 4 close, 3 similar, 2 related, 1 different, by trigrams.';
