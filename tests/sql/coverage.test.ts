import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../support/stack'
import { accountFunctions } from './cases/account'
import { assistantFunctions, assistantTables } from './cases/assistant'
import { calendarFunctions, calendarTables } from './cases/calendar'
import { campaignFunctions, campaignTables } from './cases/campaigns'
import { changeFunctions, changeTables } from './cases/changes'
import { conversationFunctions, conversationTables } from './cases/conversations'
import { deliveryFunctions, deliveryTables } from './cases/delivery'
import { emailDesignFunctions, emailDesignTables } from './cases/email-designs'
import { feedbackFunctions, feedbackTables } from './cases/feedback'
import { guestFunctions, guestTables } from './cases/guests'
import { importFunctions, importTables } from './cases/imports'
import { integrationTables, jobFunctions } from './cases/integrations'
import { loyaltyFunctions, loyaltyTables } from './cases/loyalty'
import { messagingFunctions, messagingTables } from './cases/messaging'
import { noticeFunctions } from './cases/notices'
import { organizationFunctions, organizationTables } from './cases/organization'
import { pushFunctions, pushTables } from './cases/push'
import { segmentFunctions, segmentTables } from './cases/segments'
import { serviceFunctions, serviceTables } from './cases/service'
import { setupFunctions, setupTables } from './cases/setup'
import { tokenFunctions } from './cases/tokens'
import { startRlsStack } from './support'

let stack: Stack
beforeAll(async () => {
  stack = await startRlsStack()
})
afterAll(() => stack?.close())

it('every table and view of public has its expectations in tests/sql/cases', async () => {
  const cases = {
    ...organizationTables,
    ...loyaltyTables,
    ...guestTables,
    ...changeTables,
    ...integrationTables,
    ...messagingTables,
    ...assistantTables,
    ...calendarTables,
    ...importTables,
    ...deliveryTables,
    ...setupTables,
    ...segmentTables,
    ...emailDesignTables,
    ...feedbackTables,
    ...conversationTables,
    ...campaignTables,
    ...serviceTables,
    ...pushTables,
  }
  const tables = await stack.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
  )
  expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(cases).sort())
})

it('every function of public has its expectations in tests/sql/cases, and one signature', async () => {
  const cases = {
    ...organizationFunctions,
    ...accountFunctions,
    ...loyaltyFunctions,
    ...guestFunctions,
    ...changeFunctions,
    ...jobFunctions,
    ...messagingFunctions,
    ...assistantFunctions,
    ...calendarFunctions,
    ...importFunctions,
    ...deliveryFunctions,
    ...setupFunctions,
    ...noticeFunctions,
    ...tokenFunctions,
    ...segmentFunctions,
    ...emailDesignFunctions,
    ...feedbackFunctions,
    ...conversationFunctions,
    ...campaignFunctions,
    ...serviceFunctions,
    ...pushFunctions,
  }
  const functions = await stack.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(cases).sort())
})
