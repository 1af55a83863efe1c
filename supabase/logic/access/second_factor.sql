-- Using up the codes of a second factor, and its recovery codes. Only the app calls these functions, with the
-- secret key.

create or replace function public.claim_code(p_user uuid, p_hash text, p_now timestamptz default now())
  returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.used_codes where user_id = p_user and used_at < p_now - interval '5 minutes';
  insert into private.used_codes (user_id, code_hash, used_at) values (p_user, p_hash, p_now)
    on conflict do nothing;
  return found;
end
$$;
comment on function public.claim_code(uuid, text, timestamptz) is
  'Marks a code of the authenticator app as used, before Auth checks it; false when it was used within five minutes.';

create or replace function public.claim_recovery_code(p_user uuid, p_hash text,
  p_now timestamptz default now()) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.recovery_codes set claimed_at = p_now
  where user_id = p_user and code_hash = p_hash and claimed_at is null and private.has_second_factor(p_user);
  return found;
end
$$;
comment on function public.claim_recovery_code(uuid, text, timestamptz) is
  'Uses up a recovery code; false for one that is wrong or used.';

create or replace function public.release_code(p_user uuid, p_hash text) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.used_codes where user_id = p_user and code_hash = p_hash;
  update private.recovery_codes set claimed_at = null where user_id = p_user and code_hash = p_hash;
$$;
comment on function public.release_code(uuid, text) is 'Makes a code usable again after Auth refused it or did not answer.';

create or replace function public.keep_recovery_codes(p_user uuid, p_hashes text[]) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from private.recovery_codes where user_id = p_user;
  insert into private.recovery_codes (user_id, code_hash) select p_user, unnest(p_hashes);
$$;
comment on function public.keep_recovery_codes(uuid, text[]) is 'Replaces a person''s recovery codes.';

create or replace function public.forget_second_factor(p_user uuid, p_session uuid,
  p_now timestamptz default now()) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  delete from private.recovery_codes where user_id = p_user;
  delete from private.used_codes where user_id = p_user;
  insert into private.ended_sessions (session_id, user_id)
  select s.id, s.user_id from auth.sessions s where s.user_id = p_user and s.id <> p_session
  on conflict do nothing;
  insert into public.messages (organization_id, kind, purpose, about_type, about_id, channel, recipient,
    content, dedupe_key)
  select p.organization_id, 'notification', 'second_factor_removed', 'profile', p.id, 'email', p.email,
    jsonb_build_object(
      'template', 'second_factor_removed', 'organization', o.name, 'name', p.full_name, 'at', p_now,
      'required', private.must_have_second_factor(p.id),
      'timezone', o.timezone),
    format('second-factor-removed:%s:%s', p.id, to_char(p_now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'))
  from public.profiles p join public.organizations o on o.id = p.organization_id
  where p.id = p_user
  on conflict (organization_id, dedupe_key) do nothing;
end
$$;
comment on function public.forget_second_factor(uuid, uuid, timestamptz) is
  'After Auth has removed the factor: deletes its codes, ends the person''s other sessions and queues a mail about it.';
grant execute on function public.claim_code(uuid, text, timestamptz),
  public.claim_recovery_code(uuid, text, timestamptz), public.release_code(uuid, text),
  public.keep_recovery_codes(uuid, text[]), public.forget_second_factor(uuid, uuid, timestamptz)
    to service_role;
