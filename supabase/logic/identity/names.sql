-- The words of a name as they are compared (docs/identity.md, "Names").

create or replace function private.is_title(p_word text) returns boolean
language plpgsql immutable parallel safe set search_path = ''
as $$
begin
  return p_word = any(
    '{don,dona,d,dna,sr,sra,srta,srs,sres,senor,senora,senorita,senhor,senhora,dr,dra,prof,profa,excmo,excma,ilmo,ilma,mr,mrs,ms,miss,mister,sir,dame,lord,lady,rev,reverend,col,colonel,capt,captain,mme,mlle,monsieur,madame,herr,frau,familia,flia,fam}'::text[]);
end
$$;
comment on function private.is_title(text) is 'Whether the word, in lower case and without accents, stands before names: sra, dr.';

create or replace function private.name_tokens(value text) returns text[]
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_particles constant text[] := '{de,del,la,las,los,el,da,das,do,dos,di,du,della,van,von,der,den,ter,zu}';
  v_links constant text[] := '{y,i,e}';
  v_words text[];
  v_kept text[];
begin
  if value is null then
    return '{}';
  end if;
  if value ~ 'ª' then
    value := regexp_replace(value, '\m[Mm]\.?\s?ª\.?', 'maria ', 'g');
  end if;
  v_words := array_remove(regexp_split_to_array(
    translate(private.fold(value), '''`·', ''), '[\s.,;:/\\()\[\]{}"&+*_|<>=!?¡¿#@~-]+'), '');
  -- Words before a name, as long as a name follows.
  while cardinality(v_words) > 1 and private.is_title(v_words[1]) loop
    v_words := v_words[2:];
  end loop;
  if not v_words && (v_particles || v_links) then
    return v_words;
  end if;
  -- A single letter joins two surnames (Ortega y Gasset); at an end it is an initial.
  v_kept := array(
    select t.word from unnest(v_words) with ordinality as t (word, place)
    where t.word <> all(v_particles)
      and not (t.word = any(v_links) and t.place between 2 and cardinality(v_words) - 1)
    order by t.place);
  return case when v_kept = '{}' then v_words else v_kept end;
end
$$;
comment on function private.name_tokens(text) is
  'The words of a name in their order, lower case, without accents, titles (don, sra, dr) and particles (de la, van, y): "D.ª M.ª Ángeles de la Peña" is {maria,angeles,pena}. Initials stay. Null and blank have none.';
grant execute on function private.is_title(text), private.name_tokens(text) to service_role;
