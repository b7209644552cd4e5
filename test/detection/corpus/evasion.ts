/**
 * The evasion matrix: 60 payloads in 56 forms, each a place, an encoding or a spelling. What is stopped as a plain argument
 * of the query should be stopped in every form.
 */
import type { RequestDescription } from '#request';
import { listValuePayloads } from './attacks.ts';
import { type Disguise, disguises } from './disguises.ts';
import { places } from './places.ts';
import { Random, seedFrom } from './random.ts';

export interface EvasionCell {
  readonly class: string;
  readonly payload: string;
  readonly form: string;
  readonly plain: RequestDescription;
  /** Disguised. */
  readonly request: RequestDescription;
}

const payloadsPerClass: Readonly<Record<string, number>> = {
  sql: 14,
  xss: 14,
  command: 10,
  traversal: 8,
  template: 4,
  lookup: 3,
  code: 4,
  ldap: 3,
};

/** By place; the first is the place itself. */
const formsByPlace: Readonly<Record<string, readonly string[]>> = {
  query: [
    'every byte encoded',
    'encoded twice',
    'encoded three times',
    'every byte twice',
    '%uXXXX',
    'overlong UTF-8',
    'base64',
    'full-width letters',
    'JSON in a form',
  ],
  form: [
    'none',
    'every byte encoded',
    'encoded twice',
    'encoded three times',
    'every byte twice',
    '%uXXXX',
    'overlong UTF-8',
    'gzip',
    'brotli',
    'no known type',
    'text type',
    'full-width letters',
    'JSON in a form',
  ],
  json: [
    'none',
    'JSON escapes',
    'gzip',
    'brotli',
    'UTF-16',
    'no known type',
    'text type',
    'base64',
    'form in JSON',
  ],
  multipart: ['none', 'base64 part', 'quoted-printable part', 'gzip'],
  xml: ['none', 'XML numeric entities', 'XML hexadecimal entities', 'CDATA', 'gzip', 'UTF-16'],
  path: ['none', 'every byte encoded', 'encoded twice'],
  cookie: ['none', 'every byte encoded', 'encoded twice'],
  referer: ['none'],
  'user-agent': ['none'],
  header: ['none'],
  'argument name': ['none', 'every byte encoded'],
};

/** Forms that change how a payload of a class is spelled: the first to the fourth that its class has. */
const spellingForms = 4;

export function listEvasionCells(): readonly EvasionCell[] {
  return choosePayloads().flatMap(({ class: attackClass, text }) => {
    const spellings = disguises.filter(
      ({ classes, places: allowed }) =>
        classes?.length === 1 && allowed === undefined && classes[0] === attackClass,
    );
    const forms = [
      ...Object.entries(formsByPlace).flatMap(([place, names]) =>
        names.map((name) => ({ place, disguise: findDisguise(name) })),
      ),
      ...spellings.slice(0, spellingForms).map((disguise) => ({ place: 'query', disguise })),
    ];
    return forms.flatMap(({ place, disguise }) => {
      const cell = disguisePayload(text, attackClass, place, disguise);
      return cell === undefined ? [] : [cell];
    });
  });
}

function findDisguise(name: string): Disguise {
  return disguises.find((disguise) => disguise.name === name) ?? { name };
}

/** Spread over the payloads of a class, without those that are encoded already. */
function choosePayloads(): readonly { readonly class: string; readonly text: string }[] {
  return Object.entries(payloadsPerClass).flatMap(([attackClass, count]) => {
    const all = listValuePayloads(attackClass).filter(
      (text) => !/%[0-9a-f]{2}|%u|[\p{Cc}]/iu.test(text) && text.length > 14,
    );
    return Array.from({ length: count }, (_, index) => ({
      class: attackClass,
      text: all[Math.floor((index * all.length) / count)]!,
    }));
  });
}

function disguisePayload(
  text: string,
  attackClass: string,
  placeName: string,
  disguise: Disguise,
): EvasionCell | undefined {
  const random = new Random(seedFrom(`${text} ${placeName} ${disguise.name}`));
  const value = disguise.change?.(text, random) ?? text;
  if (disguise.change !== undefined && value === text) return undefined;
  const [query, place] = ['query', placeName].map((name) => places.find((each) => each.name === name)!);
  const name = 'file';
  return {
    class: attackClass,
    payload: text,
    form: disguise.name === 'none' ? placeName : `${placeName}, ${disguise.name}`,
    plain: query!.build({ value: text, name, random: new Random(1), transport: {} }),
    request: place!.build({ value, name, random, transport: disguise.transport ?? {} }),
  };
}
