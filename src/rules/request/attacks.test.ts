import { checkLinear } from '../../../tools/count-work.ts';
import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bytesOf } from '#text';
import { OutOfSteps, StepBudget } from '#work';
import type { AttackKind } from '#detection';
import { findAttacks } from './attacks.ts';
import type { Pairs } from './pairs.ts';

interface Sent {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Pairs;
  readonly body?: string;
}

function find({ path = '/', query = '', headers = [], body = '' }: Sent): ReturnType<typeof findAttacks> {
  return findAttacks({ path, query, headers, body: bytesOf(body) });
}

const typed = (type: string): Pairs => [['Content-Type', type]];
const multipart = typed('multipart/form-data; boundary=b');

function entities(text: string): string {
  return text.replaceAll(/[^\w ]/g, (each) => `&#${each.codePointAt(0)};`);
}

/** Every place of a request that has a name, with the name that explanations show. */
const places: Readonly<Record<string, readonly [name: string, build: (value: string) => Sent]>> = {
  argument: ['q', (value) => ({ query: `a=1&q=${encodeURIComponent(value)}&b=2` })],
  'form field': [
    'text',
    (value) => ({
      headers: typed('application/x-www-form-urlencoded'),
      body: `text=${encodeURIComponent(value)}`,
    }),
  ],
  'multipart field': [
    'comment',
    (value) => ({
      headers: multipart,
      body: `--b\r\nContent-Disposition: form-data; name="comment"\r\n\r\n${value}\r\n--b--`,
    }),
  ],
  'file name': [
    'upload',
    (value) => ({
      headers: multipart,
      body: `--b\r\nContent-Disposition: form-data; name="upload"; filename="${value.replaceAll('"', '\\"')}"\r\n\r\nx\r\n--b--`,
    }),
  ],
  'JSON value': [
    'items[3].note',
    (value) => ({
      headers: typed('application/json'),
      body: JSON.stringify({ items: [0, 1, 2, { note: value }] }),
    }),
  ],
  'XML text': [
    'order/item',
    (value) => ({ headers: typed('text/xml'), body: `<order><item>${entities(value)}</item></order>` }),
  ],
  'XML attribute': [
    'order/item@id',
    (value) => ({ headers: typed('text/xml'), body: `<order><item id="${entities(value)}"/></order>` }),
  ],
  cookie: ['sid', (value) => ({ headers: [['Cookie', `a=b; sid=${encodeURIComponent(value)}`]] })],
  header: ['x-custom', (value) => ({ headers: [['X-Custom', value]] })],
  path: ['', (value) => ({ path: `/items/${encodeURIComponent(value)}/reviews` })],
  body: ['', (value) => ({ headers: typed('text/plain'), body: value })],
};

const values: Readonly<Partial<Record<AttackKind, string>>> = {
  sql: "x' or '1'='1",
  script: '<img src=x onerror=alert(1)>',
  command: ';cat /etc/passwd',
  path: '..\\..\\..\\..\\windows\\win.ini',
  code: '{{7*7}}',
  nosql: "' || this.password.match(/^a/)//",
  ldap: 'x)(objectClass=*',
  ssrf: 'http://169.254.169.254/latest/meta-data/',
};

test('findAttacks comes to the same verdict wherever a value stands, and names the place', () => {
  for (const [kind, value] of Object.entries(values)) {
    const confidences = new Set<number>();
    for (const [place, [name, build]] of Object.entries(places)) {
      const found = find(build(value)).get(kind as AttackKind);
      ok(found !== undefined, `${kind} in ${place}`);
      // In a body without a type, a text with an equals sign is a form.
      if (place !== 'body') deepEqual([found.place, found.name], [place, name], `${kind} in ${place}`);
      confidences.add(found.confidence);
    }
    deepEqual(confidences.size, 1, `${kind}: ${[...confidences].join(', ')}`);
  }
});

test('findAttacks takes a number of steps proportional to the attacks in a body', () => {
  for (const [type, write] of [
    ['application/json', (values: readonly string[]) => JSON.stringify(values)],
    ['application/json', (values: readonly string[]) => JSON.stringify({ a: Object.entries(values) })],
    ['application/x-www-form-urlencoded', (values: readonly string[]) => `a=${values.join('&a=')}`],
    ['text/plain', (values: readonly string[]) => `{'a':'${values.join(String.raw`\'`)}`],
  ] as const)
    checkLinear(
      type,
      (count) => {
        const body = write(Array.from({ length: count }, (_, index) => `;id ${index}`));
        return () => ok(find({ headers: typed(type), body }).size > 0);
      },
      [250, 2_000],
    );
});

const room = 128 * 1024;

/** Gives up with more work than a whole request may take: the steps spent are the cost. */
function measureSteps(sent: Sent): { readonly spent: number; readonly isGivenUp: boolean } {
  const budget = new StepBudget(1e12);
  try {
    budget.run(() => find(sent));
  } catch (error) {
    ok(error instanceof OutOfSteps);
  }
  return { spent: budget.spent, isGivenUp: budget.exceeded === 'steps' };
}

test('findAttacks gives up thousands of values that are made to take long', () => {
  for (const value of ["a=1&1>1\\'\0'${1;'%25a;cat '<", "query{a(b:\"'&#60;'=1 /'%25"])
    for (const [type, write] of [
      ['application/json', (values: readonly string[]) => JSON.stringify(values)],
      [
        'application/x-www-form-urlencoded',
        (values: readonly string[]) => values.map((each) => `a=${encodeURIComponent(each)}`).join('&'),
      ],
    ] as const) {
      const values = Array.from({ length: room / (value.length + 8) }, (_, index) => `${value}${index}`);
      const { spent, isGivenUp } = measureSteps({
        headers: typed(type),
        body: write(values).slice(0, room),
      });
      ok(isGivenUp && spent < 14_500_000, `${type} of ${value}: ${spent} steps`);
    }
});

test('findAttacks never gives up sources of programs, as lines, as a text or as a text inside of another', () => {
  const folder = new URL('../../', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const sources = files
    .toSorted()
    .filter((_, index) => index % 20 === 0)
    .map((file) => readFileSync(new URL(file, folder), 'latin1').slice(0, room / 2));
  // A hundred files in one body, and each alone.
  for (const source of [...sources, sources.join('\n').slice(0, room)]) {
    for (const value of [source, source.split('\n'), { source }, { text: JSON.stringify({ source }) }]) {
      const sent = { headers: typed('application/json'), body: JSON.stringify(value) };
      const { isGivenUp } = measureSteps(sent);
      ok(!isGivenUp, sent.body.slice(0, 200));
    }
  }
});

test('findAttacks looks at an attack of each kind, however often others stand before it', () => {
  const others = Array.from({ length: 100 }, (_, index) => `x' or '1'='${index}`);
  for (const [kind, value] of Object.entries(values))
    ok(
      find({ headers: typed('application/json'), body: JSON.stringify([...others, value]) }).has(
        kind as AttackKind,
      ),
    );
});

test('findAttacks looks at names, repeated names, referring addresses and user agents', () => {
  const found = (sent: Sent, kind: AttackKind): string | undefined => {
    const finding = find(sent).get(kind);
    return finding && finding.confidence >= 80 ? finding.name : undefined;
  };
  deepEqual(found({ query: "x'+or+'1'='1" }, 'sql'), "x' or '1'");
  deepEqual(found({ query: 'id=x%27+union+sel&id=ect+1,2--' }, 'sql'), 'id');
  deepEqual(found({ query: 'user[$ne]=x' }, 'nosql'), 'user[$ne]');
  deepEqual(found({ body: '{"__proto__":{"a":1}}' }, 'code'), '__proto__');
  const referer = 'https://example.com/?q=<script>alert(1)</script>';
  deepEqual(found({ headers: [['Referer', referer]] }, 'script'), 'referer');
  deepEqual(found({ headers: [['User-Agent', "Mozilla/5.0 1' and sleep(5)-- "]] }, 'sql'), 'user-agent');
  deepEqual(
    found({ headers: [['Authorization', `Basic ${btoa("a' or 1=1--:x")}`]] }, 'sql'),
    'authorization',
  );
});

test('findAttacks undoes the encodings of parts, and does not read files', () => {
  const part = (headers: string, content: string): Sent => ({
    headers: multipart,
    body: `--b\r\nContent-Disposition: form-data; name="c"${headers}\r\n\r\n${content}\r\n--b--`,
  });
  const attack = "x' union select 1,2--";
  const encoded = Buffer.from(attack).toString('base64');
  ok(find(part('\r\nContent-Transfer-Encoding: base64', encoded)).has('sql'));
  const printable = attack.replaceAll(/[^]/g, (each) => `=${each.charCodeAt(0).toString(16).toUpperCase()}`);
  ok(find(part('\r\nContent-Transfer-Encoding: quoted-printable', printable)).has('sql'));
  ok(!find(part('; filename="a.sql"', attack)).has('sql'));
});

test('findAttacks sees the last of many arguments, and strings of JSON that is cut off', () => {
  const many = 'a=1&'.repeat(20_000);
  ok(find({ query: `${many}q=%3Cscript%3Ealert(1)%3C/script%3E` }).has('script'));
  ok(find({ body: `{"a":[${'1,'.repeat(20_000)}"<script>alert(1)</script>` }).has('script'));
  ok(find({ body: '{"a":"<script>alert(1)</script>","a":"x"}' }).has('script'));
  const cookies = `${'a;'.repeat(20_000)}q=<script>alert(1)</script>`;
  ok(find({ headers: [['Cookie', cookies]] }).has('script'));
  const sql = "x' union select user, pass from users -- ";
  const packed = `${'\0'.repeat(500)}${'\xa1b'.repeat(20_000)}\xbf${sql.slice(0, 31)}`;
  ok(findAttacks({ path: '/', query: '', headers: typed('application/msgpack'), body: packed }).has('sql'));
});

test('findAttacks sees every part of a form that some application reads', () => {
  const part = (head: string, value: string): string =>
    `--b\r\nContent-Disposition: form-data${head}\r\n\r\n${value}\r\n`;
  const sql = "x' union select user, pass from users -- ";
  const first = part('; name=a', 'x');
  for (const body of [
    `${first}--b--\r\n${part('; name=q', sql)}--b--`,
    `${first}${part(' name=q', sql)}--b--`,
  ])
    ok(find({ headers: multipart, body }).has('sql'));
});

test('findAttacks reads the content of a part without a name by itself, and with its head', () => {
  const body = (head: string, value: string): string => `--b\r\n${head}\r\n\r\n${value}\r\n--b--`;
  // Only at its begin is this the address of a file.
  ok(find({ headers: multipart, body: body('Content-Type: text/plain', 'file:///etc/passwd') }).has('path'));
  const script = body('X: <script>alert(1)</script>', 'x');
  ok(find({ headers: multipart, body: script }).has('script'));
});

test('findAttacks reads a form that starts like JSON, as applications do that go by the type', () => {
  const sql = encodeURIComponent("x' union select user, pass from users -- ");
  for (const headers of [[], typed('application/x-www-form-urlencoded')])
    for (const start of ['{""&', '{"a":1}&', '"a"&'])
      ok(find({ headers, body: `${start}q=${sql}` }).has('sql'));
});

test('findAttacks reads what stands in the password only if it is a statement', () => {
  const find = (body: string): readonly AttackKind[] => [
    ...findAttacks({
      path: '/login',
      query: '',
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body,
    }).keys(),
  ];
  deepEqual(find('password=x%27--'), []);
  deepEqual(find('user%5Bpassword%5D=admin%26%26id'), []);
  deepEqual(find('password=x%27+or+%271%27%3D%271'), ['sql']);
  deepEqual(find('note=x%27--'), ['sql']);
});

/** The steps for inspecting a body with this many rows. */
function countSteps(writeRow: (index: number) => object): number {
  const body = JSON.stringify(Array.from({ length: 500 }, (_, index) => writeRow(index)));
  const budget = new StepBudget(1e9);
  budget.run(() => find({ headers: typed('application/json'), body }));
  return budget.spent;
}

test('findAttacks looks at a value that recurs in a body once, and at an attack behind it', () => {
  const note = 'Delivered on Monday; the customer (Ms. Brown) has paid by card, see invoice no. 17/2026.';
  const once = countSteps(() => ({ note }));
  const each = countSteps((index) => ({ note: `${note} ${index}` }));
  ok(each > 3 * once, `${each} steps for values that differ, ${once} for equal ones`);
  const rows = [...Array.from({ length: 20 }, () => ({ note })), { note: "x' or '1'='1" }];
  const attacks = find({ headers: typed('application/json'), body: JSON.stringify(rows) });
  ok(attacks.get('sql')!.confidence >= 80);
});

test('findAttacks prefers a likely finding that no text shows to one that a text shows', () => {
  const shown = encodeURIComponent("Our teacher wrote on the board\n'; select 1");
  for (const query of [`id='%3B%20select%201&note=${shown}`, `note=${shown}&id='%3B%20select%201`]) {
    const { name, confidence, isShown } = find({ query }).get('sql')!;
    deepEqual([name, confidence, isShown], ['id', 60, undefined]);
  }
  deepEqual(find({ query: `note=${shown}` }).get('sql')!.isShown, true);
});
