/**
 * The schema that the tables of a cluster are in. Statements are written for `gatehouse`; a cluster that shares a database
 * with another has a schema of its own, which the URLs of its connections name, so that everything that has the URL finds
 * its tables.
 */
const schemaDefault = 'gatehouse';
const parameter = 'gatehouse_schema';

const names = /\bgatehouse(?=\.|$)/g;

/** What a schema can be called: so it needs no quotes. */
export const schemaPattern = /^[a-z][a-z0-9_]{0,62}$/;

export function addSchema(url: string, schema: string | undefined): string {
  if (schema === undefined || schema === schemaDefault) return url;
  const added = new URL(url);
  added.searchParams.set(parameter, schema);
  return added.href;
}

/** The URL that the client library connects to, and how statements name the tables there. */
export function splitSchema(url: string): {
  readonly url: string;
  readonly qualify: (text: string) => string;
} {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get(parameter);
  if (schema === null) return { url, qualify: (text) => text };
  parsed.searchParams.delete(parameter);
  return { url: parsed.href, qualify: (text) => text.replaceAll(names, schema) };
}
