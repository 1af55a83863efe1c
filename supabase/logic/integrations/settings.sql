-- Saving the configuration of an outside service, whose secrets are ciphertext, and sealing them again with a
-- new key.

create or replace function public.save_integration(p_organization uuid, p_type public.integration_type,
  p_enabled boolean, p_config jsonb, p_address text, p_secrets jsonb, p_required text[]) returns text[]
language plpgsql volatile set search_path = ''
as $$
declare
  v_old jsonb;
  v_moved boolean;
  v_secrets jsonb;
  v_missing text[];
begin
  insert into public.integration_configs (organization_id, integration_type) values (p_organization, p_type)
  on conflict do nothing;
  select secrets, address <> p_address into v_old, v_moved from public.integration_configs
  where organization_id = p_organization and integration_type = p_type for update;
  v_secrets := jsonb_strip_nulls(case when v_moved then p_secrets else v_old || p_secrets end);
  v_missing := array(select name from unnest(p_required) as name where not v_secrets ? name);
  -- What a move took away is no mistake of the request; what was never there is.
  if p_enabled and cardinality(v_missing) > 0 and not (v_moved and v_old ?& v_missing) then
    return v_missing;
  end if;
  update public.integration_configs
  set is_enabled = p_enabled and cardinality(v_missing) = 0, config = p_config, secrets = v_secrets,
    address = p_address
  where organization_id = p_organization and integration_type = p_type;
  return '{}';
end
$$;
comment on function public.save_integration(uuid, public.integration_type, boolean, jsonb, text, jsonb, text[]) is
  'Replaces config, merges secrets (null deletes). Another address clears the stored secrets and switches off what then lacks one. Returns the required names that are missing otherwise; then it saved nothing.';

create or replace function public.rotate_secrets(p_changes jsonb, p_retired jsonb) returns uuid[]
language sql volatile set search_path = ''
as $$
  with retired as (
    insert into public.retired_keys (id, sealed)
    select id, sealed from jsonb_to_recordset(p_retired) as r (id text, sealed text)
    on conflict (id) do update set sealed = excluded.sealed
  ), changed as (
    -- What was saved since it was read stays as it was saved.
    update public.integration_configs i set secrets = c.after
    from jsonb_to_recordset(p_changes) as c (id uuid, before jsonb, after jsonb)
    where i.id = c.id and i.secrets = c.before
    returning i.id
  )
  select coalesce(array_agg(id), '{}') from changed
$$;
comment on function public.rotate_secrets(jsonb, jsonb) is
  'Replaces integrations'' secrets ({id, before, after}) where they are still `before`, and keeps former keys ({id, sealed}). Returns the integrations it changed.';
grant execute on function
  public.save_integration(uuid, public.integration_type, boolean, jsonb, text, jsonb, text[]),
  public.rotate_secrets(jsonb, jsonb) to service_role;
