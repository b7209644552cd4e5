/** Parses the form that a Worker is uploaded as. Unsupported features are refused by name. */
import { type Fault, fault, type FormPart, malformed, workerCodes } from '#contract';
import { flag, json, listOf, mapOf, optional, type Problem, record, type Shaped, string } from '#shapes';
import { scriptBytesMax, sourceMapBytesMax } from '../../context/limits.ts';
import { isOfMetadata, parseMetadata } from './upload/metadata-parts.ts';
import type { ScriptAssets, ScriptCode, ScriptModule } from '../../context/worker-host.ts';

const sentStep = record({
  new_classes: optional(listOf(string)),
  new_sqlite_classes: optional(listOf(string)),
  renamed_classes: optional(listOf(record({ from: string, to: string }))),
  deleted_classes: optional(listOf(string)),
  transferred_classes: optional(listOf(record({ from: string, from_script: string, to: string }))),
});

const sentMigrations = record({
  old_tag: optional(string),
  new_tag: optional(string),
  steps: optional(listOf(sentStep)),
});

const sentMetadata = record({
  main_module: optional(string),
  body_part: optional(string),
  bindings: optional(listOf(record({ type: string }))),
  compatibility_date: optional(string),
  compatibility_flags: optional(listOf(string)),
  keep_bindings: optional(listOf(string)),
  annotations: optional(mapOf(string)),
  migrations: optional(sentMigrations),
  exports: optional(
    mapOf(
      record({
        type: string,
        storage: optional(string),
        state: optional(string),
        renamed_to: optional(string),
      }),
    ),
  ),
  assets: optional(
    record({
      jwt: optional(string),
      config: optional(
        record({
          html_handling: optional(string),
          not_found_handling: optional(string),
          run_worker_first: optional(json),
          _headers: optional(string),
          _redirects: optional(string),
        }),
      ),
    }),
  ),
  keep_assets: optional(flag()),
  containers: optional(json),
  limits: optional(json),
  placement: optional(json),
  observability: optional(json),
  logpush: optional(flag()),
  tail_consumers: optional(json),
  tags: optional(listOf(string)),
});

export type SentMetadata = Shaped<typeof sentMetadata>;
export type SentStep = Shaped<typeof sentStep>;
export type SentMigrations = Shaped<typeof sentMigrations> & SentStep;

export interface ScriptUpload {
  readonly metadata: SentMetadata;
  readonly code: ScriptCode;
}

const moduleNameCharactersMax = 500;

const scriptTypes: Readonly<Record<string, ScriptModule['type']>> = {
  'application/javascript+module': 'esm',
  'application/javascript': 'commonjs',
  'text/plain': 'text',
  'application/json': 'json',
  'application/octet-stream': 'data',
  'application/wasm': 'wasm',
};

/** The media type in which a module of a type is sent. */
export const moduleTypes = Object.fromEntries(
  Object.entries(scriptTypes).map(([sent, type]) => [type, sent]),
) as Readonly<Record<ScriptModule['type'], string>>;

export function refuseUpload(reason: string): Fault {
  return fault(workerCodes.invalid, { fill: { reason } });
}

export function refuseUnsupported(what: string): Fault {
  return fault(workerCodes.unsupported, { fill: { what } });
}

/** The main module's name for a Worker without one: its assets answer everything. */
const assetsOnly = 'assets-only.js';

const assetsAlone: ScriptCode = {
  main: assetsOnly,
  modules: {
    [assetsOnly]: {
      type: 'esm',
      text: 'export { handlers as default };\nconst handlers = { fetch: () => new Response(null, { status: 404 }) };\n',
    },
  },
};

const htmlHandlings: ReadonlySet<string> = new Set([
  'auto-trailing-slash',
  'force-trailing-slash',
  'drop-trailing-slash',
  'none',
]);
const notFoundHandlings: ReadonlySet<string> = new Set(['none', '404-page', 'single-page-application']);

/** The texts of `_headers` and `_redirects`: as large as such files get. */
const assetRulesBytesMax = 256 * 1024;

/** How assets are served; throws if the configuration is invalid. */
export function readAssetsConfig(
  config: NonNullable<NonNullable<SentMetadata['assets']>['config']>,
): ScriptAssets['config'] {
  const check = (name: string, isSound: boolean): void => {
    if (!isSound) throw refuseUpload(`metadata.assets.config.${name} is not known`);
  };
  const {
    html_handling: html,
    not_found_handling: notFound,
    run_worker_first: first,
    _headers,
    _redirects,
  } = config;
  check('html_handling', html === undefined || htmlHandlings.has(html));
  check('not_found_handling', notFound === undefined || notFoundHandlings.has(notFound));
  const isList =
    Array.isArray(first) && first.every((each) => typeof each === 'string') && first.length <= 100;
  check('run_worker_first', first === undefined || typeof first === 'boolean' || isList);
  for (const [name, text] of Object.entries({ _headers, _redirects }))
    check(name, (text?.length ?? 0) <= assetRulesBytesMax);
  return {
    ...(html === undefined ? {} : { html_handling: html }),
    ...(notFound === undefined ? {} : { not_found_handling: notFound }),
    ...(first === undefined ? {} : { run_worker_first: first as boolean | readonly string[] }),
    ...(_headers === undefined ? {} : { _headers }),
    ...(_redirects === undefined ? {} : { _redirects }),
  };
}

export function readUpload(form: readonly FormPart[], nowMs: number): ScriptUpload {
  const metadata = readMetadata(form);
  checkSupported(metadata, nowMs);
  const { main_module: module, body_part: script } = metadata;
  const main = module ?? script;
  if (main === undefined && metadata.assets !== undefined) return { metadata, code: assetsAlone };
  if (main === undefined)
    throw refuseUpload(
      'metadata.main_module must name the module to start with, or metadata.body_part the script',
    );
  const modules = readModules(nameParts(form, main));
  const mainName = toModuleName(main);
  const type = modules[mainName]?.type;
  if (module !== undefined && type !== 'esm')
    throw refuseUpload(`metadata.main_module names ${main}, and no part of that name is an ES module`);
  if (module === undefined && type !== 'commonjs')
    throw refuseUpload(
      `metadata.body_part names ${main}, and no part of that name is of the type application/javascript`,
    );
  checkParts(metadata, modules);
  const maps = readMaps(form, modules);
  return { metadata, code: { main: mainName, modules, ...(maps === undefined ? {} : { maps }) } };
}

/** Checks the bindings whose value is a part of the form. */
function checkParts({ bindings = [] }: SentMetadata, modules: ScriptCode['modules']): void {
  for (const { name, part } of bindings as readonly { readonly name?: unknown; readonly part?: unknown }[])
    if (part !== undefined && (typeof part !== 'string' || !Object.hasOwn(modules, part)))
      throw refuseUpload(`binding ${String(name)} names a part that was not sent`);
}

function readMetadata(form: readonly FormPart[]): SentMetadata {
  const parsed = parseMetadata(form);
  const problems: Problem[] = [];
  const metadata = sentMetadata.read(parsed, '', problems);
  if (problems.length > 0) throw malformed('workers', problems);
  const { compatibility_date: date, ...others } = metadata;
  // Provider 5 sends an empty date if the configuration has none.
  return date === undefined || date === '' ? others : { ...others, compatibility_date: date };
}

function checkSupported(metadata: SentMetadata, nowMs: number): void {
  const { containers, compatibility_date: date } = metadata;
  if (Array.isArray(containers) && containers.length > 0) throw refuseUnsupported('there are no containers');
  if (date === undefined) return;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)))
    throw refuseUpload(
      `compatibility_date must be a date such as "2026-02-24": ${JSON.stringify(date.slice(0, 40))}`,
    );
  if (date > new Date(nowMs).toISOString().slice(0, 10))
    throw refuseUpload(`Can't set compatibility date in the future: ${date}`);
}

/**
 * The parts that are modules, under their names. The name of a module is the file name of its part, as the SDKs send it
 * (`name="files"; filename="worker.js"`), unless the main module is identified by the name of its part, as in a
 * hand-written form (`-F index.js=@dist/worker.js`).
 */
function nameParts(form: readonly FormPart[], main: string): readonly FormPart[] {
  const parts = form.filter(({ name }) => !isOfMetadata(name));
  if (parts.some(({ name }) => name === main)) return parts;
  return parts.map((part) => ({ ...part, name: part.filename ?? part.name }));
}

function readModules(parts: readonly FormPart[]): Record<string, ScriptModule> {
  const modules = new Map<string, ScriptModule>();
  let bytes = 0;
  for (const part of parts) {
    if (part.type === mapType) continue;
    const name = toModuleName(part.name);
    if (modules.has(name)) throw refuseUpload(`two modules have the name ${name}`);
    bytes += part.bytes.length;
    if (bytes > scriptBytesMax)
      throw fault(workerCodes.tooLarge, { fill: { mebibytes: scriptBytesMax / 1024 / 1024 } });
    const module = readModule(name, part);
    modules.set(name, part.name === name ? module : { ...module, sentAs: part.name });
  }
  return Object.fromEntries(modules);
}

const mapType = 'application/source-map';

/** Source maps of existing modules. Without one, stacks refer to the uploaded code: nothing is refused for it. */
function readMaps(
  parts: readonly FormPart[],
  modules: ScriptCode['modules'],
): ScriptCode['maps'] | undefined {
  const maps = new Map<string, string>();
  let left = sourceMapBytesMax;
  for (const { type, name, bytes } of parts) {
    const module = name.replace(/^\.\//, '').replace(/\.map$/, '');
    if (type !== mapType || !Object.hasOwn(modules, module) || bytes.length > left) continue;
    left -= bytes.length;
    maps.set(module, Buffer.from(bytes).toString());
  }
  return maps.size === 0 ? undefined : Object.fromEntries(maps);
}

function readModule(name: string, { type, bytes }: FormPart): ScriptModule {
  if (type.startsWith('text/x-python'))
    throw refuseUnsupported(`there is no Python, which the module ${name} is`);
  const known = Object.hasOwn(scriptTypes, type) ? scriptTypes[type]! : undefined;
  if (known === undefined)
    throw refuseUpload(`the module ${name} has a type that is not known: ${type.slice(0, 100)}`);
  // Copied, so that the received body can be freed.
  if (known === 'data' || known === 'wasm') return { type: known, bytes: new Uint8Array(bytes) };
  try {
    return { type: known, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw refuseUpload(`the module ${name} is not text in UTF-8`);
  }
}

/** Names are paths relative to the Worker, and do not exist on this disk. */
function toModuleName(given: string): string {
  const name = given.replace(/^\.\//, '');
  const isPath = name
    .split('/')
    .every(
      (segment) => segment !== '' && segment !== '.' && segment !== '..' && !/[\\\p{Cc}?#%]/u.test(segment),
    );
  if (isPath && name.length <= moduleNameCharactersMax) return name;
  throw refuseUpload(`${JSON.stringify(given.slice(0, 100))} cannot be the name of a module`);
}
