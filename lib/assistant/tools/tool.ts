import type { z } from 'zod'
import type { Permission } from '@/lib/auth/permissions'
import type { Session } from '@/lib/auth/session'
import type { Source } from '../schema'

/** A record that a look-up returned, and by which texts a reply names it. */
export interface Found extends Source {
  names: string[]
}

/** What a look-up gives the model: rows (without ids and contact data), and whether there were more. */
export interface LookUp {
  rows: object[]
  more: boolean
  /** The locations of which days that were asked about are not known. */
  noData?: string[]
  found: Found[]
}

/** A read-only question the model may ask, under the caller's own rights. */
export interface Tool<S extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  /** Offered only to those who hold it; the database checks again. */
  permission: Permission
  arguments: S
  /**
   * @param limit the most rows it may return
   * @throws ToolError that the model can act on
   */
  run: (session: Session, args: z.output<S>, options: { limit: number; now: Date }) => Promise<LookUp>
}

/** Why a look-up cannot be answered, in words for the model. */
export class ToolError extends Error {}

/** Keeps the types of the arguments within a tool, and forgets them outside. */
export const defineTool = <S extends z.ZodObject>(tool: Tool<S>): Tool => tool as unknown as Tool
