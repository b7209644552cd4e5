/**
 * Paths and names without the parts that differ between items: `/product/17` and `/product/18` are one path. Some
 * segments are recognisable (numbers, ids, long words); others only by their number (`foldWide`).
 */
import { nameCharactersMax, pathCharactersMax, segmentsMax } from './limits.ts';

const idOf: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['{number}', /^\d+$/],
  ['{id}', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^(?=[a-f]*\d)[0-9a-f]{8,}$/i],
  ['{date}', /^\d{4}-\d{2}(?:-\d{2})?(?:T[\d:.]+Z?)?$/],
  // Escapes, several dashes, many digits, or longer than a name in a program.
  ['{text}', /[^\w.~-]|(?:[^-]*-){3}|(?:\D*\d){5}|^.{33,}$/],
];

/** Undefined for a path that is too long to be learned. */
export function foldPath(path: string): string | undefined {
  if (path.length > 2_000) return undefined;
  const segments = path.split('/').slice(1);
  const folded = segments
    .slice(0, segmentsMax)
    .map((segment) => idOf.find(([, pattern]) => pattern.test(segment))?.[0] ?? segment);
  const text = `/${folded.join('/')}${segments.length > segmentsMax ? '/{more}' : ''}`;
  return text.length > pathCharactersMax ? undefined : text;
}

/** Treats the segments below each of the paths in `wide` as one. */
export function foldWide(path: string, wide: ReadonlySet<string>): string {
  if (wide.size === 0) return path;
  let folded = '';
  for (const segment of path.split('/').slice(1))
    folded += wide.has(folded) && isNameOfThing(segment) ? '/{text}' : `/${segment}`;
  return folded;
}

/** A segment with a dot is a page or a file with its own name. */
export function isNameOfThing(segment: string): boolean {
  return segment !== '' && !segment.startsWith('{') && !segment.includes('.');
}

const plainName = /^[\w.$@:/*[\]-]+$/;

/** `items[3].note` is `items[*].note`. Undefined for a name that no program uses. */
export function foldName(name: string): string | undefined {
  const folded = name.replaceAll(/\[\d{1,9}\]/g, '[*]');
  return folded.length <= nameCharactersMax && plainName.test(folded) ? folded : undefined;
}
