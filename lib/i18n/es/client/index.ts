import assistant from './assistant.json'
import brands from './brands.json'
import datePick from './date-pick.json'
import docs from './docs.json'
import error from './error.json'
import form from './form.json'
import frame from './frame.json'
import imports from './import.json'
import integrations from './integrations.json'
import locations from './locations.json'
import notices from './notices.json'
import palette from './palette.json'
import password from './password.json'
import search from './search.json'
import signIn from './sign-in.json'
import signUp from './sign-up.json'
import sync from './sync.json'
import team from './team.json'

/** The Spanish texts of client components, by feature. */
export const client = {
  assistant,
  brands,
  datePick,
  docs,
  error,
  form,
  frame,
  import: imports,
  integrations,
  locations,
  notices,
  palette,
  password,
  search,
  signIn,
  signUp,
  sync,
  team,
}
