/** The values of a JSON text with the path to each, as arguments: `json.items.3.note`. */
import { decodeJsonEscapes, showText } from '#text';
import type { RequestArgument } from './argument.ts';
import { visitJsonPlaces } from '../json-parts.ts';
import { argumentsMax } from '../limits.ts';

export interface JsonArguments {
  readonly list: readonly RequestArgument[];
  /** Why the text is not valid JSON. */
  readonly error: string | undefined;
}

/** Deeper texts are refused as an error. @internal Exported for tests. */
export const jsonDepthMax = 512;

/** All values of a name that occurs twice: applications differ on which of them counts. */
export function readJsonArguments(body: string): JsonArguments {
  const list: RequestArgument[] = [];
  try {
    JSON.parse(showText(body));
  } catch (error) {
    return { list, error: (error as Error).message };
  }
  const depth = visitJsonPlaces(body, { root: 'json', join: joinPath }, ({ token, name, start, end }) => {
    if (token === 'name') return;
    const written = body.slice(start, end);
    const scalar = written === 'null' ? '' : written;
    const value = token === 'string' ? decodeJsonEscapes(written) : scalar;
    if (list.length < argumentsMax) list.push({ name, value });
    // The rest is one value, so that nothing is skipped.
    else if (list.length === argumentsMax) list.push({ name: 'json', value: body.slice(start) });
  });
  const error = depth > jsonDepthMax ? `JSON is nested deeper than ${jsonDepthMax}` : undefined;
  return { list, error };
}

function joinPath(path: string, part: string | number, depth: number): string {
  return depth > jsonDepthMax ? path : `${path}.${part}`;
}
