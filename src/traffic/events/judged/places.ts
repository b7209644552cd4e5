/** Finds the cookie, argument, header or body field that contains a match. */
import type { Match, RequestView, Seen, Value } from '#expressions';
import {
  listBodyParts,
  listCookieParts,
  listQueryParts,
  listUriParts,
  type NamedPart,
  type PartKind,
} from '#request';
import { partTriesMax } from '../limits.ts';
import type { JudgedPlace } from './judged.ts';
import { createReader, type FieldReader } from './read-field.ts';
import { readVariable } from './seclang-variables.ts';

const readers = new Map<string, FieldReader>();

/** At most one reader per named field is created. */
function readField(view: RequestView, field: string): Value | undefined {
  let reader = readers.get(field);
  if (reader === undefined) readers.set(field, (reader = createReader(field)));
  return reader(view);
}

/** Fields that consist of one header. */
const headerFields: Readonly<Record<string, string>> = {
  'http.host': 'host',
  'http.referer': 'referer',
  'http.user_agent': 'user-agent',
  'http.x_forwarded_for': 'x-forwarded-for',
};

/** Fields that are a map, and those that list its names and values. */
const collections: readonly (readonly [pattern: RegExp, kind: PartKind])[] = [
  [/^(?:raw\.)?http\.request\.headers(?=$|\.)/, 'header'],
  [/^http\.request\.cookies(?=$|\.)/, 'cookie'],
  [/^(?:raw\.)?http\.request\.uri\.args(?=$|\.)/, 'argument'],
  [/^http\.request\.body\.form(?=$|\.)/, 'form field'],
  [/^http\.request\.body\.multipart(?=$|\.)/, 'multipart field'],
];

export class Places {
  readonly #view: RequestView;
  readonly #parts = new Map<string, readonly NamedPart[]>();
  #triesLeft = partTriesMax;

  constructor(view: RequestView) {
    this.#view = view;
  }

  find(seen: Seen, match: Match): JudgedPlace | undefined {
    const { field } = seen;
    const header = headerFields[field];
    if (header !== undefined) return createPlace('header', header, match);
    const collection = collections.find(([pattern]) => pattern.test(field));
    if (collection !== undefined) return this.#findInCollection(seen, match, collection);
    return this.#findInText(seen, match);
  }

  #findInCollection(
    { field, key, value }: Seen,
    match: Match,
    [pattern, kind]: (typeof collections)[number],
  ): JudgedPlace | undefined {
    if (key !== undefined) return createPlace(kind, key, match);
    if (match.element === undefined) return undefined;
    const map = pattern.exec(field)![0];
    const isNames = field === `${map}.names`;
    const names = field === map ? this.#listKeys(map) : this.#listNames(map, field);
    // A function may drop elements, and then positions no longer identify elements.
    if (names.length !== (value as readonly Value[]).length) return undefined;
    const name = names[match.element];
    return name === undefined ? undefined : createPlace(kind, name, isNames ? {} : match);
  }

  /** One name per value, in the order in which `[*]` visits them. */
  #listKeys(map: string): readonly string[] {
    const values = readField(this.#view, map) as ReadonlyMap<string, readonly string[]>;
    const keys = [...values.keys()].toSorted((a, b) => (a < b ? -1 : Number(a > b)));
    return keys.flatMap((key) => values.get(key)!.map(() => key));
  }

  /** One name per element of a list that accompanies the list of names. Parts of a body list several values each. */
  #listNames(map: string, field: string): readonly string[] {
    const names = readField(this.#view, `${map}.names`) as readonly (string | readonly string[])[];
    const values = readField(this.#view, field) as readonly (string | readonly string[])[];
    return values.flatMap((value, index) => {
      const name = [names[index] ?? []].flat()[0] ?? '';
      return typeof value === 'string' ? [name] : value.map(() => name);
    });
  }

  /**
   * The part that contains the match; for a computed text, the part in which the rule alone matches in the same way.
   */
  #findInText(seen: Seen, { bytes }: Match): JudgedPlace | undefined {
    if (bytes === undefined) return undefined;
    const parts = this.#listParts(seen.field);
    if (seen.isField && seen.field !== decodedBody) {
      const around = parts.findLast(({ at }) => at.piece <= bytes.start);
      if (around !== undefined) return placeAt(around, bytes);
    }
    const { matchIn, value } = seen;
    if (matchIn === undefined || typeof value !== 'string') return undefined;
    const wanted = value.slice(bytes.start, bytes.end);
    for (const part of this.#takeTries(parts)) {
      const found = matchIn(seen.field === decodedBody ? part.decoded : part.value);
      if (found !== undefined && found.value.slice(found.start, found.end) === wanted)
        return { kind: part.kind, name: part.name, start: found.start };
    }
    const around = this.#takeTries(parts).find(({ piece }) => matchIn(piece) !== undefined);
    return around && { kind: around.kind, name: around.name };
  }

  /** The named part that a SecLang variable refers to; undefined if it refers to none. */
  findVariable(variable: string): JudgedPlace | undefined {
    const place = readVariable(variable);
    if (place === undefined || !variable.startsWith('ARGS')) return place;
    const { name } = place;
    const hasName = (parts: readonly NamedPart[]): NamedPart | undefined =>
      parts.find((part) => part.kind !== 'JSON name' && (part.name === name || toJsonName(part) === name));
    const inQuery = variable.startsWith('ARGS_POST') ? undefined : hasName(this.#listParts(rawQuery));
    const found = inQuery ?? hasName(this.#listParts(rawBody));
    return found === undefined ? place : { kind: found.kind, name: found.name };
  }

  #takeTries(parts: readonly NamedPart[]): readonly NamedPart[] {
    const taken = parts.slice(0, this.#triesLeft);
    this.#triesLeft -= taken.length;
    return taken;
  }

  #listParts(field: string): readonly NamedPart[] {
    let parts = this.#parts.get(field);
    if (parts === undefined) this.#parts.set(field, (parts = this.#split(field)));
    return parts;
  }

  #split(field: string): readonly NamedPart[] {
    const lister = textFields[field];
    return lister === undefined ? [] : lister(this.#view);
  }
}

const decodedBody = 'gatehouse.request.body.text';
const rawBody = 'http.request.body.raw';
const rawQuery = 'raw.http.request.uri.query';

/** `json.items.3.note` for `items[3].note`: how SecLang names values of JSON. */
function toJsonName({ kind, name }: NamedPart): string | undefined {
  if (kind !== 'JSON value') return undefined;
  const path = name.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '');
  return path === '' ? 'json' : `json.${path}`;
}

function readText(view: RequestView, field: string): string {
  return readField(view, field) as string;
}

/** Parts of a body are those of the body as received, even if a rule reads it decoded. */
function splitBody(view: RequestView): readonly NamedPart[] {
  const headers = readField(view, 'http.request.headers') as ReadonlyMap<string, readonly string[]>;
  return listBodyParts(readText(view, rawBody), headers.get('content-type')?.join(', ') ?? '');
}

const uriFields = ['http.request.uri', 'http.request.full_uri'].flatMap((field) => [field, `raw.${field}`]);
const queryFields = ['http.request.uri.query', rawQuery];

/** How to split text fields that contain names. */
const textFields: Readonly<Record<string, (view: RequestView) => readonly NamedPart[]>> = {
  'http.cookie': (view) => listCookieParts(readText(view, 'http.cookie')),
  [rawBody]: splitBody,
  [decodedBody]: splitBody,
  ...Object.fromEntries(
    uriFields.map((field) => [field, (view: RequestView) => listUriParts(readText(view, field))]),
  ),
  ...Object.fromEntries(
    queryFields.map((field) => [field, (view: RequestView) => listQueryParts(readText(view, field))]),
  ),
};

function createPlace(kind: PartKind, name: string, { bytes }: Match): JudgedPlace {
  return { kind, name, ...(bytes === undefined ? {} : { start: bytes.start }) };
}

function placeAt({ kind, name, at, value }: NamedPart, bytes: NonNullable<Match['bytes']>): JudgedPlace {
  const start = bytes.start - at.value;
  const isInside = start >= 0 && bytes.end - at.value <= value.length;
  return { kind, name, ...(isInside ? { start } : {}) };
}
