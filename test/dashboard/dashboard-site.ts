/**
 * The dashboard as a person sees it: the whole program with an edge and an origin, and a real Chromium in front. Every page
 * that is opened is watched: an error in the console fails the test.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
  type Server,
} from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Program, readConfig } from '../../src/server.ts';
import { buildDashboard } from '../../tools/build-dashboard.ts';
import { launchBrowser } from './launch-browser.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export type Envelope = {
  readonly success: boolean;
  readonly result: any;
  readonly errors: any[];
  readonly messages: any[];
};

export class DashboardSite implements AsyncDisposable {
  readonly program: Program;
  readonly origin: Server;
  readonly #browser: Browser;
  readonly #opened: AsyncDisposableStack;
  readonly #errors: string[] = [];

  private constructor(parts: {
    program: Program;
    origin: Server;
    browser: Browser;
    opened: AsyncDisposableStack;
  }) {
    this.program = parts.program;
    this.origin = parts.origin;
    this.#browser = parts.browser;
    this.#opened = parts.opened;
  }

  static async open(flags: Readonly<Record<string, string>> = {}): Promise<DashboardSite> {
    await buildDashboard({ ifStale: true });
    // What is open when something fails is closed, or the test would never end.
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
      'edge-workers': '0',
      ...flags,
    };
    const config = readConfig({
      flags: { ...settings, 'allow-private-origins': 'true', 'rate-limit': 'false' },
      environment: {},
      directory,
    });
    const ignore = (): void => {};
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const program = opened.use(await Program.start({ config, log, version: '0.0.0-test' }));
    const browser = await launchBrowser();
    opened.defer(() => browser.close());
    return new DashboardSite({ program, origin, browser, opened: opened.move() });
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
    await this.call(`PUT /zones/${id}/edge`, { origin: { url: this.originUrl } });
    return id;
  }

  /** Sends a request through the edge. */
  visit(host: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return sendRequest(`${this.edgeUrl}${path}`, { headers: { host, ...headers } });
  }

  /** A window of its own: cookies and storage are not shared. */
  async openWindow(
    options: { readonly width?: number; readonly theme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const { width = 1280, theme = 'light' } = options;
    const viewport = { width, height: 900 };
    // Without a locale of its own, Chromium takes that of the machine, which may be none.
    const context = await this.#browser.newContext({ viewport, colorScheme: theme, locale: 'en-US' });
    return this.#watch(context);
  }

  /** A window that is signed in as the owner, at this path. */
  async openSignedIn(
    path: string,
    options: { readonly width?: number; readonly theme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const page = await this.openWindow(options);
    const response = await page.request.post(`${this.url}/session`, { data: { token: this.token } });
    equal(response.status(), 200);
    await page.goto(`${this.url}${path}`);
    return page;
  }

  /** What axe finds, in both themes; and a picture of each if `GATEHOUSE_SCREENSHOTS` names a directory. */
  async inspect(page: Page, name: string): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(axeSource);
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as any).axe.run((globalThis as any).document, {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
        });
        return violations.map((violation: any) => [
          violation.id,
          violation.nodes.slice(0, 3).map((node: any) => node.html.slice(0, 160)),
        ]);
      });
      deepEqual(found, [], `${name} in the ${theme} theme`);
      await this.#photograph(page, `${name}-${theme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** Fails if any page has written an error to the console, or broke its policy. */
  checkConsole(): void {
    deepEqual(this.#errors, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  async #watch(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('console', (message) => {
      // A refusal of the API and a lost connection are no errors of the page, which shows them.
      const isRefusal =
        /^Failed to load resource: (?:the server responded with a status of 4|net::ERR_CONNECTION_REFUSED)/.test(
          message.text(),
        );
      if (message.type() === 'error' && !isRefusal) this.#errors.push(message.text());
    });
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    return page;
  }

  async #photograph(page: Page, name: string): Promise<void> {
    const directory = process.env['GATEHOUSE_SCREENSHOTS'];
    if (directory === undefined) return;
    mkdirSync(directory, { recursive: true });
    await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true });
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
