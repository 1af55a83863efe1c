import account from './account.json'
import assistant from './assistant.json'
import automationEditor from './automation-editor.json'
import automations from './automations.json'
import booking from './booking.json'
import brands from './brands.json'
import calendar from './calendar.json'
import campaignEditor from './campaign-editor.json'
import campaigns from './campaigns.json'
import closings from './closings.json'
import confirmCode from './confirm-code.json'
import consent from './consent.json'
import conversations from './conversations.json'
import customerFacts from './customer-facts.json'
import customerForm from './customer-form.json'
import customerMatches from './customer-matches.json'
import customerPicker from './customer-picker.json'
import customers from './customers.json'
import datePick from './date-pick.json'
import docs from './docs.json'
import emailDesign from './email-design.json'
import error from './error.json'
import errors from './errors.json'
import facts from './facts.json'
import feedback from './feedback.json'
import form from './form.json'
import frame from './frame.json'
import general from './general.json'
import guestFields from './guest-fields.json'
import guestLanguages from './guest-languages.json'
import hours from './hours.json'
import identity from './identity.json'
import imports from './import.json'
import integrations from './integrations.json'
import locations from './locations.json'
import loyalty from './loyalty.json'
import merge from './merge.json'
import messageReasons from './message-reasons.json'
import morning from './morning.json'
import notices from './notices.json'
import palette from './palette.json'
import password from './password.json'
import print from './print.json'
import risk from './risk.json'
import search from './search.json'
import secondFactor from './second-factor.json'
import segments from './segments.json'
import sendingCheck from './sending-check.json'
import service from './service.json'
import setup from './setup.json'
import setupSteps from './setup-steps.json'
import signIn from './sign-in.json'
import signUp from './sign-up.json'
import sync from './sync.json'
import tables from './tables.json'
import tablesBoard from './tables-board.json'
import team from './team.json'
import testSend from './test-send.json'
import tickets from './tickets.json'
import tokens from './tokens.json'

/** The Spanish texts of client components, by feature. */
export const client = {
  account,
  assistant,
  automationEditor,
  automations,
  booking,
  brands,
  calendar,
  campaignEditor,
  campaigns,
  closings,
  confirmCode,
  consent,
  conversations,
  customerFacts,
  customerForm,
  customerMatches,
  customerPicker,
  customers,
  datePick,
  docs,
  emailDesign,
  error,
  errors,
  facts,
  feedback,
  form,
  frame,
  general,
  guestFields,
  guestLanguages,
  hours,
  identity,
  import: imports,
  integrations,
  locations,
  loyalty,
  merge,
  messageReasons,
  morning,
  notices,
  palette,
  password,
  print,
  risk,
  search,
  secondFactor,
  setup,
  setupSteps,
  signIn,
  signUp,
  segments,
  sendingCheck,
  service,
  sync,
  tables,
  tablesBoard,
  team,
  testSend,
  tickets,
  tokens,
}
