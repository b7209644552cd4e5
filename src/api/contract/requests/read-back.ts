/**
 * Clients change what they read and send all of it back with PUT or PATCH. So a field that occurs in the operation's
 * answer is not an error in its body: it is ignored there. Other unknown fields are refused.
 */
import type { JsonSchema, Problem } from '#shapes';

/** Whether a problem is only that the body has a field of the answer, at the same place as in the answer. */
export function isReadBack({ isUnknownField, pointer }: Problem, answer: JsonSchema | undefined): boolean {
  if (isUnknownField !== true || answer === undefined) return false;
  // A list or one item, on either side, and the field in which some bodies hold their items.
  const path = pointer
    .slice(1)
    .split('/')
    .filter((key) => key !== 'items' && !/^\d+$/.test(key));
  return isKnown(answer, path);
}

function isKnown(schema: JsonSchema, path: readonly string[]): boolean {
  const { anyOf, items, properties } = schema as {
    readonly anyOf?: readonly JsonSchema[];
    readonly items?: JsonSchema;
    readonly properties?: Readonly<Record<string, JsonSchema>>;
  };
  if (anyOf !== undefined) return anyOf.some((each) => isKnown(each, path));
  if (items !== undefined) return isKnown(items, path);
  const [key, ...rest] = path;
  if (key === undefined) return true;
  const below = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return below !== undefined && isKnown(below, rest);
}
