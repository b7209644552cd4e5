/** Two ways to use a page: with the keyboard alone, and with a finger. A task is written once, for both. */
import type { Locator, Page } from 'playwright-core';

export interface Hand {
  /** Presses a button, a link or a box. */
  press(target: Locator): Promise<void>;
  /** Writes into a field, in the place of what is there. */
  write(target: Locator, text: string): Promise<void>;
}

/** A page with more stops than these on the way to a button is no use to somebody with a keyboard. */
const tabsMax = 150;

export class Keyboard implements Hand {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(target: Locator): Promise<void> {
    await this.#reach(target);
    const isBox = await target.evaluate((element: any) => element.matches('input'));
    await this.#page.keyboard.press(isBox ? 'Space' : 'Enter');
  }

  async write(target: Locator, text: string): Promise<void> {
    await this.#reach(target);
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.insertText(text);
  }

  /** With Tab, as often as it takes. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      if (await target.evaluate((element) => element === (globalThis as any).document.activeElement)) return;
      // An editor takes Tab for itself, until Escape gives it back.
      if (await this.#page.locator('.cm-content:focus').count()) await this.#page.keyboard.press('Escape');
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`not reached with ${tabsMax} presses of Tab: ${target.toString()}`);
  }
}

export class Finger implements Hand {
  async press(target: Locator): Promise<void> {
    await target.tap();
  }

  async write(target: Locator, text: string): Promise<void> {
    await target.tap();
    await target.fill(text);
  }
}
