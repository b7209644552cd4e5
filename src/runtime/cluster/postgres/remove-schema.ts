import { readDatabaseUrls } from '../databases/database-list.ts';
import { systemLeaseClock } from '../lease-clock.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { addSchema, schemaPattern } from './schema-name.ts';

/** Removes a cluster that has a schema of its own, with all its content. None of its hosts may be running. */
export async function removeSchema(url: string | readonly string[], schema: string): Promise<void> {
  if (!schemaPattern.test(schema) || schema === 'gatehouse')
    throw new TypeError(`schema must be that of an additional cluster: ${schema}`);
  for (const database of readDatabaseUrls(url)) {
    const connection = new PostgresConnection(addSchema(database.url, schema), { clock: systemLeaseClock });
    try {
      // Drops the tables as well, and everything in the schema that the role may not see otherwise.
      await connection.query({
        text: 'DROP SCHEMA IF EXISTS gatehouse CASCADE'.replace('gatehouse', schema),
      });
    } finally {
      await connection.close();
    }
  }
}
