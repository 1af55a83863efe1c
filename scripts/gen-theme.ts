// `npm run gen:theme`: writes components/ui/theme-variables.css anew after a change of components/ui/theme.ts.
import { writeFileSync } from 'node:fs'
import { themeCss } from './theme-css'

writeFileSync(new URL('../components/ui/theme-variables.css', import.meta.url), themeCss())
