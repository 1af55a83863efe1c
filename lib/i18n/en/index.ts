import account from './account.json'
import app from './app.json'
import assistant from './assistant.json'
import audit from './audit.json'
import automations from './automations.json'
import busy from './busy.json'
import calendar from './calendar.json'
import campaigns from './campaigns.json'
import { client } from './client'
import common from './common.json'
import conversations from './conversations.json'
import customer from './customer.json'
import customers from './customers.json'
import docs from './docs.json'
import duplicates from './duplicates.json'
import fault from './fault.json'
import feedback from './feedback.json'
import guests from './guests.json'
import home from './home.json'
import installation from './installation.json'
import loyalty from './loyalty.json'
import messages from './messages.json'
import morning from './morning.json'
import nav from './nav.json'
import noAccess from './no-access.json'
import notFound from './not-found.json'
import palette from './palette.json'
import password from './password.json'
import push from './push.json'
import reports from './reports.json'
import reservation from './reservation.json'
import reservations from './reservations.json'
import roles from './roles.json'
import secondFactor from './second-factor.json'
import segments from './segments.json'
import service from './service.json'
import settings from './settings.json'
import setup from './setup.json'
import signIn from './sign-in.json'
import signUp from './sign-up.json'
import status from './status.json'
import survey from './survey.json'
import sync from './sync.json'
import tickets from './tickets.json'
import unsubscribe from './unsubscribe.json'
import userMenu from './user-menu.json'

/** The English texts, by feature. */
export const en = {
  account,
  app,
  assistant,
  audit,
  automations,
  busy,
  calendar,
  campaigns,
  common,
  conversations,
  customer,
  customers,
  docs,
  duplicates,
  fault,
  feedback,
  guests,
  home,
  installation,
  loyalty,
  messages,
  morning,
  nav,
  noAccess,
  notFound,
  palette,
  password,
  push,
  reports,
  reservation,
  reservations,
  roles,
  secondFactor,
  segments,
  service,
  settings,
  setup,
  signIn,
  signUp,
  status,
  survey,
  sync,
  tickets,
  unsubscribe,
  userMenu,
  client,
}
