import { z } from 'zod'
import type { Source } from '@/lib/assistant/schema'
import type { Session } from '@/lib/auth/session'
import { type Location, listLocations } from '@/lib/locations/locations'
import type { Permission } from '@/lib/permissions'
import { fold } from '@/lib/text/fold'

/** A record that a look-up returned, and the texts by which a reply may name it. */
export interface Found extends Source {
  names: string[]
}

/** The result of a look-up for the model: rows (without ids and contact data), and whether there were more. */
export interface LookUp {
  rows: object[]
  more: boolean
  /** The locations for which some of the days asked about are unknown. */
  noData?: string[]
  found: Found[]
}

/** A query, or a draft, that the model may make with the rights of the caller. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  /** Offered only to callers who have it; the database checks again. */
  permission: Permission
  arguments: S
  /** It makes something: once a reply. */
  once?: boolean
  /**
   * @param limit the maximum number of rows
   * @throws ToolError that the model can act on
   */
  run: (session: Session, args: z.output<S>, options: { limit: number; now: Date }) => Promise<LookUp>
}

/** Why a look-up failed, as a text for the model. */
export class ToolError extends Error {}

/** Types the arguments within a tool and erases their type outside. */
export const defineTool = <S extends z.ZodObject>(tool: Tool<S>): Tool => tool as unknown as Tool

/** A date within the years that make sense for a reservation. */
export const dateSchema = z.iso
  .date()
  .refine((date) => date >= '1990-01-01' && date <= '2100-12-31', 'outside of 1990–2100')

/**
 * The location with this name, or the only one whose name contains it.
 * @throws ToolError that lists the caller's locations.
 */
export async function locationNamed(session: Session, name: string): Promise<Location> {
  const locations = await listLocations(session)
  const wanted = fold(name)
  const exact = locations.filter((location) => fold(location.name) === wanted)
  const similar = locations.filter((location) => fold(location.name).includes(wanted))
  const [match, ...others] = exact.length > 0 ? exact : similar
  if (match && others.length === 0) return match
  const names = locations.slice(0, 50).map((location) => location.name)
  throw new ToolError(`No such location. The locations are: ${JSON.stringify(names)}`)
}
