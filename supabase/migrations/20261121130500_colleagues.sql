-- Whom a ticket or an appointment can be given to: everyone needs the names, only managers the team itself.

create function public.list_colleagues() returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select p.id, coalesce(nullif(p.full_name, ''), p.email)
  from public.profiles p
  where p.organization_id = any(array(select private.my_organizations())) and p.role <> 'machine'
  order by 2, 1
  limit 500
$$;
comment on function public.list_colleagues() is
  'The people of the caller''s organization, by name: whom something can be assigned to. With its owner''s rights, as profiles are for team managers.';

revoke execute on function public.list_colleagues() from public, anon;
grant execute on function public.list_colleagues() to authenticated;
