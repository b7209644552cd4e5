/**
 * Calls every operation of the OpenAPI document with hostile input, on a separate server:
 *
 *   npm run verify -- fuzz:api --only rulesets --minutes 5 --seed 7
 *
 * A find is an answer of 500 or more, or none at all: it is printed with its request, and the command ends with 1. Ids
 * from responses are used again, so that most calls are about existing resources.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CliSite } from '../../cli/cli-site.ts';
import { Random } from '../../faults/random.ts';
import { HostileValues, hostileTexts, type Schema } from './hostile-values.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Call {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string | undefined;
}

/** An operation takes milliseconds. */
const answerMsMax = 30_000;
const idsKeptMax = 20;
/** Operations that would break the others, or that wait for a client. */
const left = /^DELETE \/(?:zones|accounts)\/\{\w+\}$|^(?:PUT|DELETE) \/user\/tokens\/\{\w+\}|\/tail$|api_key/;

const { values } = parseArgs({
  options: { only: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes ?? 2);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const only = new RegExp(values.only ?? '');

class ApiFuzzer {
  readonly #api: string;
  readonly #token: string;
  readonly #operations: readonly Operation[];
  readonly #random = new Random(seed);
  readonly #values: HostileValues;
  /** By the parameter of a path. */
  readonly #ids: Map<string, string[]>;
  readonly statuses = new Map<number, number>();

  constructor(site: CliSite, document: OpenApiDocument) {
    const { api, token, account_id, zones } = site.program.ready;
    this.#api = api;
    this.#token = token!;
    this.#ids = new Map([
      ['account_id', [account_id]],
      ['zone_id', zones.map(({ id }) => id)],
    ]);
    this.#values = new HostileValues(this.#random, (schema) => resolve(document, schema));
    this.#operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
        .map(([method, described]) => ({ ...described, method: method.toUpperCase(), path }))
        .filter((each) => only.test(each.operationId) && !left.test(`${each.method} ${each.path}`)),
    );
    if (this.#operations.length === 0) throw new RangeError(`no operation is called ${values.only}`);
  }

  get count(): number {
    return this.#operations.length;
  }

  /** Undefined if the answer is one that a client can do something with. */
  async try(): Promise<string | undefined> {
    const call = this.#draw(this.#random.pick(this.#operations));
    const { status, text } = await this.#send(call);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 429) await delay(500);
    if (status > 0 && status < 500) return undefined;
    const { operation, method, path, body = '' } = call;
    return `${operation} ${status}: ${method} ${path}\n  ${body.slice(0, 2_000)}\n  ${text.slice(0, 500)}`;
  }

  #draw({ operationId, method, path, parameters = [], requestBody }: Operation): Call {
    const random = this.#random;
    const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
      const known = this.#ids.get(name) ?? [];
      return (
        encode(known.length > 0 && random.chance(0.95) ? random.pick(known) : random.pick(hostileTexts)) ||
        'x'
      );
    });
    const query = parameters
      .filter((each) => each.in === 'query' && random.chance(0.5))
      .map(({ name, schema }) => {
        const value = random.chance(0.5) ? random.pick(hostileTexts) : String(this.#values.draw(schema));
        return `${encode(name)}=${encode(value)}`;
      });
    const types = Object.entries(requestBody?.content ?? {});
    const [type, content] = types.length > 0 && random.chance(0.97) ? random.pick(types) : [];
    return {
      operation: operationId,
      method,
      path: `${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`,
      type,
      body: content === undefined ? undefined : this.#drawBody(type!, content.schema),
    };
  }

  #drawBody(type: string, schema: Schema): string {
    if (type.includes('json')) return JSON.stringify(this.#values.draw(schema));
    return this.#random.pick(['', 'x', '\0'.repeat(10), '{}', 'a'.repeat(5_000)]);
  }

  async #send({
    method,
    path,
    type,
    body,
  }: Call): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const answer = await fetch(`${this.#api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        body: method === 'GET' ? null : (body ?? null),
        signal: AbortSignal.timeout(answerMsMax),
      });
      const isEndless = /event-stream|ndjson/.test(answer.headers.get('content-type') ?? '');
      if (isEndless) await answer.body?.cancel();
      const text = isEndless ? '' : await answer.text();
      if (answer.ok && method === 'POST') this.#note(path, text);
      return { status: answer.status, text };
    } catch (error) {
      return { status: 0, text: String((error as Error).cause ?? error) };
    }
  }

  /** Ids of what was created are those of the parameter that follows the path. */
  #note(path: string, text: string): void {
    const { result } = parse(text) as { readonly result?: unknown };
    const created = (Array.isArray(result) ? result : [result]) as readonly (Record<
      string,
      unknown
    > | null)[];
    const next = this.#operations.find((each) =>
      new RegExp(`^${each.path.replace(/\{\w+\}$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(
        `${path.split('?')[0]}/`,
      ),
    );
    const name = /\{(\w+)\}$/.exec(next?.path ?? '')?.[1];
    if (name === undefined) return;
    const ids = this.#ids.get(name) ?? [];
    for (const each of created) {
      const id = each?.['id'] ?? each?.['uuid'] ?? each?.['queue_id'] ?? each?.['name'];
      if (typeof id === 'string') ids.push(id);
    }
    this.#ids.set(name, ids.slice(-idsKeptMax));
  }
}

function parse(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

function resolve(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schema.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
  return resolve(document, found as Schema);
}

await using site = await CliSite.open();
const { api } = site.program.ready;
const document = (await (await fetch(api.replace('/client/v4', '/openapi.json'))).json()) as OpenApiDocument;
const fuzzer = new ApiFuzzer(site, document);
const finds = new Map<string, string>();
const endMs = Date.now() + minutes * 60_000;
while (Date.now() < endMs) {
  const find = await fuzzer.try();
  if (find === undefined) continue;
  const key = find.split(':')[0]!;
  if (!finds.has(key)) process.stdout.write(`${find}\n`);
  finds.set(key, find);
}
const counts = [...fuzzer.statuses].toSorted().map(([status, count]) => `${count} of ${status}`);
process.stdout.write(
  `${fuzzer.count} operations, answers: ${counts.join(', ')}; ${finds.size} found, seed ${seed}\n`,
);
process.exitCode = finds.size === 0 ? 0 : 1;
