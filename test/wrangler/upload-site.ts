/** `gatehouse serve` with a domain for Workers, and uploads as Wrangler sends them. */
import { equal, ok } from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { Gatehouse, type ReadyFacts, temporary } from '../server/gatehouse.ts';

export interface Envelope {
  readonly status: number;
  readonly success: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation answers
  readonly result: any;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

export interface Upload {
  readonly code?: string;
  /** Modules beside the main one: content and type by name. */
  readonly modules?: Readonly<
    Record<string, readonly [content: string | Uint8Array<ArrayBuffer>, type: string]>
  >;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const domain = 'workers.example';
const today = '2026-08-01';

export function createForm({ code = '', modules = {}, metadata = {} }: Upload): FormData {
  const form = new FormData();
  const main = { main_module: 'index.js', bindings: [], compatibility_date: today, compatibility_flags: [] };
  form.set(
    'metadata',
    JSON.stringify({ ...main, keep_bindings: ['secret_text', 'secret_key'], ...metadata }),
  );
  const add = (name: string, content: string | Uint8Array<ArrayBuffer>, type: string): void =>
    form.set(name, new File([content], name, { type }));
  add('index.js', code, 'application/javascript+module');
  for (const [name, [content, type]] of Object.entries(modules)) add(name, content, type);
  return form;
}

export class UploadSite {
  readonly server: Gatehouse;
  readonly ready: ReadyFacts & { readonly edge: string };
  readonly directory: string;

  private constructor(server: Gatehouse, ready: ReadyFacts, directory: string) {
    this.server = server;
    this.ready = ready as typeof this.ready;
    this.directory = directory;
  }

  static async start(
    t: TestContext,
    {
      directory = temporary(t),
      args = [],
      environment = {},
      token,
    }: {
      readonly directory?: string;
      readonly args?: readonly string[];
      readonly environment?: Readonly<Record<string, string>>;
      /** Of a host that came before, in a cluster. */
      readonly token?: string | undefined;
    } = {},
  ): Promise<UploadSite> {
    const { server, ready } = await Gatehouse.start(t, {
      directory,
      environment,
      args: [
        ...['--allow-private-origins', 'true', '--rate-limit', 'false', '--workers-domain', domain],
        ...['--object-host-stuck', '10s', ...args],
      ],
    });
    const site = new UploadSite(server, token === undefined ? ready : { ...ready, token }, directory);
    const { account_id: id } = ready;
    const { result: zones } = await site.call(`GET /zones?name=${domain}`);
    if (zones.length === 0)
      equal((await site.call('POST /zones', { name: domain, account: { id } })).status, 200);
    return site;
  }

  /** `A` stands for the path of the account, `W` for that of its scripts. */
  async call(route: string, body?: unknown, token = this.ready.token): Promise<Envelope> {
    const [method, path] = route.split(' ') as [string, string];
    const account = `/accounts/${this.ready.account_id}`;
    const isForm = body instanceof FormData;
    const answer = await fetch(
      this.ready.api + path.replace(/^A(?=\/)/, account).replace(/^W(?=\/)/, `${account}/workers/scripts`),
      {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: isForm ? body : body === undefined ? null : JSON.stringify(body),
      },
    );
    return { status: answer.status, ...((await answer.json()) as Omit<Envelope, 'status'>) };
  }

  /** Like a first `wrangler deploy`; the Worker gets a host name. */
  async deploy(name: string, upload: Upload): Promise<Envelope> {
    const answer = await this.call(
      `PUT W/${name}?excludeScript=true&bindings_inherit=strict`,
      createForm(upload),
    );
    if (answer.success) ok((await this.call(`POST W/${name}/subdomain`, { enabled: true })).success);
    return answer;
  }

  async ask(host: string, path = '/', { method = 'GET', body = '', headers = {} } = {}): Promise<Asked> {
    const { hostname, port } = new URL(this.ready.edge);
    const outgoing = request({ hostname, port, path, method, headers: { ...headers, host }, agent: false });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode!, headers: incoming.headers, body: await text(incoming) };
  }

  /** The body of a Worker's response under its own host name. */
  async read(name: string, path = '/'): Promise<string> {
    return (await this.ask(`${name}.${domain}`, path)).body;
  }
}
