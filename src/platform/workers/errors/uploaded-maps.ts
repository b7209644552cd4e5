/**
 * Source maps that were uploaded with a Worker: places in its modules are mapped to the sources. A map is parsed when
 * the first error with a frame of its module is reported, and an invalid map is ignored.
 */
import { SourceMap } from 'node:module';
import { uploadedFolder } from '#base';

/** Parsed maps, or functions that parse them, by module path. */
let maps: ReadonlyMap<string, () => SourceMap | undefined> = new Map();

const sourceCharactersMax = 300;

/** Used from now on, for the Worker that runs in this process. */
export function useSourceMaps(name: string, texts: Readonly<Record<string, string>>): void {
  maps = new Map(
    Object.entries(texts).map(([module, text]) => [`${uploadedFolder}${name}/${module}`, readOnce(text)]),
  );
}

/** Maps a place such as `src/index.ts:3:7`; undefined if no map contains it. Lines and columns start at 1. */
export function findSource(path: string, line: number, column: number): string | undefined {
  const entry = maps
    .get(path)?.()
    ?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry) || entry.generatedLine !== line - 1)
    return undefined;
  if (typeof entry.originalSource !== 'string') return undefined;
  const source = entry.originalSource.replace(/^(?:\.{1,2}\/)+/, '').slice(0, sourceCharactersMax);
  // Uploaded text is written to logs, so it must not contain control characters.
  return `${source.replace(/[\p{Cc}\s]+/gu, ' ')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** A stack with the places in the sources. */
export function mapFrames(stack: string): string {
  if (maps.size === 0) return stack;
  return stack.replace(place, (whole, path: string, line: string, column: string) => {
    return findSource(path, Number(line), Number(column)) ?? whole;
  });
}

const place = new RegExp(
  `(?:file://)?(${uploadedFolder}[^\\s()?]+)(?:\\?[^\\s():]*)?:(\\d+):(\\d+)(?=\\)?$)`,
  'gm',
);

function readOnce(text: string): () => SourceMap | undefined {
  let read: { readonly map: SourceMap | undefined } | undefined;
  return () => (read ??= { map: readMap(text) }).map;
}

function readMap(text: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
  } catch {
    return undefined;
  }
}
