/** The dashboard from a user's view: the whole program with an edge and an origin, and a real Chromium in front. */
import { equal } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
  type Server,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { loadProgram, type ServeProgram, readConfig, claimDataDirectory } from '#server';
import { installTestRules } from '../core-rules.ts';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { BrowserWindows, type WindowOptions } from './browser-windows.ts';
import type { LaunchOptions } from './launch-browser.ts';

export type Envelope = {
  readonly success: boolean;
  readonly result: any;
  readonly errors: any[];
  readonly messages: any[];
};

export class DashboardSite implements AsyncDisposable {
  /** The data directory. */
  readonly data: string;
  readonly program: ServeProgram;
  readonly origin: Server;
  readonly #windows: BrowserWindows;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: {
    data: string;
    program: ServeProgram;
    origin: Server;
    windows: BrowserWindows;
    opened: AsyncDisposableStack;
  }) {
    this.data = parts.data;
    this.program = parts.program;
    this.origin = parts.origin;
    this.#windows = parts.windows;
    this.#opened = parts.opened;
  }

  static async open(
    flags: Readonly<Record<string, string>> = {},
    browser: LaunchOptions = {},
  ): Promise<DashboardSite> {
    await buildDashboard({ ifStale: true });
    // Open resources are closed after a failure, or the test would never end.
    await using opened = new AsyncDisposableStack();
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-dashboard-'));
    opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    const origin = createServer((_request, response) => response.end('from the origin'));
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    opened.defer(() => {
      origin.closeAllConnections();
      origin.close();
    });
    const settings = {
      data: join(directory, 'data'),
      port: '0',
      'edge-port': '0',
      'object-hosts': '1',
      'edge-workers': '0',
      ...flags,
    };
    const config = readConfig({
      flags: { ...settings, 'allow-private-origins': 'true', 'rate-limit': 'false' },
      environment: {},
      directory,
    });
    claimDataDirectory(settings.data, 'control plane');
    installTestRules(settings.data);
    const ignore = (): void => {};
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const program = opened.use(await (await loadProgram()).start({ config, log, version: '0.0.0-test' }));
    const windows = opened.use(await BrowserWindows.launch(browser));
    return new DashboardSite({ data: settings.data, program, origin, windows, opened: opened.move() });
  }

  /** Of the listener of the API and the dashboard. */
  get url(): string {
    return new URL(this.program.ready.api).origin;
  }

  get originUrl(): string {
    return `http://127.0.0.1:${(this.origin.address() as AddressInfo).port}`;
  }

  get edgeUrl(): string {
    return this.program.ready.edge!;
  }

  get token(): string {
    return this.program.ready.token!;
  }

  /** Calls the API as a program does. */
  async call(route: string, body?: unknown): Promise<Envelope> {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(`${this.program.ready.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Envelope;
  }

  /** A zone of the plan, with this site's origin. */
  async createZone(name: string, plan: 'free' | 'pro' | 'business' | 'enterprise'): Promise<string> {
    const created = await this.call('POST /zones', { name, account: { id: this.program.ready.account_id } });
    equal(created.success, true, JSON.stringify(created.errors));
    const { id } = created.result;
    if (plan !== 'free') await this.call(`POST /zones/${id}/subscription`, { rate_plan: { id: plan } });
    await this.call(`PUT /zones/${id}/edge`, {
      origin: { url: this.originUrl },
      protect: false,
    });
    return id;
  }

  /** Sends a request through the edge. */
  visit(host: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return sendRequest(`${this.edgeUrl}${path}`, { headers: { host, ...headers } });
  }

  openWindow(options: WindowOptions = {}): Promise<Page> {
    return this.#windows.open(options);
  }

  /** A window that is signed in as the owner, at this path. */
  async openSignedIn(path: string, options: WindowOptions = {}): Promise<Page> {
    const page = await this.openWindow(options);
    const response = await page.request.post(`${this.url}/session`, { data: { token: this.token } });
    equal(response.status(), 200);
    await page.goto(`${this.url}${path}`);
    return page;
  }

  inspect(page: Page, name: string): Promise<void> {
    return this.#windows.inspect(page, name);
  }

  checkConsole(): void {
    this.#windows.checkConsole();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Unlike `fetch`, with any `Host`. */
export async function sendRequest(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | undefined } = {},
): Promise<Answer> {
  const request = httpRequest(url, options).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}
