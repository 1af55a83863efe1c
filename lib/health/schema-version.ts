/** The number of this build's last migration; `installation_state` gives that of the database. */
export const SCHEMA_VERSION = '20261201023721'
