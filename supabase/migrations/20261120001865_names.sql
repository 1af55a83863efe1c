-- Stand-in until the names data is there: variants of names and how often names are given.

create table private.name_variants (
  spelling text not null,
  canonical text not null,
  kind text not null check (kind in ('given', 'surname')),
  primary key (spelling, canonical, kind)
);
create table private.name_frequencies (
  kind text not null check (kind in ('given', 'surname')),
  name text not null,
  per_million real not null,
  primary key (kind, name)
);
revoke all on private.name_variants, private.name_frequencies from public, anon, authenticated;
grant select on private.name_variants, private.name_frequencies to service_role;
insert into private.name_variants (spelling, canonical, kind) values
  ('pepe', 'jose', 'given'), ('paco', 'francisco', 'given'), ('jordi', 'jorge', 'given'), ('m', 'maria', 'given'),
  ('rob', 'robert', 'given'), ('bob', 'robert', 'given'), ('bill', 'william', 'given'), ('will', 'william', 'given'),
  ('liz', 'elizabeth', 'given'), ('jim', 'james', 'given'), ('tom', 'thomas', 'given'), ('dick', 'richard', 'given');
