-- The bucket of images for e-mails. Mail programs read it without a key; nobody but the service writes
-- (storage.objects has no policy for it). A file of the logic, so that a change of it reaches a deployment.

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
