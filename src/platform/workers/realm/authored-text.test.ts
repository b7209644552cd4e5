/** The text of a Worker's function: the author's source, in every way that text can be read. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { runInNewContext } from 'node:vm';
import { createProject, startWorker } from '../testing.ts';

/** In the format of the bundler, so that it is the same with and without bundling. */
const authored = {
  function: 'function remember(key) {\n  return sessionStorage.getItem(key) ?? process.env.HOME;\n}',
  arrow: '() => globalThis.document ?? self.document ?? global.document',
  async: 'async (url) => await (await fetch(url)).text()',
  class: 'class Watcher extends EventTarget {\n  #self = self;\n  static page = () => navigator;\n}',
  called: "() => [fetch?.(navigator), fetch`a`, other(0, fetch)(1), new Event('a')]",
  written: '() => {\n  console = performance;\n  return typeof window;\n}',
};

const code = `
const other = (_, given) => given;
const parts = {
  ${Object.entries(authored)
    .map(([name, text]) => `${name}: ${text}`)
    .join(',\n  ')},
};
const Method = class { take() { return localStorage.getItem('a'); } get page() { return navigator; } };
const text = Function.prototype.toString;
const handlers = {
  async fetch() {
    const made = new Function('a', 'return self[a]');
    const refusals = [{}, undefined, 'text'].map((each) => {
      try { return text.call(each); } catch (error) { return error.name + ': ' + error.message; }
    });
    return Response.json({
      ways: Object.values(parts).map((part) => [part.toString(), String(part), part + '', \`\${part}\`, text.call(part)]),
      method: Method.prototype.take.toString(),
      getter: String(Object.getOwnPropertyDescriptor(Method.prototype, 'page').get),
      made: String(made),
      engine: [text, Array.prototype.map, () => {}].map((each) => String(each instanceof Function && each.bind(null))),
      own: [text.call(text), String(text), text.name, text.length, 'prototype' in text, Object.keys(text).length],
      proxy: text.call(new Proxy(parts.function, {})),
      descriptor: Object.getOwnPropertyDescriptor(Function.prototype, 'toString'),
      refusals,
    });
  },
};
export { handlers as default };`;

interface Said {
  readonly ways: readonly (readonly string[])[];
  readonly method: string;
  readonly getter: string;
  readonly made: string;
  readonly engine: readonly string[];
  readonly own: readonly unknown[];
  readonly proxy: string;
  readonly descriptor: object;
  readonly refusals: readonly string[];
}

async function ask(t: TestContext, config: object): Promise<Said> {
  const path = createProject(t, {
    'wrangler.json': { main: 'index.js', compatibility_date: '2026-11-01', ...config },
    'index.js': code,
  });
  const { fetch } = await startWorker(t, { path });
  return (await (await fetch('/')).json()) as Said;
}

const unify = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll("'", '"');

for (const [title, config] of Object.entries({
  bundled: { keep_names: false },
  'not bundled': { no_bundle: true },
})) {
  test(`showAuthoredText leaves no trace of the build in the text of a function (${title})`, async (t) => {
    const { ways, method, getter, made } = await ask(t, config);
    for (const [index, text] of Object.values(authored).entries())
      deepEqual(
        ways[index]!.map(unify),
        Array.from({ length: 5 }, () => unify(text)),
      );
    equal(unify(method), 'take() { return localStorage.getItem("a"); }');
    equal(unify(getter), 'get page() { return navigator; }');
    equal(made, 'function anonymous(a\n) {\nreturn self[a]\n}');
  });
}

test('showAuthoredText leaves a call in minified code a call', async (t) => {
  const { ways } = await ask(t, { minify: true, keep_names: false });
  for (const [text = ''] of ways) {
    ok(!text.includes('gatehouse'), text);
    runInNewContext(`(${text})`, { EventTarget, navigator: {} });
  }
  const page = { fetch: () => ({ text: () => 'fetched' }) };
  equal(await runInNewContext(`(${ways[2]![0]!})('/')`, page), 'fetched');
});

test('showAuthoredText changes nothing of what the engine says of other functions', async (t) => {
  const { engine, own, proxy, descriptor, refusals } = await ask(t, {});
  const native = runInNewContext('Function.prototype.toString') as () => string;
  const hidden = 'function () { [native code] }';
  deepEqual(engine, [hidden, hidden, hidden]);
  deepEqual(own, [...Array.from({ length: 2 }, () => native.call(native)), 'toString', 0, false, 0]);
  equal(proxy, hidden);
  deepEqual(descriptor, { writable: true, enumerable: false, configurable: true });
  for (const said of refusals)
    equal(said, "TypeError: Function.prototype.toString requires that 'this' be a Function");
  throws(() => Reflect.construct(Function.prototype.toString, []), TypeError);
  equal(native.call(test), test.toString());
});
