/** Ten thousand different values that people write into forms: none may ever be stopped. */
import type { RequestDescription } from '#request';
import { expand } from './grammar.ts';
import { buildUpload, type Place, places } from './places.ts';
import { Random, seedFrom } from './random.ts';

export interface HarmlessValue {
  readonly kind: string;
  readonly value: string;
  readonly request: RequestDescription;
}

interface Kind {
  readonly name: string;
  readonly count: number;
  readonly templates: readonly string[];
  /** Typical names of such an argument. */
  readonly names: readonly string[];
  readonly places: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'prose',
    count: 3000,
    templates: ['‹sentence›', '‹sentence› ‹sentence›', '‹paragraph›', '‹paragraph›\n\n‹paragraph›'],
    names: ['message', 'text', 'comment', 'q'],
    places: ['query', 'form', 'json', 'multipart', 'xml'],
  },
  {
    name: 'post with code',
    count: 2200,
    templates: [
      '‹sentence›\n\n```\n‹snippet›\n```\n\n‹sentence›',
      '‹sentence›\n\n    ‹snippet›\n\n‹sentence› `‹snippet-line›`',
      '<p>‹sentence›</p>\n<code>‹snippet-line›</code>',
      '[code]‹snippet›[/code]\n‹sentence›',
      '‹sentence› `‹snippet-line›` ‹sentence›',
    ],
    names: ['body', 'post-text', 'content'],
    places: ['form', 'json', 'multipart'],
  },
  {
    name: 'name',
    count: 1500,
    templates: [
      '‹name›',
      '‹name› & ‹name›',
      '‹name›, ‹street›, ‹city›',
      '‹name› (‹company›)',
      '‹name› <‹email›>',
      '‹company›; ‹city›',
      "‹name›'s ‹thing›",
    ],
    names: ['name', 'author', 'customer', 'to'],
    places: ['query', 'form', 'json', 'multipart', 'xml', 'cookie'],
  },
  {
    name: 'URL in an argument',
    count: 1500,
    templates: [
      '‹url›',
      'https://app.example.com/cb?next=‹slug›&state=‹token:16›',
      'https://www.example.com/login?return=%2F‹slug›%3Fid%3D‹int›%26tab%3D2',
      'https://id.example.com/authorize?client_id=‹id:12›&redirect_uri=https%3A%2F%2Fapp.example.com%2F‹slug›&state=‹int›%3B2',
      '/‹slug›?page=‹int›&sort=‹sort›',
      '‹referer›',
    ],
    names: ['redirect_uri', 'returnUrl', 'next', 'url', 'continue'],
    places: ['query', 'form', 'json', 'cookie'],
  },
  {
    name: 'rich text',
    count: 1300,
    templates: [
      '‹html›',
      '‹html›‹html›',
      '‹html›\n\n‹html›\n‹html›',
      '‹markdown›',
      '‹markdown›\n\n‹markdown›',
    ],
    names: ['content', 'html', 'body'],
    places: ['form', 'json', 'multipart'],
  },
  {
    name: 'search',
    count: 500,
    templates: ['‹search›', '‹search› ‹thing›', '‹product› ‹colour›', '"‹thing›" ‹search›'],
    names: ['q', 's', 'query', 'term'],
    places: ['query'],
  },
];

const uploadCount = 500;
const uploads = ['‹bytes:600›', '‹paragraph›', '‹snippet›', '‹html›', '%PDF-1.7\n‹bytes:300›'];

export function listHarmlessValues(): readonly HarmlessValue[] {
  return [...kinds.flatMap((kind) => listKind(kind)), ...listUploads()];
}

function listUploads(): readonly HarmlessValue[] {
  const random = new Random(seedFrom('upload'));
  return Array.from({ length: uploadCount }, (_, index) => {
    const value = expand(random.pick(uploads), random);
    const file = { name: expand('‹file›', random), type: 'application/octet-stream', content: value };
    const fields = { title: expand('‹sentence›', random), number: String(index) };
    return { kind: 'upload', value, request: buildUpload(fields, file, random) };
  });
}

function listKind({ name, count, templates, names, places: allowed }: Kind): readonly HarmlessValue[] {
  const random = new Random(seedFrom(name));
  const fitting = places.filter((place) => allowed.includes(place.name));
  const values = new Set<string>();
  for (let tries = 0; values.size < count; tries++) {
    if (tries > 20 * count) throw new Error(`the templates of ${name} do not make ${count} different values`);
    values.add(expand(random.pick(templates), random));
  }
  return Array.from(values, (value) => {
    const place: Place = random.pick(fitting);
    const request = place.build({ value, name: random.pick(names), random, transport: {} });
    return { kind: name, value, request };
  });
}
