/**
 * Attacks, made from the payloads in `attacks/`, one file for each class. Every payload is sent unchanged in two places
 * and disguised in two more. `;; value`, followed by the names of places if it does not make sense in all, starts
 * payloads for an argument; `;; json`, `;; xml`, `;; query` and `;; form` start whole bodies and queries.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { RequestDescription } from '#request';
import { type Disguise, listDisguises } from './disguises.ts';
import { expand, readControls } from './grammar.ts';
import { type Place, places, wholePlaces } from './places.ts';
import { Random, seedFrom } from './random.ts';

export interface Attack {
  /** The file of its payload. */
  readonly class: string;
  readonly place: string;
  /** `none` if it is sent unchanged. */
  readonly disguise: string;
  readonly payload: string;
  readonly request: RequestDescription;
}

interface Payload {
  readonly class: string;
  readonly text: string;
  readonly places: readonly Place[];
  readonly isWhole: boolean;
}

/** Typical argument names for the targets of a class. */
const argumentNames: Readonly<Record<string, readonly string[]>> = {
  traversal: ['file', 'page', 'path', 'template', 'doc'],
  ssrf: ['url', 'uri', 'image', 'callback', 'page', 'src'],
  command: ['host', 'ip', 'cmd', 'name', 'domain'],
};
const anyArgumentNames = ['q', 'id', 'name', 'text', 'comment', 'user', 'sort', 'value'];

/** A URL is an attack only in an argument that the server fetches. */
const classPlaces: Readonly<Record<string, readonly string[]>> = {
  ssrf: ['query', 'form', 'json', 'multipart', 'xml'],
  traversal: ['query', 'form', 'json', 'multipart', 'xml', 'path', 'cookie'],
  ldap: ['query', 'form', 'json', 'multipart', 'xml', 'path', 'cookie'],
  xxe: ['query', 'form', 'json', 'multipart', 'cookie'],
};

export function listAttacks(): readonly Attack[] {
  return listPayloads().flatMap((payload, index) => listVariants(payload, index));
}

/** The payloads of a class for an argument, with their gaps filled. */
export function listValuePayloads(attackClass: string): readonly string[] {
  return listPayloads()
    .filter((payload) => payload.class === attackClass && !payload.isWhole)
    .map(({ text }) => expand(text, new Random(seedFrom(text))));
}

export function countPayloads(): number {
  return new Set(listPayloads().map(({ text }) => text)).size;
}

function listPayloads(): readonly Payload[] {
  const folder = new URL('attacks/', import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => readPayloads(readFileSync(new URL(file, folder), 'utf8'), file.replace(/\.txt$/, '')));
}

function readPayloads(text: string, attackClass: string): readonly Payload[] {
  const usual = choosePlaces(classPlaces[attackClass]);
  let current: Pick<Payload, 'places' | 'isWhole'> = { places: usual, isWhole: false };
  return text.split('\n').flatMap((line) => {
    const [, kind, names] = /^;; (\w+)(?:: (.*))?$/.exec(line) ?? [];
    if (kind === 'value')
      current = { places: names === undefined ? usual : choosePlaces(names.split(' ')), isWhole: false };
    else if (kind !== undefined) current = { places: wholePlaces[kind]!, isWhole: true };
    return kind !== undefined || line === ''
      ? []
      : [{ class: attackClass, text: readControls(line), ...current }];
  });
}

function choosePlaces(names: readonly string[] | undefined): readonly Place[] {
  return names === undefined ? places : places.filter(({ name }) => names.includes(name));
}

const plain: Disguise = { name: 'none' };

function listVariants(payload: Payload, index: number): readonly Attack[] {
  const random = new Random(seedFrom(`${payload.class} ${payload.text}`));
  const attacks: Attack[] = [];
  const taken = new Set<string>();
  const add = (place: Place, disguise: Disguise): void => {
    const attack = send(payload, place, disguise, random);
    if (attack === undefined || taken.has(`${place.name} ${disguise.name}`)) return;
    taken.add(`${place.name} ${disguise.name}`);
    attacks.push(attack);
  };
  const at = (offset: number): Place => payload.places[(index * 3 + offset) % payload.places.length]!;
  add(at(0), plain);
  add(at(1), plain);
  for (const place of [at(2), at(5), at(4)]) {
    const fitting = listDisguises(place, payload.class, payload.isWhole);
    // The next one if it does not change this payload.
    for (let tries = 0; tries < fitting.length; tries++) {
      const before = attacks.length;
      add(place, random.pick(fitting));
      if (attacks.length > before) break;
    }
  }
  return attacks;
}

/** Undefined if the value is not possible there, or the disguise does not change it. */
function send(payload: Payload, place: Place, disguise: Disguise, random: Random): Attack | undefined {
  const written = expand(payload.text, random);
  const value = disguise.change?.(written, random) ?? written;
  if (disguise.change !== undefined && value === written) return undefined;
  // oxlint-disable-next-line no-control-regex -- they cannot stand in a header
  if (place.isHeader === true && /[\u0000-\u001f\u007f]/.test(value)) return undefined;
  const name = random.pick(argumentNames[payload.class] ?? anyArgumentNames);
  const request = place.build({ value, name, random, transport: disguise.transport ?? {} });
  return { class: payload.class, place: place.name, disguise: disguise.name, payload: value, request };
}
