// `npm run gen:landlines`: writes supabase/logic/messages/landlines.sql anew after an update of libphonenumber-js.
import { writeFileSync } from 'node:fs'
import { landlinesSql } from './landlines'

writeFileSync(new URL('../supabase/logic/messages/landlines.sql', import.meta.url), landlinesSql())
