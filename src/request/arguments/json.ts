/** The values of a JSON text with the path to each, as arguments: `json.items.3.note`. */
import { type RequestArgument, argumentsMax } from './argument.ts';

export interface JsonArguments {
  readonly list: readonly RequestArgument[];
  readonly isCut: boolean;
  /** Why the text is no JSON. */
  readonly error: string | undefined;
}

/** Deeper texts are refused as an error. @internal Exported for tests. */
export const jsonDepthMax = 512;

export function readJsonArguments(body: string): JsonArguments {
  let document: unknown;
  try {
    document = JSON.parse(
      /[^\0-\x7f]/.test(body) ? Buffer.from(body, 'latin1').toString('utf8') : body,
    );
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
      name: `${name}.${toBytes(key)}`,
      value: part as unknown,
      depth: depth + 1,
    }));
    pending.push(...inside.toReversed());
  }
  return { list, isCut: false, error: undefined };
}

function writeScalar(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? toBytes(value) : JSON.stringify(value);
}

/** As a binary string. Most texts are ASCII, and then they are that already. */
function toBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}
