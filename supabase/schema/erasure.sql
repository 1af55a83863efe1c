-- What an erasure looks for in texts.

create type private.traces as (
  addresses text[], own text[], names text[], linked text, address text, named text, locations uuid[],
    reach uuid[]);
