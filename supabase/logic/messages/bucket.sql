-- The bucket of Supabase Storage for images in e-mails. It is public, because mail programs have no key.
-- Only the service role can write to it, because storage.objects has no policy. It stands in supabase/logic,
-- because db:release copies each changed file of this folder into a migration, and compares no rows.

do $$
begin
  if to_regclass('storage.buckets') is not null then
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values ('email-images', 'email-images', true, 2097152,
      array['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
    on conflict (id) do update set public = excluded.public, file_size_limit = excluded.file_size_limit,
      allowed_mime_types = excluded.allowed_mime_types;
  end if;
end
$$;
