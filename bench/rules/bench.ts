/**
 * The speed of rules, next to that of wirefilter (Rust, release build, on this kind of machine; stated, not measured
 * here). Verdicts are hashed and compared with those of the interpreter.
 *
 *     node bench/rules/bench.ts            everything, less than a minute
 *     node bench/rules/bench.ts --small    a quick look
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  compile,
  compileList,
  type Filter,
  interpret,
  parse,
  RequestView,
  type Value,
} from '../../src/rules/expressions.ts';
import { requestFrom } from '../../src/rules/request.ts';
import { formatNs, nsPerCall } from './measure.ts';
import { singles } from './singles.ts';
import { type Facts, freshCopy, matchingRequests, mixedRules, plainRequests } from './workload.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const rounds = options.small ? 10 : 40;
const seed = 7;
const requestCount = 256;

/** Every field is already a string: finding them in a request is not measured here. */
class FactsSource {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  read(key: string): Value | undefined {
    return this.#facts[key];
  }
}

const viewOf = (facts: Facts): RequestView => new RequestView(new FactsSource(facts));

function filterOf(source: string): Filter {
  const parsed = parse(source);
  if (!parsed.ok) throw new Error(`${parsed.error.message}: ${source}`);
  return parsed.tree;
}

function hashOf(verdicts: readonly (boolean | readonly number[])[]): string {
  return createHash('sha256').update(JSON.stringify(verdicts)).digest('hex').slice(0, 12);
}

function checkSame(name: string, compiled: string, oracle: string): string {
  if (compiled !== oracle) throw new Error(`${name}: the compiled form and the interpreter disagree`);
  return `\`${compiled}\``;
}

function printTable(title: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n### ${title}\n`);
  console.log(`| ${header.join(' | ')} |\n|${header.map(() => '---').join('|')}|`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}

let sink = 0;

function benchSingles(): void {
  const facts = plainRequests(requestCount, seed);
  const views = facts.map(viewOf);
  const rows = singles.map(({ name, source, wirefilterNs, hit }) => {
    const filter = filterOf(source);
    const compiled = compile(filter);
    const oracle = interpret(filter);
    if (!compiled(viewOf(hit))) throw new Error(`${name}: the request that should match does not`);
    const asked = facts.flatMap((known, request) =>
      request % 8 === 0 ? [known, { ...known, ...hit }] : [known],
    );
    const verdictsOf = (isTrue: typeof oracle): string => hashOf(asked.map((known) => isTrue(viewOf(known))));
    const hash = checkSame(name, verdictsOf(compiled), verdictsOf(oracle));
    const calls = options.small ? 50_000 : 100_000;
    const ns = nsPerCall(calls, rounds, (call) => {
      if (compiled(views[call & (requestCount - 1)]!)) sink += 1;
    });
    const oracleNs = nsPerCall(calls / 10, rounds, (call) => {
      if (oracle(views[call & (requestCount - 1)]!)) sink += 1;
    });
    return [
      name,
      formatNs(ns),
      formatNs(oracleNs),
      `${wirefilterNs} ns`,
      (ns / wirefilterNs).toFixed(2),
      hash,
    ];
  });
  printTable(
    'One expression, fields filled in',
    [
      'expression',
      'compiled',
      'interpreter',
      'wirefilter, as measured on this kind of machine',
      'ratio',
      'verdicts',
    ],
    rows,
  );
}

interface List {
  readonly name: string;
  readonly rules: readonly string[];
  readonly wirefilter: string;
}

const counts = [100, 1000, 10_000];
const numbered = (count: number, rule: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => rule(index));

/** The two kinds of list that wirefilter was measured with, and mixed ones. */
const lists: readonly List[] = [
  ...counts.map((count) => ({
    name: `${count} mixed`,
    rules: mixedRules(count, seed),
    wirefilter: count === 1000 ? '4.8–8.4 µs, for those below' : '–',
  })),
  ...[100, 1000].map((count) => ({
    name: `${count} \`host eq … and path contains …\``,
    rules: numbered(
      count,
      (index) => `http.host eq "h${index}.example.com" and http.request.uri.path contains "/p${index}"`,
    ),
    wirefilter: count === 100 ? '729 ns' : '4.81 µs',
  })),
  ...[100, 1000].map((count) => ({
    name: `${count} \`path contains …\``,
    rules: numbered(count, (index) => `http.request.uri.path contains "/p${index}x"`),
    wirefilter: count === 100 ? '953 ns' : '8.39 µs',
  })),
];

function benchList({ name, rules, wirefilter }: List, facts: readonly Facts[]): readonly string[] {
  const filters = rules.map(filterOf);
  const list = compileList(filters);
  const oracle = filters.map((filter) => interpret(filter));
  const verdicts = facts.map((known) => list.matches(viewOf(known)));
  const asked = verdicts.slice(0, rules.length > 1000 ? 32 : requestCount);
  const expected = asked.map((_, request) => {
    const view = viewOf(facts[request]!);
    return [...oracle.keys()].filter((rule) => oracle[rule]!(view));
  });
  const hash = checkSame(name, hashOf(asked), hashOf(expected));
  const calls = 5_000;
  let fresh: readonly Facts[] = [];
  const prepare = (): void => {
    fresh = Array.from({ length: calls }, (_, call) => freshCopy(facts[call & (requestCount - 1)]!));
  };
  const run = (call: number): void => {
    sink += list.matches(viewOf(fresh[call]!)).length;
  };
  const ns = nsPerCall(calls, rounds, run, prepare);
  const oracleNs = nsPerCall(Math.ceil(calls / rules.length), 3, (call) => {
    const view = viewOf(facts[call & (requestCount - 1)]!);
    for (const rule of oracle) if (rule(view)) sink += 1;
  });
  const matched = verdicts.reduce((sum, matches) => sum + matches.length, 0) / requestCount;
  return [name, matched.toFixed(2), formatNs(ns), formatNs(oracleNs), wirefilter, hash];
}

function benchLists(): void {
  const rows = lists.flatMap((list) => {
    const plain = benchList(list, plainRequests(requestCount, seed));
    if (!list.name.endsWith('mixed')) return [plain];
    return [plain, benchList(list, matchingRequests(requestCount, seed, list.rules))];
  });
  printTable(
    'A list of rules, a fresh request with fresh strings each time',
    [
      'rules',
      'matches per request',
      'compiled list',
      'interpreter, one by one',
      'wirefilter, as measured on this kind of machine',
      'verdicts',
    ],
    rows,
  );
}

/** What is in the figures of lists beside the rules, and what is not. */
function benchRequests(): void {
  const facts = plainRequests(requestCount, seed);
  const names = ['http.host', 'http.request.uri.path', 'http.user_agent', 'ip.src', 'ip.src.country'];
  // Together they are the value of each field, and false only if none was read.
  const filter = filterOf(
    'len(http.host) ge 0 and len(http.request.uri.path) ge 0 and len(http.user_agent) ge 0 and ip.src ge 0.0.0.0 and ip.src.country ne "-"',
  );
  const readAll = compile(filter);
  const freshNs = nsPerCall(20_000, rounds, (call) => {
    if (readAll(viewOf(facts[call & (requestCount - 1)]!))) sink += 1;
  });
  const descriptions = facts.map((known) => {
    const [host, path, agent] = [
      known['http.host'],
      known['http.request.uri.path'],
      known['http.user_agent'],
    ] as string[];
    const headers = { Host: host!, 'User-Agent': agent!, Accept: '*/*' };
    return { url: `https://${host}${path}?a=1`, headers, ip: '198.51.100.7', country: 'DE' };
  });
  const describedNs = nsPerCall(5_000, rounds, (call) => {
    if (readAll(requestFrom(descriptions[call & (requestCount - 1)]!))) sink += 1;
  });
  printTable(
    'Reading the fields',
    ['what', 'time'],
    [
      [
        `a fresh request and ${names.length} fields that are strings already (in the figures above)`,
        formatNs(freshNs),
      ],
      [`a described request and the same fields (not in the figures above)`, formatNs(describedNs)],
    ],
  );
}

/** Each rule once, before V8 has compiled the code: the cost of saving a rule on a server that has just started. */
function benchFirstTime(): void {
  const rules = mixedRules(3000, seed + 2);
  const rows: string[][] = [];
  const time = (name: string, count: number, body: () => void): void => {
    const start = process.hrtime.bigint();
    body();
    rows.push([name, formatNs(Number(process.hrtime.bigint() - start) / count)]);
  };
  const view = viewOf(plainRequests(1, seed)[0]!);
  for (const [first, last] of [
    [0, 100],
    [100, 1000],
    [1000, 3000],
  ] as const) {
    time(`parse, check, compile and run rules ${first + 1} to ${last}, each`, last - first, () => {
      for (const rule of rules.slice(first, last)) if (compile(filterOf(rule))(view)) sink += 1;
    });
  }
  const filters = mixedRules(1000, seed + 3).map(filterOf);
  time('then compile a list of 1000 rules that are parsed', 1, () => void compileList(filters));
  printTable('Compilation, each rule once, in a process that has just started', ['what', 'mean'], rows);
}

function benchCompilation(): void {
  const rules = mixedRules(1000, seed + 1);
  const calls = rules.length;
  const parseNs = nsPerCall(calls, rounds, (call) => void filterOf(rules[call]!));
  const singleNs = nsPerCall(calls, rounds, (call) => void compile(filterOf(rules[call]!)));
  const nested = singles.at(-1)!.source;
  const nestedNs = nsPerCall(calls, rounds, () => void compile(filterOf(nested)));
  const rows = [
    ['parse and check one rule of the mixed list', formatNs(parseNs)],
    ['parse, check and compile one rule of the mixed list', formatNs(singleNs)],
    ['parse, check and compile the nested example', formatNs(nestedNs)],
    ...counts.map((count) => {
      const filters = mixedRules(count, seed).map(filterOf);
      const ns = nsPerCall(1, count > 1000 ? 3 : rounds, () => void compileList(filters));
      return [`compile a list of ${count} rules that are parsed`, formatNs(ns)];
    }),
  ];
  printTable('Compilation, the same rules again and again', ['what', 'time'], rows);
}

console.log(`Node ${process.version}, shortest of ${rounds} rounds, seed ${seed}.`);
benchFirstTime();
benchSingles();
benchLists();
benchRequests();
benchCompilation();
if (sink < 0) console.log(sink);
