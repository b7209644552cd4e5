/**
 * Walks over stops with a window of one width: opens each, waits until it no longer changes, and describes it in each
 * theme. On the way it checks what all pages promise: nothing is wider than the window, and the console stays empty.
 */
import { equal, ok } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findInCache } from '../../../tools/cache-folder.ts';
import { waitUntilStill } from '../browser-windows.ts';
import { describePage, recordDrawings } from './describe-page.ts';
import type { SampleSite } from './sample-site.ts';
import { stillMs } from './still-clock.ts';
import { fillPath, type Stop } from './stops.ts';

type Theme = 'light' | 'dark';

export interface Seen {
  /** Of the stop, the width and the theme. */
  readonly name: string;
  readonly description: string;
  readonly fingerprint: string;
}

export class Walker {
  readonly #sample: SampleSite;
  readonly #page: Page;
  readonly #width: number;

  private constructor(sample: SampleSite, page: Page, width: number) {
    this.#sample = sample;
    this.#page = page;
    this.#width = width;
  }

  static async open(sample: SampleSite, width: number): Promise<Walker> {
    const page = await sample.site.openWindow({ width, timezone: 'UTC' });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.addInitScript(recordDrawings);
    await page.clock.setFixedTime(stillMs);
    return new Walker(sample, page, width);
  }

  get page(): Page {
    return this.#page;
  }

  /** In this window, as a browser does it: the clock of this process is not that of the browser, which keeps cookies. */
  async signIn(): Promise<void> {
    const { url, token } = this.#sample.site;
    await this.#page.goto(`${url}/sign-in`);
    const status = await this.#page.evaluate(
      async (body) =>
        (await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
          .status,
      JSON.stringify({ token }),
    );
    equal(status, 200);
  }

  /** Opens a stop, performs its actions and waits for them. */
  async goTo({ path, act }: Stop): Promise<void> {
    const page = this.#page;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${this.#sample.site.url}${fillPath(path, this.#sample.names)}`);
    await page.getByRole('heading').first().waitFor();
    await act?.(page);
  }

  /** Describes the open stop; it stays in this theme. */
  async look(stop: Stop, theme: Theme): Promise<Seen> {
    await this.#page.emulateMedia({ colorScheme: theme });
    const description = await waitUntilStill(this.#page, () => describePage(this.#page));
    const name = `${stop.name}-${this.#width}-${theme}`;
    return { name, description, fingerprint: hash('sha256', description, 'hex').slice(0, 16) };
  }

  /** Nothing can be scrolled sideways, and on a phone no table is wider than the window. */
  async checkWidth({ name }: Stop): Promise<void> {
    const wide = await this.#page.evaluate((width) => {
      const { document } = globalThis as any;
      const tables = width < 800 ? [...document.querySelectorAll('table')] : [];
      return Math.max(...[document.documentElement, ...tables].map((each) => each.scrollWidth)) - width;
    }, this.#width);
    ok(wide <= 0, `${name} is ${wide} pixels wider than a window of ${this.#width}`);
  }
}

const kept = findInCache('pictures');

/** The descriptions of pictures that match the accepted ones, to compare with when they change. */
export function keepDescriptions(seen: readonly Seen[]): void {
  mkdirSync(kept, { recursive: true });
  for (const { name, description, fingerprint } of seen)
    writeFileSync(join(kept, `${name}.${fingerprint}.txt`), description);
}

export function findDescription(name: string, fingerprint: string): string | undefined {
  const file = `${name}.${fingerprint}.txt`;
  return existsSync(join(kept, file)) ? join(kept, file) : undefined;
}
