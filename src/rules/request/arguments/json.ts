/** The values of a JSON text with the path to each, as arguments: `json.items.3.note`. */
import { bytesOf, showText } from '#base';
import type { RequestArgument } from './argument.ts';
import { argumentsMax } from '../limits.ts';

export interface JsonArguments {
  readonly list: readonly RequestArgument[];
  readonly isCut: boolean;
  /** Why the text is not valid JSON. */
  readonly error: string | undefined;
}

/** Deeper texts are refused as an error. @internal Exported for tests. */
export const jsonDepthMax = 512;

export function readJsonArguments(body: string): JsonArguments {
  let document: unknown;
  try {
    document = JSON.parse(showText(body));
  } catch (error) {
    return { list: [], isCut: false, error: (error as Error).message };
  }
  const list: RequestArgument[] = [];
  const pending: { readonly name: string; readonly value: unknown; readonly depth: number }[] = [
    { name: 'json', value: document, depth: 0 },
  ];
  while (pending.length > 0) {
    const { name, value, depth } = pending.pop()!;
    if (typeof value !== 'object' || value === null) {
      if (list.length >= argumentsMax) return { list, isCut: true, error: undefined };
      list.push({ name, value: writeScalar(value) });
      continue;
    }
    if (depth >= jsonDepthMax)
      return { list, isCut: true, error: `JSON is nested deeper than ${jsonDepthMax}` };
    const inside = Object.entries(value).map(([key, part]) => ({
      name: `${name}.${bytesOf(key)}`,
      value: part as unknown,
      depth: depth + 1,
    }));
    pending.push(...inside.toReversed());
  }
  return { list, isCut: false, error: undefined };
}

function writeScalar(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? bytesOf(value) : JSON.stringify(value);
}
