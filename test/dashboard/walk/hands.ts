/** Two ways to use a page: with only the keyboard, and with a finger. A task is written once, for both. */
import type { Locator, Page } from 'playwright-core';

export interface Participant {
  /** Presses a button, a link or a box. */
  press(target: Locator): Promise<void>;
  /** Replaces the contents of a field. */
  write(target: Locator, text: string): Promise<void>;
  /** Drags an item by its handle to the place of another above it. */
  moveUp(handle: Locator, to: Locator): Promise<void>;
}

/** A page with more tab stops than this before a button is unusable with a keyboard. */
const tabsMax = 150;

export class Keyboard implements Participant {
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

  async moveUp(handle: Locator): Promise<void> {
    await this.press(handle);
    await this.#page.getByText('position').first().waitFor();
    await this.#page.keyboard.press('PageUp');
    await this.#page.getByText('position 1 of').waitFor();
    await this.#page.keyboard.press('Enter');
  }

  /** With Tab, as often as necessary. */
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

export class Finger implements Participant {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(target: Locator): Promise<void> {
    await target.tap();
  }

  async write(target: Locator, text: string): Promise<void> {
    await target.tap();
    await target.fill(text);
  }

  /** Playwright cannot move a finger: the browser gets the events that a touch screen would send. */
  async moveUp(handle: Locator, to: Locator): Promise<void> {
    await handle.scrollIntoViewIfNeeded();
    const [from, target] = [(await handle.boundingBox())!, (await to.boundingBox())!];
    const session = await this.#page.context().newCDPSession(this.#page);
    const touch = (type: 'touchStart' | 'touchMove', { x, y }: typeof from) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: x + 10, y: y + 10 }] });
    await touch('touchStart', from);
    await this.#page.getByText('position').first().waitFor();
    await touch('touchMove', target);
    await this.#page.getByText('position 1 of').waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await session.detach();
  }
}
