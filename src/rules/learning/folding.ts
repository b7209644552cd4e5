/**
 * Paths and names with what differs from one thing to the next taken out: `/product/17` and `/product/18` are one path.
 * Some segments say so themselves (numbers, ids, long words); others only by how many there are (`foldWide`).
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

/** Takes the segments below each of the paths in `wide` for one. */
export function foldWide(path: string, wide: ReadonlySet<string>): string {
  if (wide.size === 0) return path;
  let folded = '';
  for (const segment of path.split('/').slice(1))
    folded += wide.has(folded) && isNameOfThing(segment) ? '/{text}' : `/${segment}`;
  return folded;
}

/** What has a dot is a page or a file with a name of its own. */
export function isNameOfThing(segment: string): boolean {
  return segment !== '' && !segment.startsWith('{') && !segment.includes('.');
}

const plainName = /^[\w.$@:/*[\]-]+$/;

/** `items[3].note` is `items[*].note`. Undefined for one that no program gives. */
export function foldName(name: string): string | undefined {
  const folded = name.replaceAll(/\[\d{1,9}\]/g, '[*]');
  return folded.length <= nameCharactersMax && plainName.test(folded) ? folded : undefined;
}
