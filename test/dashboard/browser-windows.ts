/** Windows of a real Chromium. Every page that is opened is watched: an error in the console fails the test. */
import { deepEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getTestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { launchBrowser, type LaunchOptions } from './launch-browser.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A timeout that is also long enough for a busy machine. */
const waitMsMax = 120_000;

/** The delay of each request of a page before it is sent (`npm run verify -- test:slow-pages`). */
const slownessMs = Number(process.env['GATEHOUSE_SLOW_PAGES'] ?? 0);

/**
 * A refusal of the API and a lost connection are not errors of the page, which shows them. Violations of the policy are
 * reported with their element (`listenForViolations`).
 */
const expectedErrors =
  /^Failed to load resource: (?:the server responded with a status of 4|net::ERR_CONNECTION_REFUSED)|violates the following Content Security Policy directive/;

/** Runs in the page. */
function listenForViolations(): void {
  const page = globalThis as any;
  page.addEventListener('securitypolicyviolation', ({ effectiveDirective, target }: any) => {
    page.reportViolation(
      `${effectiveDirective} is broken by ${target?.outerHTML?.slice(0, 300) ?? 'a script'}`,
    );
  });
}

/** Pending requests of each page: their responses may change the page. */
const unanswered = new WeakMap<Page, Set<Request>>();

/** A page that is still changing after this many checks never settles. */
const looksMax = 400;

export interface WindowOptions {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  /** The language of the browser. */
  readonly locale?: string;
  /** It has a touch screen. */
  readonly hasTouch?: boolean;
  /** The time zone of the reader; without one, that of the machine. */
  readonly timezone?: string;
}

export class BrowserWindows implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #errors: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(options: LaunchOptions = {}): Promise<BrowserWindows> {
    return new BrowserWindows(await launchBrowser([], options));
  }

  /**
   * A separate window: cookies and storage are not shared. It is closed with the test that opened it; otherwise it
   * would continue to send requests and draw while the next ones run.
   */
  async open(options: WindowOptions = {}): Promise<Page> {
    // Without an explicit locale, Chromium uses that of the machine, which may not be set.
    const { width = 1280, theme = 'light', locale = 'en-US', hasTouch = false } = options;
    const viewport = { width, height: 900 };
    const zone = options.timezone === undefined ? {} : { timezoneId: options.timezone };
    const context = await this.#browser.newContext({
      viewport,
      colorScheme: theme,
      locale,
      hasTouch,
      ...zone,
    });
    const running = getTestContext();
    if (running !== undefined && 'after' in running) running.after(() => context.close());
    return this.#watch(context);
  }

  /**
   * The findings of axe in both themes when the page has loaded; and a screenshot of each if `GATEHOUSE_SCREENSHOTS`
   * names a directory.
   */
  async inspect(page: Page, name: string): Promise<void> {
    await settle(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      // The themes differ only in their colours.
      const faults = await findFaults(page, theme === 'light' ? 'all rules' : 'rules of colour');
      deepEqual(faults, [], `${name} in the ${theme} theme`);
      await this.#photograph(page, `${name}-${theme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** Fails if any page has written an error to the console, or violated its policy. */
  checkConsole(): void {
    deepEqual(this.#errors, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  async #watch(context: BrowserContext): Promise<Page> {
    await context.exposeBinding('reportViolation', (_, text: string) => void this.#errors.push(text));
    await context.addInitScript(listenForViolations);
    if (slownessMs > 0) await slowDown(context);
    const page = await context.newPage();
    page.setDefaultTimeout(waitMsMax);
    watchRequests(page);
    page.on('console', (message) => {
      if (message.type() === 'error' && !expectedErrors.test(message.text()))
        this.#errors.push(message.text());
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

/** As on a busy machine: a test that reads data before it has arrived fails in each run, not in one of a hundred. */
async function slowDown(context: BrowserContext): Promise<void> {
  await context.route('**/*', async (route) => {
    await delay(slownessMs * (0.5 + Math.random()));
    await route.fallback();
  });
}

function watchRequests(page: Page): void {
  const requests = new Set<Request>();
  unanswered.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('response', (response) => requests.delete(response.request()));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Waits until the page has loaded. */
export async function settle(page: Page): Promise<void> {
  await waitUntilStill(page, () => page.content());
}

/** Waits until two checks in a row are equal: later changes would be in one run and not in the next. */
export async function waitUntilStill(page: Page, look: () => Promise<string>): Promise<string> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  let before = '';
  for (let looks = 0; looks < looksMax; looks++) {
    const loading = await page
      .locator('.loading, .code-waiting, .timeline-chart-canvas:not(:has(canvas))')
      .count();
    const now = await look();
    if (loading === 0 && !unanswered.get(page)?.size && now === before) return now;
    before = now;
    // Changes of width are reported with a frame, and on a busy machine there is none for a while.
    await page.evaluate(async () => {
      await new Promise((resolve) => (globalThis as any).requestAnimationFrame(resolve));
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
  }
  throw new Error(`${page.url()} does not stop changing`);
}

/**
 * The findings of axe, with the WCAG rules and those about landmarks and headings. A page that changes while axe checks
 * it, such as completions that appear one after the other, makes axe fail: then it is run again.
 */
export async function findFaults(
  page: Page,
  rules: 'all rules' | 'rules of colour' = 'all rules',
  triesLeft = 5,
): Promise<readonly unknown[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const options = rules === 'all rules' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] };
  const look = page.evaluate(async (chosen) => {
    const { violations } = await (globalThis as any).axe.run((globalThis as any).document, chosen);
    return violations.map((violation: any) => [
      violation.id,
      violation.nodes.slice(0, 3).map((node: any) => node.html.slice(0, 160)),
    ]);
  }, options);
  try {
    return await look;
  } catch (error) {
    if (triesLeft === 1) throw error;
    return await findFaults(page, rules, triesLeft - 1);
  }
}
