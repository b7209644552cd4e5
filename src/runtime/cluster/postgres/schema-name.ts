/**
 * The schema that the tables of a cluster are in. Statements are written for `gatehouse`; a cluster that shares a
 * database with another has a schema of its own, named in the URLs of its connections, so that all code with the URL
 * finds its tables.
 */
const schemaDefault = 'gatehouse';
const parameter = 'gatehouse_schema';

const names = /\bgatehouse(?=\.|$)/g;

/** Valid schema names: they need no quotes. */
export const schemaPattern = /^[a-z][a-z0-9_]{0,62}$/;

export function addSchema(url: string, schema: string | undefined): string {
  if (schema === undefined || schema === schemaDefault) return url;
  const added = new URL(url);
  added.searchParams.set(parameter, schema);
  return added.href;
}

/** Splits a URL into the one to connect to, and a function that qualifies the tables in statements. */
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
